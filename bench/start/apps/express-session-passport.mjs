import express from "express"

export async function importPackages() {
  const [{ default: session }, { default: passport }] = await Promise.all([
    import("express-session"),
    import("passport"),
  ])
  return { session, passport }
}

export function build({ session, passport }) {
  passport.serializeUser((user, done) => done(null, user.id))
  passport.deserializeUser((id, done) => done(null, { id }))

  const app = express()
  app.use(session({ secret: "a secret of the benchmark", resave: false, saveUninitialized: false }))
  app.use(passport.session())
  app.get("/guarded", requireUser, (req, res) => res.json({ name: req.user.name }))
  return app
}

function requireUser(req, res, next) {
  if (req.isAuthenticated()) next()
  else res.sendStatus(401)
}
