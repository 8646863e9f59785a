/** Database sessions in an Express application: guards, `req.auth`, and what has to reach the browser. */
import { describe, expect, it } from "@jest/globals"
import { createExpressAuth } from "../../src/express/express-auth.js"
import { ExpressAuth, getSession, requireSession, type AuthConfig } from "../../src/index.js"
import { watchedAdapter } from "../support/database-adapter.js"
import { openApp } from "../support/express-apps.js"
import type { Browser } from "../support/express-browser.js"
import { day, isSessionCookie, setUp, start } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const ada = { user: { name: "Ada Lovelace", email: "ada@example.com" } }
const after = (seconds: number) => new Date(start + seconds * 1000)

/** What a browser sends for its session. */
const tokenIn = ({ cookies }: Browser) => cookies.get("authjs.session-token")

/** An app with every way to read a session, at `/guarded`, `/handler`, `/filled`, `/read` and, all in one, at `/all`. */
async function open(express: ExpressVersion["express"], given: Partial<AuthConfig> = {}, isAsync = true) {
  const watched = watchedAdapter({ isAsync })
  const { config: completed, ports, wait, logged } = setUp()
  const config = completed({ adapter: watched.adapter, ...given })
  const auth = createExpressAuth(config, ports)
  const app = express()
  app.use("/auth", auth)
  app.get("/guarded", auth.requireSession(), (req, res) => void res.json(req.auth))
  app.get(
    "/handler",
    requireSession((req, res) => res.json(req.auth)),
  )
  app.get("/filled", auth.session, (req, res) => void res.json(req.auth))
  app.get("/read", (req, res, next) => void auth.getSession(req).then((session) => res.json(session), next))
  app.get("/config", (req, res, next) => void getSession(req, config).then((session) => res.json(session), next))
  app.get("/all", auth.session, requireSession({ where: () => true }), auth.requireSession(), (req, res, next) => {
    Promise.all([auth.getSession(req), getSession(req, config)]).then((both) => res.json([req.auth, ...both]), next)
  })
  const site = await openSite(app)
  return { ...watched, site, browser: site.browser(), wait, logged }
}

const readers = ["/guarded", "/handler", "/filled", "/read", "/config"]
const usual = expressVersions.flatMap(({ version, express }) => [
  { version, express, isAsync: true, store: "by promise" },
  { version, express, isAsync: false, store: "at once" },
])

