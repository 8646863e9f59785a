/** Which failures reach the error middleware of the application, and which are answered. */
import { describe, expect, it } from "@jest/globals"
import type { Express, RequestHandler } from "express"
import { CredentialsSignin } from "../../src/index.js"
import type { AuthMiddleware } from "../../src/express/express-auth.js"
import { catchErrors, createApp } from "../support/express-apps.js"
import { passwords, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"
import type { AuthConfig } from "../../src/index.js"

const failure = new Error("the database is down")

function fail(): never {
  throw failure
}

/** Callbacks that are the application's own, and what their failure is called. */
const faults: readonly (readonly [where: string, type: string, overrides: Partial<AuthConfig>])[] = [
  ["authorize", "CallbackRouteError", { providers: [passwords(fail)] }],
  ["the jwt callback", "CallbackRouteError", { callbacks: { jwt: fail } }],
  ["the redirect callback", "AuthError", { callbacks: { redirect: fail } }],
]

/** What somebody did wrong who asked. */
const refusals: readonly (readonly [what: string, page: string, overrides: Partial<AuthConfig>])[] = [
  ["authorize returns null", "signin?error=CredentialsSignin&code=credentials", { providers: [passwords(() => null)] }],
  [
    "authorize throws CredentialsSignin",
    "signin?error=CredentialsSignin&code=credentials",
    {
      providers: [
        passwords(() => {
          throw new CredentialsSignin()
        }),
      ],
    },
  ],
  ["the signIn callback says no", "error?error=AccessDenied", { callbacks: { signIn: () => false } }],
]

type Arrange = (app: Express, auth: AuthMiddleware, errors: ReturnType<typeof catchErrors>["middleware"]) => void

/** Where error middleware stands that Express would call for an error of the middleware. */
const places: readonly (readonly [where: string, base: string, (express: ExpressVersion["express"]) => Arrange])[] = [
  [
    "after the mount",
    "/auth",
    () => (app, auth, errors) => {
      app.use("/auth", auth)
      app.use(errors)
    },
  ],
  [
    "in the router of the mount",
    "/api/auth",
    (express) => (app, auth, errors) => {
      const router = express.Router()
      router.use("/auth", auth)
      router.use(errors)
      app.use("/api", router)
    },
  ],
  [
    "in the outer app of a sub-application",
    "/shop/auth",
    (express) => (app, auth, errors) => {
      const shop = express()
      shop.use("/auth", auth)
      app.use("/shop", shop)
      app.use(errors)
    },
  ],
  [
    "in the sub-application of the mount",
    "/shop/auth",
    (express) => (app, auth, errors) => {
      const shop = express()
      shop.use("/auth", auth)
      shop.use(errors)
      app.use("/shop", shop)
    },
  ],
]

describe.each(expressVersions)("error middleware on $version", ({ express }) => {
  it.each(faults)("gets a fault of %s, as %s, and nobody is signed in", async (_where, type, overrides) => {
    const { caught, middleware } = catchErrors()
    const { auth, logged } = setUp()
    const app = createApp(express, auth(overrides))
    app.use(middleware)
    const browser = (await openSite(app)).browser()
    const csrfToken = await browser.csrf()

    const reply = await browser.post("/auth/callback/credentials", { csrfToken, username: "ada", callbackUrl: "/x" })

    expect(reply).toMatchObject({ status: 500, json: { caught: true } })
    expect(browser.cookies.has("authjs.session-token")).toBe(false)
    expect(caught).toMatchObject([{ type, status: 500, expose: false, cause: { err: failure } }])
    expect(logged).toEqual(caught)
  })

  it.each(refusals)("is not called when %s", async (_what, page, overrides) => {
    const { caught, middleware } = catchErrors()
    const app = createApp(express, setUp().auth(overrides))
    app.use(middleware)
    const site = await openSite(app)

    expect(await site.browser().signIn()).toMatchObject({ status: 302, location: `${site.origin}/auth/${page}` })
    expect(caught).toEqual([])
  })

  it("is not called for what a client did wrong", async () => {
    const { caught, middleware } = catchErrors()
    const app = createApp(express, setUp().auth())
    app.use(middleware)
    const site = await openSite(app)
    const type = { "content-type": "application/json" }

    await site.ask("/auth/signout", { method: "POST" })
    await site.ask("/auth/signout", { method: "POST", headers: type, body: "{" })
    await site.ask("/auth/callback/nobody")
    await site.ask("/auth/callback")
    await site.ask("/auth/session", { method: "DELETE" })

    expect(caught).toEqual([])
  })

  it.each(places)("is found %s", async (_where, base, arrange) => {
    const errors = catchErrors()
    const app = express()
    arrange(express)(app, setUp().auth({ providers: [passwords(fail)] }), errors.middleware)
    const site = await openSite(app)

    const reply = await site.browser().signIn({ base })

    expect(reply).toMatchObject({ status: 500, json: { caught: true } })
    expect(errors.caught).toHaveLength(1)
  })

  it("is not expected where there is none: the person gets a page", async () => {
    const site = await openSite(createApp(express, setUp().auth({ providers: [passwords(fail)] })))
    const browser = site.browser()

    const { location } = await browser.signIn()
    const page = await browser.get(new URL(location).pathname + new URL(location).search)

    expect(location).toBe(`${site.origin}/auth/error?error=Configuration`)
    expect(page.text).toMatch(/Reference: <code>[0-9a-f]{10}<\/code>/)
    expect(page.text).toContain("the database is down")
  })

  it("is not expected where there is none: in production the page does not say what went wrong", async () => {
    const { auth } = setUp({ NODE_ENV: "production" })
    const site = await openSite(createApp(express, auth({ providers: [passwords(fail)], trustHost: true })))
    const browser = site.browser()

    await browser.signIn()
    const page = await browser.get("/auth/error?error=Configuration")

    expect(page.text).toMatch(/Reference: <code>[0-9a-f]{10}<\/code>/)
    expect(page.text).not.toContain("database")
  })

  it("shows a reference once, and only for the error that it belongs to", async () => {
    const browser = (await openSite(createApp(express, setUp().auth({ providers: [passwords(fail)] })))).browser()
    await browser.signIn()

    expect((await browser.get("/auth/error?error=Configuration")).text).toContain("Reference:")
    expect((await browser.get("/auth/error?error=Configuration")).text).not.toContain("Reference:")
    browser.cookies.set("authjs.error", "forged")
    expect((await browser.get("/auth/error?error=Configuration")).text).not.toContain("Reference:")
  })

  it("gets an error when something has answered already, and nothing is answered twice", async () => {
    const { caught, middleware } = catchErrors()
    const answerEarly: RequestHandler = (_req, res, next) => {
      res.status(503).send("too slow")
      next()
    }
    const app = express()
    app.use(answerEarly)
    app.use("/auth", setUp().auth())
    app.use(middleware)
    const site = await openSite(app)

    expect(await site.ask("/auth/signin")).toMatchObject({ status: 503, text: "too slow" })
    expect(await site.ask("/auth/signin")).toMatchObject({ status: 503, text: "too slow" })
    for (const error of caught) expect(error).toMatchObject({ code: "ERR_HTTP_HEADERS_SENT" })
  })
})
