// Arguments: number of providers, number of different sessions the requests come with (default 1).
import express from "express"
import { ExpressAuth, requireSession } from "../../dist/index.js"
import { encode } from "../../dist/core/jwt.js"
import { serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"
import { makeProviders } from "./providers.mjs"

const [providers = "1", sessions = "1"] = process.argv.slice(2)
const secret = "a secret of the benchmark, 32+ characters"
const cookieName = "authjs.session-token"

const app = express()
app.use("/auth", ExpressAuth({ secret, trustHost: true, providers: makeProviders(Number(providers)) }))
app.get("/guarded", requireSession(), (req, res) => res.json({ name: req.auth.user.name }))

serve(app, () => Promise.all(Array.from({ length: Number(sessions) }, mintCookie)))

async function mintCookie() {
  const token = { sub: user.id, name: user.name, email: user.email }
  return `${cookieName}=${await encode({ token, secret, salt: cookieName })}`
}
