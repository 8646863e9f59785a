import cookieSession from "cookie-session"
import express from "express"
import { serve, signInAt } from "../serve.mjs"
import { user } from "../user.mjs"

const app = express()
app.use(cookieSession({ keys: ["a secret of the benchmark"] }))
app.post("/login", (req, res) => {
  req.session.user = user
  res.sendStatus(200)
})
app.get("/guarded", requireUser, (req, res) => res.json({ name: req.session.user.name }))

serve(app, (origin) => signInAt(`${origin}/login`))

function requireUser(req, res, next) {
  if (req.session.user) next()
  else res.sendStatus(401)
}
