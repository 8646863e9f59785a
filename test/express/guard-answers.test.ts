/** What `requireSession()` answers to somebody who is not signed in. */
import { describe, expect, it } from "@jest/globals"
import { catchErrors } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite, type Site } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"
import type { AuthConfig } from "../../src/index.js"

/** Headers of a browser that goes to a page, and of one too old to say so. */
const navigations = [
  { "sec-fetch-mode": "navigate", accept: "*/*" },
  { "sec-fetch-mode": "navigate", accept: "text/html,application/xhtml+xml" },
  { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
] as const

/** Headers of everything else. */
const programs = [
  {},
  { accept: "*/*" },
  { accept: "application/json" },
  { "sec-fetch-mode": "cors", accept: "text/html" },
  { "sec-fetch-mode": "same-origin", accept: "*/*" },
  { "sec-fetch-mode": "no-cors", accept: "image/*,text/html" },
  { "sec-fetch-mode": "websocket" },
  { authorization: "Bearer abc" },
] as const

describe.each(expressVersions)("a guard's answer on $version", ({ express }) => {
  it.each(navigations)("sends a navigation to sign in: %j", async (headers) => {
    const site = await openGuarded(express)

    for (const method of ["GET", "HEAD"]) {
      expect(await site.ask("/account", { method, headers })).toMatchObject({
        status: 302,
        location: `${site.origin}/auth/signin?callbackUrl=%2Faccount&error=SessionRequired`,
        headers: { "cache-control": expect.stringContaining("no-store") },
      })
    }
  })

  it.each(programs)("answers 401 to anything else: %j", async (headers) => {
    const site = await openGuarded(express)

    const reply = await site.ask("/account", { headers })

    expect(reply).toMatchObject({
      status: 401,
      headers: {
        "content-type": "application/problem+json",
        "www-authenticate": expect.stringMatching(/\S/),
        "cache-control": expect.stringContaining("no-store"),
        vary: "Cookie",
      },
      json: { title: "Unauthorized", status: 401 },
      location: "",
    })
  })

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("answers 401 to %s, even from a browser", async (method) => {
    const site = await openGuarded(express)

    const headers = { "sec-fetch-mode": "navigate", accept: "text/html" }

    expect(await site.ask("/account", { method, headers })).toMatchObject({ status: 401 })
  })

  it("brings a person back to where they wanted to go, query and all", async () => {
    const site = await openGuarded(express)
    const browser = site.browser({ accept: "text/html" })

    const { location } = await browser.get("/account?tab=a%26b&x=%C3%A9")
    const page = await browser.get(new URL(location).pathname + new URL(location).search)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining("Please sign in to see this page.") })
    const signedIn = await browser.signIn()

    expect(signedIn).toMatchObject({ status: 302, location: `${site.origin}/account?tab=a%26b&x=%C3%A9` })
    expect(await browser.get("/account?tab=a%26b")).toMatchObject({ status: 200, text: "hello" })
  })

  it.each(["//evil.example/account", "/\\evil.example/account", "http://evil.example/account"])(
    "does not lead elsewhere when asked for %s",
    async (path) => {
      const app = express()
      const auth = setUp().auth()
      app.use("/auth", auth)
      app.use(auth.requireSession())
      const site = await openSite(app)
      const browser = site.browser({ accept: "text/html" })

      const { location } = await browser.get(path)
      const { pathname, search, origin } = new URL(location)
      expect(origin).toBe(site.origin)
      await browser.get(pathname + search)
      const signedIn = await browser.signIn()

      expect(new URL(signedIn.location).origin).toBe(site.origin)
    },
  )

  it.each([
    ["/login", "/login?"],
    ["/login?theme=dark", "/login?theme=dark&"],
    ["https://id.example/login", "https://id.example/login?"],
  ])("sends people to pages.signIn when it is %s", async (signIn, expected) => {
    const site = await openGuarded(express, { pages: { signIn } })

    const { location } = await site.ask("/account", { headers: { accept: "text/html" } })

    const absolute = expected.startsWith("/") ? site.origin + expected : expected
    expect(location).toBe(`${absolute}callbackUrl=%2Faccount&error=SessionRequired`)
  })

  it("does not run the route, and tells nobody of an error", async () => {
    const { caught, middleware } = catchErrors()
    const ran: string[] = []
    const { auth: createAuth, logged } = setUp()
    const auth = createAuth()
    const app = express()
    app.use("/auth", auth)
    app.all("/account", auth.requireSession(), (req, res) => {
      ran.push(req.method)
      res.send("hello")
    })
    app.use(middleware)
    const site = await openSite(app)

    await site.ask("/account")
    await site.ask("/account", { headers: { accept: "text/html" } })
    await site.ask("/account", { method: "POST" })

    expect({ ran, caught, logged }).toEqual({ ran: [], caught: [], logged: [] })
  })

  it("guards a whole router, whatever the path", async () => {
    const auth = setUp().auth()
    const admin = express.Router()
    admin.use(auth.requireSession())
    admin.get("/users", (_req, res) => void res.send("users"))
    const app = express()
    app.use("/auth", auth)
    app.use("/admin", admin)
    const site = await openSite(app)

    for (const path of ["/admin/users", "/ADMIN/USERS", "/admin//users", "/admin/nothing"]) {
      expect([path, (await site.ask(path)).status]).toEqual([path, 401])
    }
    const { location } = await site.ask("/admin/users", { headers: { accept: "text/html" } })
    expect(location).toContain("callbackUrl=%2Fadmin%2Fusers&")
  })
})

async function openGuarded(express: ExpressVersion["express"], overrides?: Partial<AuthConfig>): Promise<Site> {
  const auth = setUp().auth(overrides)
  const app = express()
  app.use("/auth", auth)
  app.all("/account", auth.requireSession(), (_req, res) => void res.send("hello"))
  return openSite(app)
}
