// Argument: issuer of the OpenID provider (default: that of one of its own).
import { betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"
import { fromNodeHeaders, toNodeHandler } from "better-auth/node"
import { genericOAuth } from "better-auth/plugins"
import express from "express"
import { signInOnce } from "../load/sign-in.mjs"
import { clientId, clientSecret, issuer } from "./local-provider.mjs"
import { serve } from "./serve.mjs"

const provider = {
  providerId: "local",
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  clientId,
  clientSecret,
  scopes: ["openid", "profile", "email"],
}

const app = express()

serve(app, async (origin) => {
  mount(origin)
  return [await signInOnce(origin, "betterAuth")]
})

/** It has to be told the address that it is reached at. */
function mount(baseURL) {
  const auth = betterAuth({
    baseURL,
    secret: "a secret of the benchmark, 32+ characters",
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [genericOAuth({ config: [provider] })],
    // All sign-ins come from one address here.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  })
  app.all("/api/auth/{*any}", toNodeHandler(auth))
  app.get("/guarded", requireUser(auth), (req, res) => res.json({ name: res.locals.session.user.name }))
}

function requireUser(auth) {
  return async (req, res, next) => {
    res.locals.session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
    if (res.locals.session?.user) next()
    else res.sendStatus(401)
  }
}
