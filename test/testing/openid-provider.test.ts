import { afterAll, afterEach, describe, expect, it, jest } from "@jest/globals"
import * as client from "openid-client"
import { openBrowser } from "./open-browser.js"
import { begin, complete, providers, redirectUri } from "./openid-flow.js"

const consoleSpies = (["log", "info", "warn", "error"] as const).map((level) => jest.spyOn(console, level))
afterAll(() => {
  jest.restoreAllMocks()
})

const start = providers()

describe("an automatic provider", () => {
  it("signs in the first account, and says who it is in the ID token and in userinfo", async () => {
    const flow = await begin(await start())
    const tokens = await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)

    const claims = tokens.claims()
    expect(claims).toMatchObject({ sub: "ada", name: "Ada Lovelace", email: "ada@example.com", email_verified: true })
    expect(claims?.picture).toMatch(/^data:image\/svg\+xml,/)
    expect(await client.fetchUserInfo(flow.config, tokens.access_token, "ada")).toMatchObject({ name: "Ada Lovelace" })
  })

  it.each(["grace", "grace@example.com"])("signs in the account that login_hint %j names", async (hint) => {
    const flow = await begin(await start(), { login_hint: hint })
    expect((await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)).claims()).toMatchObject({
      sub: "grace",
    })
  })

  it("lets one browser sign in as another account each time", async () => {
    const provider = await start()
    const browser = openBrowser(redirectUri)
    for (const sub of ["ada", "grace", "ada"]) {
      const flow = await begin(provider, { login_hint: sub })
      expect((await complete(flow, (await browser(flow.address)).url)).claims()).toMatchObject({ sub })
    }
  })

  it("finishes two sign-ins that one browser has open at once", async () => {
    const provider = await start({ login: "page" })
    const browser = openBrowser(redirectUri)
    const [first, second] = [await begin(provider), await begin(provider)]
    const [firstPage, secondPage] = [await browser(first.address), await browser(second.address)]
    const secondReturn = await browser(secondPage.url, { account: "grace" })
    const firstReturn = await browser(firstPage.url, { account: "ada" })
    expect((await complete(first, firstReturn.url)).claims()).toMatchObject({ sub: "ada" })
    expect((await complete(second, secondReturn.url)).claims()).toMatchObject({ sub: "grace" })
  })

  it("gives the accounts and claims it was started with", async () => {
    const accounts = [{ sub: "1", email: "a@example.com", email_verified: false, role: "admin", locale: "en" }]
    const flow = await begin(await start({ accounts }))
    const tokens = await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)
    expect(tokens.claims()).toMatchObject({ sub: "1", email_verified: false, role: "admin", locale: "en" })
  })

  it("keeps claims back whose scope was not asked for", async () => {
    const flow = await begin(await start(), { scope: "openid" })
    const claims = (await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)).claims()
    expect(claims).not.toHaveProperty("email")
    expect(claims).not.toHaveProperty("name")
  })

  it("gives a refresh token that works, for offline_access with prompt=consent", async () => {
    const flow = await begin(await start(), { scope: "openid offline_access", prompt: "consent" })
    const tokens = await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)
    const refreshed = await client.refreshTokenGrant(flow.config, tokens.refresh_token ?? "")
    expect(refreshed.access_token).not.toBe(tokens.access_token)
  })

  it("refuses a code that was used before", async () => {
    const flow = await begin(await start())
    const { url } = await openBrowser(redirectUri)(flow.address)
    await complete(flow, url)
    await expect(complete(flow, url)).rejects.toMatchObject({ error: "invalid_grant" })
  })

  it.each([
    "https://example.com/callback",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "custom://localhost/",
  ])("does not send anybody to %s", async (uri) => {
    const flow = await begin(await start(), { redirect_uri: uri })
    const { status, text } = await openBrowser(redirectUri)(flow.address)
    expect(status).toBe(400)
    expect(text).toContain("redirect_uri")
  })

  it.each([
    "http://localhost:1/a",
    "http://app.localhost:3000/b",
    "http://127.0.0.1:8080/c",
    "http://[::1]:9/d",
    "https://localhost/e",
  ])("accepts %s as a redirect URI", async (uri) => {
    const { issuer, clientId } = await start()
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: "code",
      scope: "openid",
      redirect_uri: uri,
    })
    const response = await fetch(`${issuer}/auth?${query}`, { redirect: "manual" })
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toMatch(/^\/interaction\//)
  })
})

