/** A session that cannot be known is an error, never "signed out". */
import { describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../src/index.js"
import { catchErrors } from "../support/express-apps.js"
import { countedTokens, isSessionCookie, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const failure = new Error("the user service is down")

/** Where a read of the session can fail, given a switch that is thrown after the sign-in. */
const faults: readonly (readonly [where: string, config: (isDown: () => boolean) => Partial<AuthConfig>])[] = [
  ["the jwt callback throws", (isDown) => ({ callbacks: { jwt: ({ token }) => (isDown() ? fail() : token) } })],
  [
    "the jwt callback rejects",
    (isDown) => ({ callbacks: { jwt: ({ token }) => (isDown() ? Promise.reject(failure) : token) } }),
  ],
  [
    "the session callback throws",
    (isDown) => ({ callbacks: { session: ({ session }) => (isDown() ? fail() : session) } }),
  ],
  [
    "the session callback rejects without an error",
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- applications do reject without an error
    (isDown) => ({ callbacks: { session: ({ session }) => (isDown() ? Promise.reject() : session) } }),
  ],
  [
    "the token cannot be encrypted",
    (isDown) => {
      const { jwt } = countedTokens()
      return {
        jwt: { ...jwt, encode: (params) => (isDown() ? fail() : (jwt.encode?.(params) ?? "")) },
        session: { updateAge: 0 },
      }
    },
  ],
]

describe.each(expressVersions)("a fault while the session is read, on $version", ({ express }) => {
  it.each(faults)("reaches the error middleware from every reader when %s", async (_description, config) => {
    const { site, browser, caught } = await openFailing(express, config)

    for (const path of ["/guarded", "/handler", "/filled", "/read"]) {
      for (const accept of ["text/html", "application/json"]) {
        const reply = await browser.get(path, { accept })
        expect([path, reply.status, reply.json]).toEqual([path, 500, { caught: true }])
        expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
      }
    }
    expect(caught).toHaveLength(8)
    for (const error of caught) expect(error).toMatchObject({ type: "JWTSessionError", status: 500, expose: false })
    expect(site.origin).toContain("127.0.0.1")
  })

  it.each(faults)("reaches the error middleware from the session action when %s", async (_description, config) => {
    const { browser, caught } = await openFailing(express, config)

    const reply = await browser.get("/auth/session")

    expect(reply).toMatchObject({ status: 500, json: { caught: true } })
    expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
    expect(caught).toMatchObject([{ type: "JWTSessionError", status: 500 }])
  })

  it.each(faults)("passes, and leaves the session as it was, when %s for a while", async (_description, config) => {
    const { browser, recover } = await openFailing(express, config)

    await browser.get("/filled")
    await browser.get("/auth/session")
    recover()

    expect((await browser.get("/filled")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("keeps the original error as its cause", async () => {
    const [, config] = faults[0] as (typeof faults)[number]
    const { browser, caught } = await openFailing(express, config)

    await browser.get("/filled")

    expect(caught).toMatchObject([{ cause: { err: failure } }])
  })

  it("is logged under a reference, once, also when it reaches the error middleware from a guard", async () => {
    const [, config] = faults[0] as (typeof faults)[number]
    const { browser, caught, logged } = await openFailing(express, config)

    await browser.get("/guarded")

    expect(logged).toEqual(caught)
    expect(caught).toMatchObject([{ correlationId: expect.stringMatching(/^[0-9a-f]{10}$/) }])
  })

  it("answers a JSON error from the session action where there is no error middleware", async () => {
    const auth = setUp().auth({ callbacks: { jwt: ({ token, trigger }) => (trigger ? token : fail()) } })
    const app = express()
    app.use("/auth", auth)
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    const reply = await browser.get("/auth/session")

    expect(reply).toMatchObject({ status: 500, headers: { "content-type": "application/problem+json" } })
    expect(reply.text).not.toContain("user service")
    expect(browser.cookies.has("authjs.session-token")).toBe(true)
  })

  it("does not come from an event handler, whose failure is only logged", async () => {
    const { auth: createAuth, logged } = setUp()
    const auth = createAuth({ events: { session: fail } })
    const app = express()
    app.use("/auth", auth)
    app.get("/me", auth.session, (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(logged).toMatchObject([{ type: "EventError" }])
  })
})

function fail(): never {
  throw failure
}

async function openFailing(express: ExpressVersion["express"], config: (isDown: () => boolean) => Partial<AuthConfig>) {
  const outage = { isDown: false }
  const { auth: createAuth, logged } = setUp()
  const auth = createAuth(config(() => outage.isDown))
  const { caught, middleware } = catchErrors()
  const app = express()
  app.use("/auth", auth)
  app.get("/guarded", auth.requireSession(), (_req, res) => void res.send("hello"))
  app.get(
    "/handler",
    auth.requireSession((_req, res) => void res.send("hello")),
  )
  app.get("/filled", auth.session, (req, res) => void res.json(req.auth))
  app.get("/read", (req, res, next) => {
    auth.getSession(req).then((session) => res.json(session), next)
  })
  app.use(middleware)
  const site = await openSite(app)
  const browser = site.browser()
  await browser.signIn()
  outage.isDown = true
  return { site, browser, caught, logged, recover: () => (outage.isDown = false) }
}

/** Configurations whose sessions are known at once, and later. */
const readings: readonly (readonly [when: string, config: Partial<AuthConfig>])[] = [
  ["at once", {}],
  ["later", { callbacks: { session: ({ session }) => Promise.resolve(session) } }],
]

describe.each(expressVersions)("a response that takes no header of ours, on $version", ({ express }) => {
  it.each(readings)("is an error of the guard, where the session is known %s", async (_when, config) => {
    const auth = setUp().auth(config)
    const app = express()
    app.use("/auth", auth)
    app.use((_req, res, next) => {
      const { setHeader } = res
      res.setHeader = (name, value) => {
        if (/^(?:vary|set-cookie)$/i.test(name)) throw failure
        return setHeader.call(res, name, value)
      }
      next()
    })
    const handle = () => undefined
    app.get("/guarded", auth.requireSession(), handle)
    app.get("/conditional", auth.requireSession({ where: () => true }), handle)
    app.get("/handler", auth.requireSession(handle))
    const { caught, middleware } = catchErrors()
    app.use(middleware)
    const site = await openSite(app)
    const browser = site.browser()
    await browser.signIn()
    const signedIn = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")

    for (const path of ["/guarded", "/conditional", "/handler"]) {
      for (const accept of ["text/html", "application/json"]) {
        for (const cookie of [signedIn, "authjs.session-token=forged", ""]) {
          const reply = await site.ask(path, { headers: { accept, cookie } })
          expect([path, accept, cookie.length, reply.status]).toEqual([path, accept, cookie.length, 500])
        }
      }
    }
    expect(new Set(caught)).toEqual(new Set([failure]))
  })
})
