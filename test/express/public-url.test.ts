/** One rule for the public address: `AUTH_URL` if it is set, else what Express itself trusts. */
import { describe, expect, it } from "@jest/globals"
import type { Express } from "express"
import type { OutgoingHttpHeaders } from "node:http"
import type { AuthMiddleware } from "../../src/express/express-auth.js"
import { createApp } from "../support/express-apps.js"
import { isSessionCookie, setUp } from "../support/express-setup.js"
import { openSite, type Site } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const page = { accept: "text/html" } as const

describe.each(expressVersions)("the public address on $version", ({ express }) => {
  const addresses: readonly (readonly [trust: unknown, headers: OutgoingHttpHeaders, origin: string])[] = [
    [false, { host: "app.example" }, "http://app.example"],
    [false, { host: "app.example:8443" }, "http://app.example:8443"],
    [false, { host: "APP.example" }, "http://app.example"],
    [false, { host: "app.example:80" }, "http://app.example"],
    [false, { host: "[::1]:3000" }, "http://[::1]:3000"],
    [false, { host: "127.0.0.1" }, "http://127.0.0.1"],
    [true, { host: "app.example:3000" }, "http://app.example:3000"],
    [true, { host: "inside:3000", "x-forwarded-proto": "https" }, "https://inside:3000"],
    [true, { host: "inside:3000", "x-forwarded-host": "app.example" }, "http://app.example"],
    [true, { host: "inside", "x-forwarded-host": "app.example:8443" }, "http://app.example:8443"],
    [true, { host: "app.example:3000", "x-forwarded-host": "app.example" }, "http://app.example"],
    [true, { host: "app.example", "x-forwarded-host": "app.example:8443" }, "http://app.example:8443"],
    [
      true,
      { host: "inside", "x-forwarded-host": "app.example:8443, proxy.inside", "x-forwarded-proto": "https, http" },
      "https://app.example:8443",
    ],
    [
      "loopback",
      { host: "inside:3000", "x-forwarded-host": "app.example", "x-forwarded-proto": "https" },
      "https://app.example",
    ],
  ]

  it.each(addresses)(
    "with trust proxy %p and %j it is %s, for handlers and guards alike",
    async (trust, headers, origin) => {
      const site = await openTrusting(express, setUp().auth(), trust)

      expect(await addressesOf(site, headers)).toEqual({
        signinUrl: `${origin}/auth/signin/credentials`,
        formAction: `${origin}/auth/callback/credentials`,
        guard: `${origin}/auth/signin?callbackUrl=%2Faccount&error=SessionRequired`,
        home: origin,
      })
    },
  )

  /** Whatever a client may write into its request when no proxy is trusted. */
  const forged: readonly OutgoingHttpHeaders[] = [
    { "x-forwarded-host": "evil.example" },
    { "x-forwarded-host": "app.example:9999" },
    { "x-forwarded-host": "app.example" },
    { "x-forwarded-proto": "https" },
    { "x-forwarded-port": "9999" },
    { forwarded: "host=evil.example;proto=https" },
    { "x-original-url": "/auth/evil", "x-rewrite-url": "/auth/evil" },
    { "x-forwarded-prefix": "/evil", "x-forwarded-path": "/evil" },
    { "x-http-method-override": "DELETE" },
  ]

  it.each(forged)("ignores %j when no proxy is trusted", async (headers) => {
    for (const [trust, host] of [
      [false, "app.example:3000"],
      [false, "app.example"],
      ["10.0.0.1", "app.example:3000"],
    ] as const) {
      const site = await openTrusting(express, setUp().auth(), trust)
      const honest = await addressesOf(site, { host })

      expect(await addressesOf(site, { host, ...headers })).toEqual(honest)
    }
  })

  it("takes only scheme and host from a trusted proxy", async () => {
    const site = await openTrusting(express, setUp().auth(), true)
    const honest = await addressesOf(site, { host: "app.example" })

    for (const headers of [
      { "x-forwarded-port": "9999" },
      { forwarded: "host=evil.example;proto=https" },
      { "x-forwarded-prefix": "/evil" },
    ]) {
      expect(await addressesOf(site, { host: "app.example", ...headers })).toEqual(honest)
    }
  })

  it("decides the names of cookies for everybody who reads or writes them", async () => {
    const site = await openTrusting(express, setUp().auth(), true)
    const browser = site.browser({ host: "inside", "x-forwarded-host": "app.example", "x-forwarded-proto": "https" })

    const signedIn = await browser.signIn()

    expect([...browser.cookies.keys()].sort()).toEqual([
      "__Host-authjs.csrf-token",
      "__Secure-authjs.callback-url",
      "__Secure-authjs.session-token",
    ])
    expect(signedIn.setCookies.filter(isSessionCookie)[0]).toContain("Secure")
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(await browser.get("/account")).toMatchObject({ status: 200 })
    expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("does not read a session of https where the address is http", async () => {
    const site = await openTrusting(express, setUp().auth(), true)
    const secure = site.browser({ "x-forwarded-proto": "https" })
    await secure.signIn()
    const cookie = [...secure.cookies].map(([name, value]) => `${name}=${value}`).join("; ")

    expect((await site.ask("/me", { headers: { cookie } })).json).toBeNull()
  })

  it("follows useSecureCookies where that is set", async () => {
    const site = await openTrusting(express, setUp().auth({ useSecureCookies: true }), false)
    const browser = site.browser()

    await browser.signIn()

    expect(browser.cookies.has("__Secure-authjs.session-token")).toBe(true)
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })
})

describe.each(expressVersions)("AUTH_URL on $version", ({ express }) => {
  const configured: readonly (readonly [url: string, base: string, prefix: string])[] = [
    ["https://app.example", "https://app.example/auth", ""],
    ["https://app.example/", "https://app.example/auth", ""],
    ["https://app.example/auth", "https://app.example/auth", ""],
    ["https://app.example/auth/", "https://app.example/auth", ""],
    ["https://app.example:8443/auth", "https://app.example:8443/auth", ""],
    ["http://localhost:4000/auth", "http://localhost:4000/auth", ""],
    ["https://app.example/shop/auth", "https://app.example/shop/auth", "/shop"],
    ["https://app.example/shop/eu/auth", "https://app.example/shop/eu/auth", "/shop/eu"],
  ]

  it.each(configured)("of %s makes the base address %s", async (url, base, prefix) => {
    const site = await openTrusting(express, setUp({ AUTH_URL: url }).auth(), false)
    const { origin } = new URL(url)

    expect(await addressesOf(site, { host: "inside:3000", "x-forwarded-host": "evil.example" })).toEqual({
      signinUrl: `${base}/signin/credentials`,
      formAction: `${base}/callback/credentials`,
      guard: `${base}/signin?callbackUrl=${encodeURIComponent(`${prefix}/account`)}&error=SessionRequired`,
      home: origin,
    })
  })

  it("brings a person back behind a proxy that cuts off a prefix", async () => {
    const auth = setUp({ AUTH_URL: "https://app.example/shop/auth" }).auth()
    const browser = (await openTrusting(express, auth, false)).browser(page)

    const { location } = await browser.get("/account?tab=2")
    await browser.get(location.replace("https://app.example/shop", ""))
    const signedIn = await browser.signIn()

    expect(signedIn).toMatchObject({ status: 302, location: "https://app.example/shop/account?tab=2" })
    expect(browser.cookies.has("__Secure-authjs.session-token")).toBe(true)
    expect(await browser.get("/account")).toMatchObject({ status: 200 })
  })

  it("also names the base path where the middleware is mounted at the root", async () => {
    const auth = setUp({ AUTH_URL: "https://app.example/login" }).auth()
    const app = express()
    app.use(auth)
    const site = await openSite(app)

    expect((await site.ask("/login/providers")).json).toMatchObject({
      credentials: { signinUrl: "https://app.example/login/signin/credentials" },
    })
    expect(await site.ask("/auth/providers")).toMatchObject({ status: 404 })
  })

  it("may be called NEXTAUTH_URL", async () => {
    const site = await openTrusting(express, setUp({ NEXTAUTH_URL: "https://app.example/auth" }).auth(), false)

    expect(await addressesOf(site, {})).toMatchObject({ home: "https://app.example" })
  })

  it("counts as unset when it is empty", async () => {
    const site = await openTrusting(express, setUp({ AUTH_URL: "" }).auth(), false)

    expect(await addressesOf(site, { host: "app.example" })).toMatchObject({ home: "http://app.example" })
  })
})

function openTrusting(express: ExpressVersion["express"], auth: AuthMiddleware, trust: unknown): Promise<Site> {
  const app: Express = createApp(express, auth)
  app.set("trust proxy", trust)
  app.get("/account", auth.requireSession(), (_req, res) => void res.send("hello"))
  return openSite(app)
}

/** Every kind of address that goes out: of the API, in forms, of guards, and of redirects. */
async function addressesOf(site: Site, headers: OutgoingHttpHeaders) {
  const { json } = await site.ask("/auth/providers", { headers })
  const { text } = await site.ask("/auth/signin", { headers })
  const { location } = await site.ask("/account", { headers: { ...page, ...headers } })
  const browser = site.browser(headers)
  const signedOut = await browser.signOut()
  return {
    signinUrl: (json as { credentials: { signinUrl: string } }).credentials.signinUrl,
    formAction: /<form[^>]* action="([^"]*)"/.exec(text)?.[1],
    guard: location,
    home: signedOut.location,
  }
}
