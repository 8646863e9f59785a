import express from "express"

export const importPackages = () => import("express-openid-connect")

export function build({ default: { auth, requiresAuth } }) {
  const config = {
    issuerBaseURL: "https://p0.example",
    baseURL: "http://127.0.0.1",
    clientID: "a",
    secret: "a secret of the benchmark, 32+ characters",
    authRequired: false,
    // 401 in place of a redirect to the provider.
    errorOnRequiredAuth: true,
  }

  const app = express()
  app.use(auth(config))
  app.get("/guarded", requiresAuth(), (req, res) => res.json({ name: req.oidc.user.name }))
  return app
}
