/** For which hosts a server answers at all. */
import { describe, expect, it } from "@jest/globals"
import { catchErrors, createApp } from "../support/express-apps.js"
import { setUp, type Setup } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"
import type { AuthConfig } from "../../src/index.js"

const production = { NODE_ENV: "production" } as const

/** `Host` headers that are none. */
const malformed = [
  "a@evil.example",
  "user:password@app.example",
  "app.example/x",
  "app.example:99999",
  "app.example:80:80",
  "[::1",
  "a b",
  "app.example#",
  "app.example?",
  "app.example\\evil.example",
  "app..example",
  "<script>",
  "app.example,evil.example",
  "%61pp.example",
  " ",
]

describe.each(expressVersions)("trusted hosts on $version", ({ express }) => {
  it.each(malformed)("answers 400 to the Host header %j", async (host) => {
    const { site, logged } = await openApp(express, setUp())

    for (const path of ["/auth/session", "/auth/signin", "/auth/providers"]) {
      const reply = await site.ask(path, { headers: { host } })
      expect([path, reply.status, reply.location]).toEqual([path, 400, ""])
    }
    const post = await site.ask("/auth/signin/credentials", { method: "POST", headers: { host } })
    expect(post.status).toBe(400)
    for (const error of logged) expect(error).toMatchObject({ type: "UnknownAction" })
  })

  it.each(malformed)("sends nobody to sign in under the Host header %j", async (host) => {
    const { site, caught } = await openApp(express, setUp())

    const reply = await site.ask("/account", { headers: { host, accept: "text/html" } })

    expect(reply.location).toBe("")
    expect(caught).toMatchObject([{ status: 400 }])
  })

  it.each(malformed)("reads no session and does not crash under the Host header %j", async (host) => {
    const { site } = await openApp(express, setUp())

    const { status, json } = await site.ask("/me", { headers: { host } })

    expect([200, 400, 500]).toContain(status)
    expect(json ?? null).toEqual(status === 200 ? null : { caught: true })
  })

  // Of a list Express takes the first entry, and an empty one says nothing.
  it.each(malformed.filter((host) => host !== " " && !host.startsWith("app.example,")))(
    "answers 400 when a trusted proxy forwards the host %j",
    async (host) => {
      const app = createApp(express, setUp().auth())
      app.set("trust proxy", true)
      const site = await openSite(app)

      const reply = await site.ask("/auth/session", { headers: { host: "inside", "x-forwarded-host": host } })

      expect([reply.status, reply.location]).toEqual([400, ""])
    },
  )

  it("refuses a request without a Host header, and reads the first of two", async () => {
    const { site } = await openApp(express, setUp())

    const two = await site.write(
      "GET /auth/session HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n",
    )
    const none = await site.write("GET /auth/session HTTP/1.1\r\nConnection: close\r\n\r\n")
    const empty = await site.write("GET /auth/session HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n")
    const old = await site.write("GET /auth/session HTTP/1.0\r\n\r\n")

    expect(none).toMatch(/^HTTP\/1\.1 400 /)
    expect(empty).toMatch(/^HTTP\/1\.1 400 /)
    expect(old).toMatch(/^HTTP\/1\.1 400 /)
    expect(two).not.toContain("b.example")
  })

  const lists: readonly (readonly [trustHost: readonly string[], host: string, isTrusted: boolean])[] = [
    [["app.example"], "app.example", true],
    [["app.example"], "APP.EXAMPLE", true],
    [["app.example"], "app.example:3000", true],
    [["app.example:3000"], "app.example:3000", true],
    [["app.example:3000"], "app.example:4000", false],
    [["app.example:3000"], "app.example", false],
    [["a.example", "b.example"], "b.example", true],
    [["*.app.example"], "shop.app.example", true],
    [["*.app.example"], "app.example", false],
    [["*.app.example"], "evilapp.example", false],
    [["app.example"], "app.example.evil.example", false],
    [["app.example"], "evil.example", false],
    [["app.example"], "shop.app.example", false],
    [[], "app.example", false],
  ]

  it.each(lists)(
    "with trustHost %j and Host %s it is %p that the host is trusted",
    async (trustHost, host, isTrusted) => {
      const { site, caught } = await openApp(express, setUp(production), { trustHost })
      const headers = { host }

      expect((await site.ask("/auth/providers", { headers })).status).toBe(isTrusted ? 200 : 500)
      expect((await site.ask("/me", { headers })).status).toBe(isTrusted ? 200 : 500)
      expect((await site.ask("/account", { headers })).status).toBe(isTrusted ? 401 : 500)
      for (const error of caught) expect(error).toMatchObject({ type: "UntrustedHost" })
      expect(caught).toHaveLength(isTrusted ? 0 : 3)
    },
  )

  const refusing: readonly (readonly [Readonly<Record<string, string>>, Partial<AuthConfig>, isTrusted: boolean])[] = [
    [production, {}, false],
    [{ ...production, AUTH_TRUST_HOST: "false" }, {}, false],
    [{ ...production, AUTH_URL: "" }, {}, false],
    [production, { trustHost: false }, false],
    [{}, { trustHost: false }, false],
    [production, { trustHost: true }, true],
    [{ ...production, AUTH_TRUST_HOST: "true" }, {}, true],
    [{ ...production, AUTH_URL: "http://app.example/auth" }, {}, true],
    [{ ...production, VERCEL: "1" }, {}, true],
    [{ ...production, CF_PAGES: "1" }, {}, true],
    [{}, {}, true],
    [{ NODE_ENV: "development" }, {}, true],
  ]

  it.each(refusing)("with %j and %j it is %3$p that any host is trusted", async (env, overrides, isTrusted) => {
    const { site, caught } = await openApp(express, setUp(env), overrides)

    const statuses = []
    for (const path of ["/auth/session", "/auth/signin", "/auth/csrf", "/me", "/account"]) {
      statuses.push((await site.ask(path, { headers: { host: "app.example" } })).status)
    }

    expect(statuses).toEqual(isTrusted ? [200, 200, 200, 200, 401] : [500, 500, 500, 500, 500])
    for (const error of caught) expect(error).toMatchObject({ type: "UntrustedHost", status: 500, expose: false })
  })

  it("says in the log which host it was", async () => {
    const { site, logged } = await openApp(express, setUp(production))

    await site.ask("/auth/session", { headers: { host: "app.example" } })

    expect(logged).toMatchObject([{ type: "UntrustedHost" }])
    expect(String(logged[0])).toContain("Host must be trusted. URL was: http://app.example/auth/session")
  })
})

async function openApp(express: ExpressVersion["express"], { auth, logged }: Setup, overrides?: Partial<AuthConfig>) {
  const { caught, middleware } = catchErrors()
  const instance = auth(overrides)
  const app = createApp(express, instance)
  app.get("/account", instance.requireSession(), (_req, res) => void res.send("hello"))
  app.use(middleware)
  return { site: await openSite(app), caught, logged }
}
