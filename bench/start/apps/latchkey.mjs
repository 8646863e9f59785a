import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import express from "express"
import { makeProviders } from "../../servers/providers.mjs"

export const importPackages = () => import("../../../dist/index.js")

const { resolve } = createRequire(new URL("../../../package.json", import.meta.url))
export const importLater = () =>
  Promise.all(["openid-client", "jose"].map((name) => import(pathToFileURL(resolve(name)).href)))

export function build({ ExpressAuth, requireSession }) {
  const secret = "a secret of the benchmark, 32+ characters"

  const app = express()
  app.use("/auth", ExpressAuth({ secret, trustHost: true, providers: makeProviders(1) }))
  app.get("/guarded", requireSession(), (req, res) => res.json({ name: req.auth.user.name }))
  return app
}