describe("a provider with a page", () => {
  it("offers every account and says that it is for development", async () => {
    const flow = await begin(await start({ login: "page" }))
    const { text, status } = await openBrowser(redirectUri)(flow.address)
    expect(status).toBe(200)
    expect(text).toContain("Choose who to be")
    expect(text).toContain("Ada Lovelace")
    expect(text).toContain("grace@example.com")
    expect(text).toContain("Local development provider")
  })

  it("signs in the account that was chosen", async () => {
    const flow = await begin(await start({ login: "page" }))
    const browser = openBrowser(redirectUri)
    const page = await browser(flow.address)
    const { url } = await browser(page.url, { account: "grace" })
    expect((await complete(flow, url)).claims()).toMatchObject({ sub: "grace", name: "Grace Hopper" })
  })

  it("puts the focus on the account that login_hint names", async () => {
    const flow = await begin(await start({ login: "page" }), { login_hint: "grace@example.com" })
    expect((await openBrowser(redirectUri)(flow.address)).text).toContain('value="grace" autofocus')
  })

  it.each<Readonly<Record<string, string>>>([{ cancel: "yes" }, { account: "nobody" }, {}])(
    "returns access_denied for %j",
    async (form) => {
      const flow = await begin(await start({ login: "page" }))
      const browser = openBrowser(redirectUri)
      const page = await browser(flow.address)
      const { url } = await browser(page.url, form)
      await expect(complete(flow, url)).rejects.toMatchObject({ error: "access_denied" })
    },
  )

  it("does not let another browser choose", async () => {
    const flow = await begin(await start({ login: "page" }))
    const page = await openBrowser(redirectUri)(flow.address)
    const { status, text } = await openBrowser(redirectUri)(page.url, { account: "ada" })
    expect(status).toBe(400)
    expect(text).toContain("This sign-in has ended")
  })

  it("shows names as text, whatever is in them", async () => {
    const flow = await begin(
      await start({ login: "page", accounts: [{ sub: "x", name: `<script>alert("1")</script>` }] }),
    )
    expect((await openBrowser(redirectUri)(flow.address)).text).toContain(
      "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;",
    )
  })
})

describe("startOpenIDProvider", () => {
  const { NODE_ENV } = process.env
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV
  })

  it("counts the requests that reached it", async () => {
    const provider = await start()
    await begin(provider)
    expect(provider.requests).toEqual([{ method: "GET", path: "/.well-known/openid-configuration" }])
  })

  it("runs several providers side by side, none of which knows another's codes", async () => {
    const [one, other] = await Promise.all([start(), start()])
    const flow = await begin(one)
    const { url } = await openBrowser(redirectUri)(flow.address)
    const foreign = await begin(other)
    await expect(complete({ ...foreign, verifier: flow.verifier }, url)).rejects.toThrow()
    expect(one.issuer).not.toBe(other.issuer)
  })

  it("frees its port at once, although a client keeps its connection open", async () => {
    const provider = await start()
    await begin(provider)
    await provider.close()
    const port = Number(new URL(provider.issuer).port)
    expect((await start({ port })).issuer).toBe(provider.issuer)
  })

  it("rejects when its port is taken", async () => {
    const port = Number(new URL((await start()).issuer).port)
    await expect(start({ port })).rejects.toThrow("EADDRINUSE")
  })

  it("does not start in production", async () => {
    process.env.NODE_ENV = "production"
    await expect(start()).rejects.toThrow("NODE_ENV=production")
  })

  it("does not start without anybody to sign in", async () => {
    await expect(start({ accounts: [] })).rejects.toThrow("at least one account")
  })

  it("writes nothing to the console, from loading to a finished sign-in", async () => {
    const flow = await begin(await start(), { scope: "openid offline_access", prompt: "consent" })
    await complete(flow, (await openBrowser(redirectUri)(flow.address)).url)
    for (const spy of consoleSpies) expect(spy).not.toHaveBeenCalled()
  })

  it("says what to install when oidc-provider is missing", async () => {
    await jest.isolateModulesAsync(async () => {
      jest.unstable_mockModule("oidc-provider", () => {
        throw Object.assign(new Error("Cannot find package 'oidc-provider' imported from here"), {
          code: "ERR_MODULE_NOT_FOUND",
        })
      })
      const fresh = await import("../../src/testing/index.js")
      await expect(fresh.startOpenIDProvider()).rejects.toThrow("npm install --save-dev oidc-provider")
    })
  })
})
