/** A configuration that is a function of the request. */
import { describe, expect, it } from "@jest/globals"
import type { Request } from "express"
import { createExpressAuth } from "../../src/express/express-auth.js"
import type { AuthConfig, Provider } from "../../src/index.js"
import { catchErrors, createApp } from "../support/express-apps.js"
import { passwords, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"
import { startOpenIDProvider } from "../../src/testing/index.js"

describe.each(expressVersions)("a configuration per request on $version", ({ express }) => {
  it.each([
    ["at once", (config: AuthConfig) => config],
    ["later", async (config: AuthConfig) => config],
    [
      "as something that can be awaited",
      (config: AuthConfig) => ({ then: Promise.resolve(config).then.bind(Promise.resolve(config)) }),
    ],
  ])("may be returned %s", async (_description, give) => {
    const { config, ports } = setUp()
    const given = config()
    const app = createApp(
      express,
      createExpressAuth(() => give(given), ports),
    )
    const browser = (await openSite(app)).browser()

    await browser.signIn()

    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    await browser.signOut()
    expect((await browser.get("/me")).json).toBeNull()
  })

  it("is compiled once per object, however often it is returned", async () => {
    const { config, ports } = setUp()
    const made = { count: 0 }
    const given = config({
      providers: [
        () => {
          made.count += 1
          return passwords()
        },
      ],
    })
    const site = await openSite(
      createApp(
        express,
        createExpressAuth(() => given, ports),
      ),
    )

    await site.ask("/auth/providers")
    const afterFirst = made.count
    await Promise.all(Array.from({ length: 10 }, () => site.ask("/auth/providers")))
    await site.ask("/me")

    expect(afterFirst).toBeGreaterThan(0)
    expect(made.count).toBe(afterFirst)
  })

  it("gets the request, in handlers and in application routes", async () => {
    const seen: string[] = []
    const { config, ports } = setUp()
    const given = config()
    const auth = createExpressAuth((req: Request) => {
      seen.push(`${req.method} ${req.originalUrl} ${req.get("x-tenant")} ${req.hostname}`)
      return given
    }, ports)
    const site = await openSite(createApp(express, auth))
    const headers = { "x-tenant": "acme", host: "acme.example" }

    await site.ask("/auth/session", { headers })
    await site.ask("/me", { headers })

    expect(new Set(seen)).toEqual(new Set(["GET /auth/session acme acme.example", "GET /me acme acme.example"]))
  })

  it("serves tenants by host, each with its own people and secrets", async () => {
    const { config, ports } = setUp()
    const tenants: Readonly<Record<string, AuthConfig>> = {
      "a.example": config({ secret: "of a", theme: { brandColor: "#0a0a0a" } }),
      "b.example": config({ secret: "of b", theme: { brandColor: "#0b0b0b" }, providers: [onlyGrace] }),
    }
    const auth = createExpressAuth((req) => tenants[req.hostname] ?? config({ providers: [] }), ports)
    const site = await openSite(createApp(express, auth))
    const [a, b] = [site.browser({ host: "a.example" }), site.browser({ host: "b.example" })]

    await a.signIn()
    await b.signIn()

    expect((await a.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect((await b.get("/me")).json).toMatchObject({ user: { name: "Grace Hopper" } })
    expect((await a.get("/auth/signin")).text).toContain("#0a0a0a")
    expect((await b.get("/auth/signin")).text).toContain("#0b0b0b")
    expect((await a.get("/me", { host: "b.example" })).json).toBeNull()
    expect((await site.ask("/auth/providers", { headers: { host: "c.example" } })).json).toEqual({})
  })

  it("that is a new object each time keeps what was discovered", async () => {
    const provider = await startOpenIDProvider()
    try {
      const { config, ports } = setUp()
      const { issuer, clientId, clientSecret } = provider
      const local: Provider = { id: "local", name: "Local", type: "oidc", issuer, clientId, clientSecret }
      const auth = createExpressAuth(() => config({ providers: [local] }), { ...ports, fetch })
      const browser = (await openSite(createApp(express, auth))).browser()

      for (const target of ["/a", "/b"]) {
        const { status } = await browser.post("/auth/signin/local", {
          csrfToken: await browser.csrf(),
          callbackUrl: target,
        })
        expect(status).toBe(302)
      }

      expect(provider.requests.filter(({ path }) => path.endsWith("/openid-configuration"))).toHaveLength(1)
    } finally {
      await provider.close()
    }
  })

  it.each([
    ["throws", () => Promise.reject(new Error("the tenant is unknown"))],
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- applications do reject without an error
    ["rejects without an error", () => Promise.reject()],
  ])("that %s reaches the error middleware, from handlers, readers and guards", async (_description, fail) => {
    const { caught, middleware } = catchErrors()
    const auth = createExpressAuth(fail, setUp().ports)
    const app = createApp(express, auth)
    app.get("/guarded", auth.requireSession(), (_req, res) => void res.send("hello"))
    app.use(middleware)
    const site = await openSite(app)

    for (const path of ["/auth/session", "/me", "/guarded"]) {
      expect([path, (await site.ask(path)).json]).toEqual([path, { caught: true }])
    }
    expect(caught).toHaveLength(3)
  })

  it("that has problems is reported for its own requests only", async () => {
    const { config, ports, logged } = setUp()
    const [good, bad] = [config(), config({ secret: "" })]
    const auth = createExpressAuth((req) => (req.hostname === "good.example" ? good : bad), ports)
    const site = await openSite(createApp(express, auth))
    expect(logged).toEqual([])

    expect(await site.ask("/auth/session", { headers: { host: "good.example" } })).toMatchObject({ status: 200 })
    expect(await site.ask("/auth/session", { headers: { host: "bad.example" } })).toMatchObject({ status: 500 })

    expect(logged).toMatchObject([{ type: "MissingSecret" }])
  })
})

const onlyGrace = passwords(() => ({ id: "2", name: "Grace Hopper" }))
