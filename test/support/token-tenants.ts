/** One app whose configuration is a function of the request: a tenant is named by a header. */
import express from "express"
import { createExpressAuth } from "../../src/express/express-auth.js"
import type { AuthConfig } from "../../src/index.js"
import { customFetch } from "../../src/core/symbols.js"
import { oidcAt } from "./core-flow.js"
import { secret } from "./express-setup.js"
import { openSite, type Site } from "./express-site.js"
import type { TokenWorld } from "./token-site.js"

export function openTenants(worlds: readonly TokenWorld[]): Promise<Site> {
  const configs = worlds.map(({ idp, config }): AuthConfig => ({
    secret,
    providers: [{ ...oidcAt(idp), [customFetch]: idp.fetch }],
    logger: { error: () => undefined },
    ...config,
  }))
  const ahead = () => Math.max(...worlds.map((world) => world.ahead))
  const auth = createExpressAuth((req) => configs[Number(req.headers["tenant"])] ?? configs[0] ?? { providers: [] }, {
    env: {},
    now: () => Date.now() + ahead() * 1000,
    fetch: () => Promise.reject(new Error("no network in this test")),
  })
  const app = express()
  app.use("/auth", auth)
  app.get("/token", async (req, res) => {
    res.json(await auth.getAccessToken(req, "idp"))
  })
  return openSite(app)
}
