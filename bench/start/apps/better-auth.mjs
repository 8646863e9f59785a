import express from "express"

export async function importPackages() {
  const [{ betterAuth }, { fromNodeHeaders, toNodeHandler }] = await Promise.all([
    import("better-auth"),
    import("better-auth/node"),
  ])
  return { betterAuth, fromNodeHeaders, toNodeHandler }
}

export function build({ betterAuth, fromNodeHeaders, toNodeHandler }) {
  // Without a database its sessions are in cookies.
  const auth = betterAuth({
    baseURL: "http://127.0.0.1",
    secret: "a secret of the benchmark, 32+ characters",
    // Of the providers it has itself, this one speaks OpenID Connect.
    socialProviders: { google: { clientId: "a", clientSecret: "b" } },
    telemetry: { enabled: false },
  })

  const app = express()
  app.all("/api/auth/{*any}", toNodeHandler(auth))
  app.get("/guarded", requireUser, (req, res) => res.json({ name: res.locals.session.user.name }))
  return app

  async function requireUser(req, res, next) {
    res.locals.session = await auth.api.getSession({ headers: fromNodeHeaders(req.headers) })
    if (res.locals.session?.user) next()
    else res.sendStatus(401)
  }
}
