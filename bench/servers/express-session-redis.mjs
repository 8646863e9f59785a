// Arguments: number of different sessions the requests come with; "disable-touch" to leave their time of expiry alone.
import { RedisStore } from "connect-redis"
import express from "express"
import session from "express-session"
import { createKeySpace } from "../lib/places.mjs"
import { serve, signInOften } from "./serve.mjs"
import { user } from "../lib/user.mjs"

const [sessions = "1000", touching] = process.argv.slice(2)
const { client, prefix } = await createKeySpace()
const store = new RedisStore({ client, prefix, disableTouch: touching === "disable-touch" })

const app = express()
app.use(session({ store, secret: "a secret of the benchmark", resave: false, saveUninitialized: false }))
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
