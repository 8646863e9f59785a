// Argument: issuer of the OpenID provider (default: that of one of its own).
import { ExpressAuth, getSession } from "@auth/express"
import express from "express"
import { signInOnce } from "../load/sign-in.mjs"
import { localProvider } from "./local-provider.mjs"
import { serve } from "./serve.mjs"

const config = {
  secret: "a secret of the benchmark, 32+ characters",
  trustHost: true,
  providers: [localProvider],
}

const app = express()
app.use("/auth", ExpressAuth(config))
app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))

serve(app, async (origin) => [await signInOnce(origin, "authJs")])

/** The guard of the package's own documentation, with 401 in place of a redirect. */
async function requireUser(req, res, next) {
  res.locals.session ??= await getSession(req, config)
  if (res.locals.session?.user) next()
  else res.sendStatus(401)
}
