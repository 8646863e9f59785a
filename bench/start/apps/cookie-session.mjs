import express from "express"

export const importPackages = () => import("cookie-session")

export function build({ default: cookieSession }) {
  const app = express()
  app.use(cookieSession({ keys: ["a secret of the benchmark"] }))
  app.get("/guarded", requireUser, (req, res) => res.json({ name: req.session.user.name }))
  return app
}

function requireUser(req, res, next) {
  if (req.session.user) next()
  else res.sendStatus(401)
}
