import express from "express"
import { makeProviders } from "../../servers/providers.mjs"

export const importPackages = () => import("@auth/express")

export function build({ ExpressAuth, getSession }) {
  const config = {
    secret: "a secret of the benchmark, 32+ characters",
    trustHost: true,
    providers: makeProviders(1),
  }

  const app = express()
  app.use("/auth", ExpressAuth(config))
  app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))
  return app

  /** The guard of the package's own documentation, with 401 in place of a redirect. */
  async function requireUser(req, res, next) {
    res.locals.session ??= await getSession(req, config)
    if (res.locals.session?.user) next()
    else res.sendStatus(401)
  }
}
