// Arguments: number of providers, number of different sessions the requests come with (default 1).
import { encode } from "@auth/core/jwt"
import { ExpressAuth, getSession } from "@auth/express"
import express from "express"
import { serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"
import { makeProviders } from "./providers.mjs"

const [providers = "1", sessions = "1"] = process.argv.slice(2)
const cookieName = "authjs.session-token"
const config = {
  secret: "a secret of the benchmark, 32+ characters",
  trustHost: true,
  providers: makeProviders(Number(providers)),
}

const app = express()
app.use("/auth", ExpressAuth(config))
app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))

serve(app, () => Promise.all(Array.from({ length: Number(sessions) }, mintCookie)))

async function mintCookie() {
  const token = { sub: user.id, name: user.name, email: user.email }
  return `${cookieName}=${await encode({ token, secret: config.secret, salt: cookieName })}`
}

/** The guard of the package's own documentation, with 401 in place of a redirect. */
async function requireUser(req, res, next) {
  res.locals.session ??= await getSession(req, config)
  if (res.locals.session?.user) next()
  else res.sendStatus(401)
}
