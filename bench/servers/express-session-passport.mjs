import express from "express"
import session from "express-session"
import passport from "passport"
import { serve, signInAt } from "./serve.mjs"
import { user } from "../lib/user.mjs"

passport.serializeUser((signedIn, done) => done(null, signedIn.id))
passport.deserializeUser((id, done) => done(null, id === user.id ? user : false))

const app = express()
app.use(session({ secret: "a secret of the benchmark", resave: false, saveUninitialized: false }))
app.use(passport.session())
app.post("/login", (req, res, next) => {
  req.login(user, (error) => (error ? next(error) : res.sendStatus(200)))
})
app.get("/guarded", requireUser, (req, res) => res.json({ name: req.user.name }))

serve(app, (origin) => signInAt(`${origin}/login`))

function requireUser(req, res, next) {
  if (req.isAuthenticated()) next()
  else res.sendStatus(401)
}