describe.each(usual)("database sessions on $version, over a store that answers $store", ({ express, isAsync }) => {
  it("work from sign-in to sign-out, for every reader", async () => {
    const { browser, count, logged } = await open(express, {}, isAsync)
    await browser.signIn()

    const token = tokenIn(browser) ?? ""
    for (const path of readers) {
      const reply = await browser.get(path)
      expect([path, reply.status, reply.json]).toMatchObject([
        path,
        200,
        { ...ada, expires: after(30 * day).toISOString() },
      ])
      expect(reply.setCookies).toEqual([])
      expect(reply.headers.vary).toMatch(/cookie/i)
    }
    expect(count("getSessionAndUser")).toBe(readers.length)
    expect(count("updateSession")).toBe(0)

    await browser.signOut()
    for (const cookie of ["", `authjs.session-token=${token}`]) {
      for (const path of ["/filled", "/read", "/config", "/auth/session"]) {
        expect([path, (await browser.get(path, { cookie })).json]).toEqual([path, null])
      }
      for (const path of ["/guarded", "/handler"]) {
        expect([path, (await browser.get(path, { cookie })).status]).toEqual([path, 401])
      }
    }
    expect(logged).toEqual([])
  })

  it("R6: guards, a view and getSession in one request make one read, one write, and one cookie", async () => {
    const { browser, forget, calls, real, wait } = await open(express, {}, isAsync)
    await browser.signIn()
    forget()

    const early = await browser.get("/all")
    expect(early.json).toMatchObject([ada, ada, ada])
    expect(early.setCookies).toEqual([])
    expect(calls.map(({ method }) => method)).toEqual(["getSessionAndUser"])

    wait(day)
    forget()
    const due = await browser.get("/all")
    expect(due.json).toMatchObject([ada, ada, ada])
    expect(calls.map(({ method }) => method)).toEqual(["getSessionAndUser", "updateSession"])
    expect(due.setCookies.filter(isSessionCookie)).toEqual([
      `authjs.session-token=${tokenIn(browser)}; Path=/; Expires=${after(31 * day).toUTCString()}; HttpOnly; SameSite=Lax`,
    ])
    expect(due.headers["cache-control"]).toMatch(/private|no-store/)
    expect(real.getSessionAndUser(tokenIn(browser) ?? "")).toMatchObject({ session: { expires: after(31 * day) } })
  })

  it.each(readers)("at %s prolongs record and cookie together, once per updateAge", async (path) => {
    const { browser, count, real, wait } = await open(express, {}, isAsync)
    await browser.signIn()

    wait(day - 1)
    expect((await browser.get(path)).setCookies).toEqual([])
    wait(1)
    expect((await browser.get(path)).setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect((await browser.get(path)).setCookies).toEqual([])
    expect(count("updateSession")).toBe(1)
    expect(real.getSessionAndUser(tokenIn(browser) ?? "")).toMatchObject({ session: { expires: after(31 * day) } })
  })

  it("end when they are over: the cookie goes, and so does the record", async () => {
    for (const path of readers) {
      const { browser, real, wait } = await open(express, { session: { maxAge: 100 } }, isAsync)
      await browser.signIn()
      const token = tokenIn(browser) ?? ""

      wait(100)
      const reply = await browser.get(path)

      expect([path, reply.json === null || reply.status === 401]).toEqual([path, true])
      expect(reply.setCookies.filter(isSessionCookie)).toEqual([expect.stringContaining("Max-Age=0")])
      expect(real.getSessionAndUser(token)).toBeNull()
    }
  })
})

describe.each(expressVersions)("database sessions on $version", ({ express }) => {
  it("give req.auth what the session callback returns, with the user at hand", async () => {
    const { browser } = await open(express, {
      callbacks: {
        session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id, name: "A." } }),
      },
    })
    await browser.signIn()

    for (const path of readers) {
      expect((await browser.get(path)).json).toMatchObject({ user: { id: "1", name: "A." } })
    }
  })

  it("tell of a session that was read once per request", async () => {
    const told: unknown[] = []
    const { browser } = await open(express, { events: { session: (message) => void told.push(message) } })
    await browser.signIn()

    await browser.get("/all")

    expect(told).toMatchObject([{ session: ada }])
    expect(Object.keys(told[0] as object)).toEqual(["session"])
  })

  it("are shared by two apps over one store, and end in both", async () => {
    const { adapter } = watchedAdapter()
    const sites = await Promise.all([1, 2].map(() => openApp(express, setUp().auth({ adapter }))))
    const [one, other] = sites.map((site) => site.browser()) as [Browser, Browser]
    await one.signIn()
    for (const [name, value] of one.cookies) other.cookies.set(name, value)

    expect((await other.get("/me")).json).toMatchObject(ada)
    await other.signOut()
    expect((await one.get("/me")).json).toBeNull()
  })

  it("of two instances in one app are kept apart by the names of their cookies", async () => {
    const { adapter } = watchedAdapter()
    const { config, ports } = setUp()
    const cookies = { sessionToken: { name: "staff" } }
    const customers = createExpressAuth(config({ adapter }), ports)
    const staff = createExpressAuth(config({ adapter, cookies }), ports)
    const app = express()
    app.use("/auth", customers)
    app.use("/staff/auth", staff)
    app.get("/", customers.session, (req, res) => void res.json(req.auth))
    app.get("/staff", staff.session, (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()

    await browser.signIn({ base: "/staff/auth" })

    expect((await browser.get("/")).json).toBeNull()
    expect((await browser.get("/staff")).json).toMatchObject(ada)
  })

  it("cost nothing where there is no session cookie", async () => {
    const { site, count } = await open(express)

    for (const path of readers) await site.ask(path, { headers: { cookie: "theme=dark" } })

    expect(count()).toBe(0)
  })

  it("are found under the name that AUTH_URL asks for, whatever the connection to us (A-022)", async () => {
    const { adapter } = watchedAdapter()
    const { auth } = setUp({ AUTH_URL: "https://app.example.com/auth" })
    const browser = (await openApp(express, auth({ adapter }))).browser()

    const entered = await browser.signIn()

    expect(entered.setCookies.filter(isSessionCookie)).toEqual([
      expect.stringMatching(
        /^__Secure-authjs\.session-token=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect((await browser.get("/me")).json).toMatchObject(ada)
  })

  it("are read by the real clock and environment as well", async () => {
    const { adapter } = watchedAdapter()
    const site = await openApp(express, ExpressAuth(setUp().config({ adapter })))
    const browser = site.browser()

    await browser.signIn()

    expect((await browser.get("/me")).json).toMatchObject(ada)
  })
})
