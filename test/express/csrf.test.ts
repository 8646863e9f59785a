/** Which posts must carry the token of this browser, and what counts as carrying it. */
import { describe, expect, it } from "@jest/globals"
import { openApp } from "../support/express-apps.js"
import type { Browser } from "../support/express-browser.js"
import { isSessionCookie, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"

const posts = ["/auth/signin", "/auth/signin/credentials", "/auth/signout", "/auth/callback/credentials"] as const

/** Tokens that are not the browser's own. */
const wrongTokens: readonly (readonly [description: string, wrong: (token: string) => string])[] = [
  ["empty", () => ""],
  ["a letter", () => "x"],
  ["another's", () => "0".repeat(64)],
  ["off by its last character", (token) => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")],
  ["too short by one", (token) => token.slice(0, -1)],
  ["too long by one", (token) => `${token}0`],
  ["in upper case", (token) => token.toUpperCase()],
  ["the whole cookie", (token) => `${token}|${token}`],
  ["very long", () => "0".repeat(50_000)],
]

describe.each(expressVersions)("CSRF protection on $version", ({ express }) => {
  it.each(posts)("POST %s without a token changes nothing", async (path) => {
    const site = await openApp(express, setUp().auth())
    const browser = site.browser()
    await browser.signIn()

    const reply = await browser.post(path, { username: "grace" })

    expect(reply).toMatchObject({ status: 302, location: `${site.origin}/auth/signin?error=MissingCSRF` })
    expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("POST session without a token gives 400 and null", async () => {
    const { auth } = setUp()
    const updates: unknown[] = []
    const site = await openApp(
      express,
      auth({
        callbacks: {
          jwt: ({ token, trigger, session }) => {
            if (trigger === "update") updates.push(session)
            return token
          },
        },
      }),
    )
    const browser = site.browser()
    await browser.signIn()

    expect(await browser.postJson("/auth/session", { data: 1 })).toMatchObject({ status: 400, text: "null" })
    expect(await browser.postJson("/auth/session", { data: 1, csrfToken: "x" })).toMatchObject({ status: 400 })
    expect(updates).toEqual([])
    const accepted = await browser.postJson("/auth/session", { data: 1, csrfToken: await browser.csrf() })
    expect(accepted).toMatchObject({ status: 200, json: { user: { name: "Ada Lovelace" } } })
    expect(updates).toEqual([1])
  })

  it.each(wrongTokens)("a token that is %s is refused", async (_description, wrong) => {
    const { auth } = setUp()
    const browser = (await openApp(express, auth())).browser()
    await browser.signIn()
    const token = await browser.csrf()

    const reply = await browser.post("/auth/signout", { csrfToken: wrong(token) })

    expect(reply.location).toMatch(/\/auth\/signin\?error=MissingCSRF$/)
    expect(await isSignedIn(browser)).toBe(true)
  })

  it("a cookie that this server did not make is replaced, and its token refused", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()
    const token = "a".repeat(64)
    const other = (await openApp(express, setUp().auth({ secret: "another" }))).browser()
    const othersToken = await other.csrf()

    for (const [planted, csrfToken] of [
      [`${token}%7C${"0".repeat(64)}`, token],
      [`${token}|${token}`, token],
      [token, token],
      [other.cookies.get("authjs.csrf-token") ?? "", othersToken],
    ] as const) {
      browser.cookies.set("authjs.csrf-token", planted)
      const reply = await browser.post("/auth/signout", { csrfToken })

      expect(reply.location).toMatch(/error=MissingCSRF$/)
      expect(reply.setCookies.filter((line) => line.startsWith("authjs.csrf-token="))).toHaveLength(1)
    }
    expect(await isSignedIn(browser)).toBe(true)
  })

  it("a token in the query does not count", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()

    const reply = await browser.post(`/auth/signout?csrfToken=${await browser.csrf()}`, {})

    expect(reply.location).toMatch(/error=MissingCSRF$/)
    expect(await isSignedIn(browser)).toBe(true)
  })

  it("a token in the query does not stand in the way of the one in the body", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    await browser.signIn()

    await browser.post("/auth/signout?csrfToken=x", { csrfToken: await browser.csrf() })

    expect(await isSignedIn(browser)).toBe(false)
  })

  it.each([
    ["twice", (token: string) => `csrfToken=${token}&csrfToken=${token}`],
    ["right first, wrong then", (token: string) => `csrfToken=${token}&csrfToken=x`],
    ["wrong first, right then", (token: string) => `csrfToken=x&csrfToken=${token}`],
    ["in a list", (token: string) => `csrfToken[]=${token}`],
    ["in an object", (token: string) => `csrfToken[a]=${token}`],
  ])("a token that is given %s is refused", async (_description, body) => {
    for (const before of [[], [express.urlencoded({ extended: true })], [express.urlencoded({ extended: false })]]) {
      const auth = setUp().auth()
      const app = express()
      for (const parser of before) app.use(parser)
      app.use("/auth", auth)
      const browser = (await openSite(app)).browser()
      await browser.signIn()

      const reply = await browser.ask("/auth/signout", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: body(await browser.csrf()),
      })

      expect(reply.location).toMatch(/error=MissingCSRF$/)
      expect(browser.cookies.has("authjs.session-token")).toBe(true)
    }
  })

  it("the token stays the same from page to page, so that tabs do not disturb each other", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()

    const first = await browser.csrf()
    await browser.get("/auth/signin")

    expect(await browser.csrf()).toBe(first)
    expect((await browser.get("/auth/signin")).text).toContain(`name="csrfToken" value="${first}"`)
    expect((await browser.get("/auth/csrf")).setCookies).toEqual([])
  })

  it("a token outlives the rotation of secrets, and not the end of its secret", async () => {
    const tokens: string[] = []
    const cookies: [string, string][] = []
    for (const secret of ["old", ["new", "old"], ["new"]]) {
      const browser = (await openApp(express, setUp().auth({ secret }))).browser()
      for (const [name, value] of cookies) browser.cookies.set(name, value)
      if (tokens.length === 0) {
        tokens.push(await browser.csrf())
        cookies.push(...browser.cookies)
      }
      const [csrfToken = ""] = tokens
      const { location } = await browser.post("/auth/signout", { csrfToken })
      expect([secret, location.includes("MissingCSRF")]).toEqual([secret, Array.isArray(secret) && secret.length === 1])
    }
  })

  it("its cookie is out of reach of scripts and other sites", async () => {
    const site = await openApp(express, setUp().auth())
    const secure = await openApp(express, setUp({ AUTH_URL: "https://app.example/auth" }).auth())

    const [plain] = (await site.ask("/auth/csrf")).setCookies
    const [host] = (await secure.ask("/auth/csrf")).setCookies

    expect(plain).toMatch(/^authjs\.csrf-token=[0-9a-f]{64}%7C[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(host).toMatch(
      /^__Host-authjs\.csrf-token=[0-9a-f]{64}%7C[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
  })
})

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get("/auth/session")).json !== null
}
