import express from "express"

export const importPackages = () => import("iron-session")

export function build({ getIronSession }) {
  const options = {
    cookieName: "session",
    password: "a secret of the benchmark, 32+ characters",
    cookieOptions: { secure: false },
  }

  const app = express()
  app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))
  return app

  async function requireUser(req, res, next) {
    res.locals.session = await getIronSession(req, res, options)
    if (res.locals.session.user) next()
    else res.sendStatus(401)
  }
}
