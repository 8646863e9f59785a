// Argument: number of different sessions the requests come with (default 1).
import express from "express"
import { getIronSession } from "iron-session"
import { serve, signInOften } from "./serve.mjs"
import { user } from "../lib/user.mjs"

const options = {
  cookieName: "session",
  password: "a secret of the benchmark, 32+ characters",
  cookieOptions: { secure: false },
}

const [sessions = "1"] = process.argv.slice(2)
const app = express()
app.post("/login", async (req, res) => {
  const session = await getIronSession(req, res, options)
  session.user = user
  await session.save()
  res.sendStatus(200)
})
app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))

serve(app, (origin) => signInOften(`${origin}/login`, Number(sessions)))

async function requireUser(req, res, next) {
  res.locals.session = await getIronSession(req, res, options)
  if (res.locals.session.user) next()
  else res.sendStatus(401)
}
