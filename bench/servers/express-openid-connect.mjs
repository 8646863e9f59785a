// Argument: issuer of the OpenID provider (default: that of one of its own).
import express from "express"
import openidConnect from "express-openid-connect"
import { signInOnce } from "../load/sign-in.mjs"
import { clientId, clientSecret, issuer } from "./local-provider.mjs"
import { serve } from "./serve.mjs"

const { auth, requiresAuth } = openidConnect
const app = express()

serve(app, async (origin) => {
  mount(origin)
  return [await signInOnce(origin, "expressOpenidConnect")]
})

/** It has to be told the address that it is reached at. */
function mount(baseURL) {
  const options = {
    issuerBaseURL: issuer,
    baseURL,
    clientID: clientId,
    clientSecret,
    secret: "a secret of the benchmark, 32+ characters",
    authRequired: false,
    authorizationParams: { response_type: "code" },
  }
  app.use(auth(options))
  app.get("/guarded", requiresAuth(), (req, res) => res.json({ name: req.oidc.user.name }))
}
