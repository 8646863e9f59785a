// Argument: number of different sessions the requests come with (default 1).
import cookieSession from "cookie-session"
import express from "express"
import { serve, signInOften } from "./serve.mjs"
import { user } from "../lib/user.mjs"

const [sessions = "1"] = process.argv.slice(2)
const app = express()
app.use(cookieSession({ keys: ["a secret of the benchmark"] }))
app.post("/login", (req, res) => {
  req.session.user = user
  res.sendStatus(200)
})
app.get("/guarded", requireUser, (req, res) => res.json({ name: req.session.user.name }))

serve(app, (origin) => signInOften(`${origin}/login`, Number(sessions)))

function requireUser(req, res, next) {
  if (req.session.user) next()
  else res.sendStatus(401)
}
