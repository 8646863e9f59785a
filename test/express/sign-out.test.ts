import { describe, expect, it } from "@jest/globals"
import express from "express"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { createExpressAuth } from "../../src/express/express-auth.js"
import type { AuthConfig, ExpressSignOutOptions } from "../../src/index.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { oidcAt } from "../support/core-flow.js"
import { secret } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"

async function open(config: Partial<AuthConfig> = {}, options: ExpressSignOutOptions = {}) {
  const idp = new FaultyProvider()
  const auth = createExpressAuth(
    { secret, providers: [oidcAt(idp)], logger: { error: () => undefined }, ...config },
    { env: {}, now: Date.now, fetch: idp.fetch },
  )
  const app = express()
  app.use("/auth", auth)
  app.use(auth.session)
  app.post("/leave", async (req, res) => {
    const to = await auth.signOut(req, res, options)
    res.set("x-auth", JSON.stringify(req.auth)).redirect(to)
  })
  const site = await openSite(app)
  const browser = site.browser()
  const start = await browser.post("/auth/signin/idp", { csrfToken: await browser.csrf() })
  const { pathname, search } = idp.approve(start.location)
  await browser.get(pathname + search)
  expect((await browser.get("/auth/session")).json).not.toBeNull()
  return { idp, site, browser }
}

describe.each<[string, () => Partial<AuthConfig>]>([
  ["database sessions", () => ({ adapter: MemoryAdapter() })],
  ["jwt sessions that keep the tokens", () => ({ session: { providerTokens: true } })],
])("auth.signOut, with %s", (_, config) => {
  it("ends the session and says where to go", async () => {
    const { site, browser } = await open(config(), { redirectTo: "/bye" })
    const held = [...browser.cookies]
    const left = await browser.post("/leave", {})
    expect(left).toMatchObject({ status: 302, location: `${site.origin}/bye` })
    expect(left.headers["x-auth"]).toBe("null")
    expect((await browser.get("/auth/session")).json).toBeNull()
    expect([...browser.cookies.keys()].join()).not.toMatch(/session-token|provider-tokens/)
    expect(held.map(([name]) => name).join()).toMatch(/session-token/)
  })

  it("with federated, leads to the provider, with the ID token as a hint, and from there to the address", async () => {
    const { idp, site, browser } = await open(config(), { federated: true, redirectTo: "/bye" })
    const { location } = await browser.post("/leave", {})
    const asked = new URL(location)
    expect(asked.origin + asked.pathname).toBe("https://idp.example/end_session")
    expect(asked.searchParams.get("id_token_hint")?.split(".")).toHaveLength(3)
    const { pathname, search } = idp.endSession(location) ?? new URL("about:blank")
    expect(await browser.get(pathname + search)).toMatchObject({ status: 302, location: `${site.origin}/bye` })
    expect((await browser.get("/auth/session")).json).toBeNull()
  })
})

it("auth.signOut leads nowhere else than the redirect callback allows", async () => {
  const { site, browser } = await open({}, { redirectTo: "https://evil.example/" })
  expect((await browser.post("/leave", {})).location).toBe(site.origin)
})
