// Argument: "cookie-cache" to switch the cookie cache on.
import { betterAuth } from "better-auth"
import { memoryAdapter } from "better-auth/adapters/memory"
import { fromNodeHeaders, toNodeHandler } from "better-auth/node"
import express from "express"
import { cookiesOf, serve } from "./serve.mjs"
import { user } from "../lib/user.mjs"

const auth = betterAuth({
  baseURL: "http://127.0.0.1",
  secret: "a secret of the benchmark, 32+ characters",
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  telemetry: { enabled: false },
  // In production it refuses whoever asks often, as the load generator does.
  rateLimit: { enabled: false },
  // An hour in place of the documented five minutes, so that a long run does not outlive the cache.
  session: process.argv[2] === "cookie-cache" ? { cookieCache: { enabled: true, maxAge: 60 * 60 } } : {},
})

const app = express()
app.all("/api/auth/{*any}", toNodeHandler(auth))
app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))

serve(app, async () => {
  const body = { name: user.name, email: user.email, password: "a password of the benchmark" }
  return [cookiesOf(await auth.api.signUpEmail({ body, asResponse: true }))]
})

async function requireUser(req, res, next) {
  res.locals.session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
  if (res.locals.session?.user) next()
  else res.sendStatus(401)
}
