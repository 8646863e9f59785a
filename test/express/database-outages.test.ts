/** A store that fails, in an Express application: never "signed out", and never signed in (security matrix, e.1). */
import { describe, expect, it } from "@jest/globals"
import type { IncomingMessage, ServerResponse } from "node:http"
import { requireSession, type AuthConfig } from "../../src/index.js"
import { outage, silences, watchedAdapter, type Fault } from "../support/database-adapter.js"
import { catchErrors, createApp } from "../support/express-apps.js"
import type { Browser } from "../support/express-browser.js"
import { isSessionCookie, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const ada = { user: { name: "Ada Lovelace" } }
/** Seconds. */
const timeouts = { adapter: 0.05 }

const tokenIn = ({ cookies }: Browser) => cookies.get("authjs.session-token")

/** An app with somebody signed in, and with what its routes got to see of `req.auth`. */
async function open(express: ExpressVersion["express"], given: { catches?: boolean; isAsync?: boolean } = {}) {
  const { catches = true, isAsync = true } = given
  const watched = watchedAdapter({ isAsync })
  const { auth: createAuth, logged, wait } = setUp()
  const config: Partial<AuthConfig> = { adapter: watched.adapter, timeouts }
  const auth = createAuth(config)
  const seen: unknown[] = []
  const app = createApp(express, auth)
  app.set("env", "test")
  app.get("/guarded", requireSession(), (req, res) => void res.json(seen.push(req.auth)))
  app.get("/where", requireSession({ where: () => true }), (req, res) => void res.json(seen.push(req.auth)))
  app.get("/filled", auth.session, (req, res) => void res.json(seen.push(req.auth)))
  app.get("/twice", auth.session, auth.requireSession(), (req, res) => void res.json(seen.push(req.auth)))
  const { caught, middleware } = catchErrors()
  if (catches) app.use(middleware)
  const browser = (await openSite(app)).browser()
  await browser.signIn()
  watched.forget()
  return { ...watched, browser, logged, caught, seen, wait, token: tokenIn(browser) ?? "" }
}

const atOnce: Fault = () => {
  throw outage
}

describe.each(expressVersions)("on $version, a store that fails", ({ express }) => {
  it.each(silences)(
    "while a session is read, and %s, is an error for every reader, once (F-10)",
    async (_how, fault) => {
      const { browser, faults, logged, caught, seen, token } = await open(express)
      faults.set("getSessionAndUser", fault)

      const paths = ["/guarded", "/where", "/filled", "/twice", "/auth/session"]
      const replies = await Promise.all(paths.map((path) => browser.get(path)))

      expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 500))
      expect(replies.map(({ json }) => json)).toEqual(paths.map(() => ({ caught: true })))
      expect(replies.flatMap(({ setCookies }) => setCookies.filter(isSessionCookie))).toEqual([])
      expect(caught).toHaveLength(paths.length)
      for (const error of caught) expect(error).toMatchObject({ type: "SessionTokenError", status: 500, expose: false })
      expect(new Set(logged)).toEqual(new Set(caught))
      expect(logged).toHaveLength(paths.length)
      expect(seen).toEqual([])

      faults.clear()
      expect(tokenIn(browser)).toBe(token)
      expect((await browser.get("/me")).json).toMatchObject(ada)
    },
  )

  it("at once is asked once per request, and logged once", async () => {
    for (const path of ["/guarded", "/where", "/filled", "/twice"]) {
      const { browser, faults, logged, count } = await open(express, { isAsync: false })
      faults.set("getSessionAndUser", atOnce)

      expect([path, (await browser.get(path)).status]).toEqual([path, 500])
      expect([path, count("getSessionAndUser"), logged.length]).toEqual([path, 1, 1])
    }
  })

  it.each(silences)(
    "without error middleware, and %s, is answered with 500, and nothing of it is told",
    async (_how, fault) => {
      const { browser, faults, seen } = await open(express, { catches: false })
      faults.set("getSessionAndUser", fault)

      for (const path of ["/guarded", "/filled", "/auth/session"]) {
        const reply = await browser.get(path)
        expect([path, reply.status]).toEqual([path, 500])
        expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
      }
      expect(seen).toEqual([])
    },
  )

  it.each(silences)("while somebody signs in, and %s, signs nobody in (F-09)", async (_how, fault) => {
    const { browser, faults, caught, logged, token } = await open(express)
    faults.set("createSession", fault)

    const reply = await browser.signIn({ username: "grace" })

    expect(reply).toMatchObject({ status: 500, json: { caught: true } })
    expect(caught).toMatchObject([{ type: "AdapterError" }])
    expect(logged).toEqual(caught)
    expect(tokenIn(browser)).toBe(token)
    expect((await browser.get("/me")).json).toMatchObject(ada)
  })

  it.each(silences)(
    "while somebody signs out, and %s, clears the cookie and tells the app (F-15)",
    async (_how, fault) => {
      const { browser, faults, caught, logged, token, real } = await open(express)
      faults.set("deleteSession", fault)

      const reply = await browser.signOut()

      expect(reply).toMatchObject({ status: 500, json: { caught: true } })
      expect(reply.setCookies.filter(isSessionCookie)).toEqual([expect.stringContaining("Max-Age=0")])
      expect(caught).toMatchObject([{ type: "SignOutError", status: 500 }])
      expect(logged).toEqual(caught)
      const cookie = `authjs.session-token=${token}`
      expect((await browser.get("/me", { cookie })).json).toBeNull()
      expect((await browser.get("/guarded", { cookie })).status).toBe(401)
      expect(real.getSessionAndUser(token)).not.toBeNull()

      faults.clear()
      expect((await browser.get("/me", { cookie })).json).toBeNull()
      expect(real.getSessionAndUser(token)).toBeNull()
    },
  )

  it("while somebody signs out leads to the error page where the app has no error middleware (F-15)", async () => {
    const { browser, faults, logged } = await open(express, { catches: false })
    faults.set("deleteSession", () => Promise.reject(outage))

    const reply = await browser.signOut()

    expect(reply.status).toBe(302)
    expect(reply.location).toMatch(/\/auth\/error\?error=Configuration$/)
    expect(reply.setCookies.filter(isSessionCookie)).toEqual([expect.stringContaining("Max-Age=0")])
    const page = await browser.get(new URL(reply.location).pathname + new URL(reply.location).search)
    const { correlationId } = logged[0] as { correlationId?: string }
    expect(page).toMatchObject({ status: 500, text: expect.stringContaining(correlationId ?? "no reference") })
  })

  it("while a session is prolonged passes unnoticed, but for a line in the log (F-13)", async () => {
    const { browser, faults, logged, seen, wait } = await open(express)
    wait(24 * 60 * 60)
    faults.set("updateSession", () => Promise.reject(outage))

    expect((await browser.get("/guarded")).status).toBe(200)

    expect(seen).toMatchObject([ada])
    expect(logged).toMatchObject([{ type: "SessionTokenError" }])
  })
})

type Plain = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void

describe("without Express, a store that fails at once", () => {
  it.each(["session", "guard"])("reaches whoever called the %s by next, and does not end the process", async (way) => {
    const { adapter, faults } = watchedAdapter({ isAsync: false })
    const auth = setUp().auth({ adapter, basePath: "/auth" })
    // Express types its middleware for its own requests; at run time Node hands over what it has.
    const given: unknown = way === "session" ? auth.session : auth.requireSession()
    const middleware = given as Plain
    const thrown: unknown[] = []
    const site = await openSite((req, res) => {
      const answer = (status: number) => void res.writeHead(status).end()
      try {
        middleware(req, res, (error) => answer(error ? 500 : 200))
      } catch (error) {
        thrown.push(error)
        answer(599)
      }
    })
    faults.set("getSessionAndUser", atOnce)

    const { status } = await site.ask("/", { headers: { cookie: "authjs.session-token=tok" } })

    expect([status, thrown]).toEqual([500, []])
  })
})
