/** A configuration with problems: told at once, and never taken for "signed out". */
import { describe, expect, it, jest } from "@jest/globals"
import { createExpressAuth } from "../../src/express/express-auth.js"
import { getSession, type AuthConfig, type Provider } from "../../src/index.js"
import { catchErrors, createApp, openApp } from "../support/express-apps.js"
import { passwords, setUp, type Setup } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

const message = "There was a problem with the server configuration. Check the server logs for more information."
const wrong = { secret: "" } as const

const problems: readonly (readonly [type: string, overrides: Partial<AuthConfig>])[] = [
  ["MissingSecret", { secret: "" }],
  ["MissingSecret", { secret: [] }],
  ["MissingAuthorize", { providers: [{ id: "credentials", name: "Credentials", type: "credentials" }] }],
  ["InvalidEndpoints", { providers: [{ id: "x", name: "X", type: "oauth" }] }],
  ["UnsupportedStrategy", { session: { strategy: "database" } }],
  ["InvalidConfiguration", { session: { maxAge: -1 } }],
  ["InvalidConfiguration", { session: { maxAge: Number.NaN } }],
  ["InvalidConfiguration", { session: { maxAge: "30d" as unknown as number } }],
  ["InvalidConfiguration", { providers: [passwords(), passwords()] }],
  ["InvalidConfiguration", { providers: [{ ...passwords(), id: "a/b" } as Provider] }],
  ["InvalidConfiguration", { providers: [{ ...passwords(), id: "undefined" } as Provider] }],
  ["InvalidConfiguration", { cookies: { sessionToken: { name: "a;b" } } }],
]

describe.each(expressVersions)("a configuration with problems, on $version", ({ express }) => {
  it.each(problems)("is logged as %s when the middleware is made: %j", (type, overrides) => {
    const { auth, logged } = setUp()

    auth(overrides)

    expect(logged).toMatchObject([{ type }])
  })

  it("is logged with every problem at once", () => {
    const { auth, logged } = setUp()

    auth({ secret: "", session: { maxAge: 0, updateAge: -1 }, providers: [{ id: "x", name: "X", type: "oauth" }] })

    const [error] = logged as { cause?: { problems?: readonly { path: string }[] } }[]
    expect(error?.cause?.problems?.map(({ path }) => path)).toEqual([
      "secret",
      "session.maxAge",
      "session.updateAge",
      "providers[0].authorization",
    ])
  })

  it.each(["session", "csrf", "providers", "callback/credentials", "webauthn-options"])(
    "answers GET %s with 500 and JSON",
    async (action) => {
      const site = await openApp(express, setUp().auth(wrong))

      expect(await site.ask(`/auth/${action}`)).toMatchObject({
        status: 500,
        headers: { "content-type": "application/json" },
        json: { message },
        setCookies: [],
      })
    },
  )

  it.each(["session", "signin/credentials", "signout", "callback/credentials"])(
    "answers POST %s with 500 and JSON",
    async (action) => {
      const site = await openApp(express, setUp().auth(wrong))

      expect(await site.ask(`/auth/${action}`, { method: "POST" })).toMatchObject({ status: 500, json: { message } })
    },
  )

  it.each(["signin", "signout", "error", "verify-request"])(
    "answers GET %s with 500 and the error page",
    async (action) => {
      const site = await openApp(express, setUp().auth(wrong))

      const reply = await site.ask(`/auth/${action}`)

      expect(reply).toMatchObject({
        status: 500,
        headers: { "content-type": "text/html; charset=utf-8" },
        setCookies: [],
      })
      expect(reply.text).toContain("There is a problem with the server configuration")
      expect(reply.text).not.toMatch(/secret/i)
    },
  )

  it("sends pages to pages.error", async () => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth({ ...wrong, pages: { error: "/oops" } }))

    expect(await site.ask("/auth/signin")).toMatchObject({
      status: 302,
      location: `${site.origin}/oops?error=Configuration`,
    })
    expect(logged.at(-1)).toMatchObject({ type: "MissingSecret" })
  })

  it("shows the built-in page when pages.error needs a session itself", async () => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth({ ...wrong, pages: { error: "/oops" } }))

    expect(await site.ask("/auth/signin?callbackUrl=%2Foops")).toMatchObject({ status: 500, location: "" })
    expect(logged.at(-1)).toMatchObject({ type: "ErrorPageLoop" })
  })

  it("reaches the error middleware from guards and readers, and is never taken for signed out", async () => {
    const { caught, middleware } = catchErrors()
    const { auth: createAuth } = setUp()
    const auth = createAuth(wrong)
    const app = createApp(express, auth)
    app.get("/guarded", auth.requireSession(), (_req, res) => void res.send("hello"))
    app.get("/read", (req, res, next) => {
      auth.getSession(req).then((session) => res.json(session), next)
    })
    app.use(middleware)
    const site = await openSite(app)

    for (const path of ["/me", "/guarded", "/read"]) {
      for (const headers of [{}, { accept: "text/html" }, { cookie: "authjs.session-token=x" }]) {
        expect(await site.ask(path, { headers })).toMatchObject({ status: 500, json: { caught: true } })
      }
    }
    expect(caught).toHaveLength(9)
    for (const error of caught) expect(error).toMatchObject({ type: "MissingSecret", status: 500, expose: false })
  })

  it("makes the free-standing getSession throw", async () => {
    const { config, logged } = setUp()
    const given = config({ session: { maxAge: -1 } })
    const app = express()
    app.get("/read", (req, res) => {
      getSession(req, given).then(
        (session) => res.json({ session }),
        (error: unknown) => res.json({ type: (error as { type: string }).type }),
      )
    })
    const site = await openSite(app)

    expect((await site.ask("/read")).json).toEqual({ type: "InvalidConfiguration" })
    expect(logged).not.toEqual([])
  })

  it("may be completed by the environment until the first request", async () => {
    const env: Record<string, string> = {}
    const { config, ports, logged }: Setup = setUp(env)
    const auth = createExpressAuth(config({ secret: undefined }), ports)
    expect(logged).toMatchObject([{ type: "MissingSecret" }])

    env["AUTH_SECRET"] = "came later"
    const browser = (await openApp(express, auth)).browser()
    await browser.signIn()

    expect((await browser.get("/me")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(logged).toHaveLength(1)
  })

  it.each(["app.example/auth", "localhost:3000", "ftp://app.example", "https://"])(
    "may be in AUTH_URL: %s",
    async (AUTH_URL) => {
      const { auth, logged } = setUp({ AUTH_URL })
      const site = await openApp(express, auth())

      expect(await site.ask("/auth/session")).toMatchObject({ status: 500 })
      expect(logged[0]).toMatchObject({ type: "InvalidConfiguration" })
      expect(String(logged[0])).toContain("AUTH_URL")
    },
  )

  it("goes to the console where no logger is given", () => {
    const write = jest.spyOn(console, "error").mockImplementation(() => undefined)
    try {
      const { ports } = setUp()
      createExpressAuth({ providers: [] }, ports)

      expect(write.mock.calls.flat().join(" ")).toContain("MissingSecret")
    } finally {
      write.mockRestore()
    }
  })

  it("does not disturb another instance", async () => {
    const app = express()
    app.use("/broken", setUp().auth(wrong))
    app.use("/auth", setUp().auth())
    const browser = (await openSite(app)).browser()

    expect(await browser.get("/broken/session")).toMatchObject({ status: 500 })
    await browser.signIn()
    expect(await browser.get("/broken/session")).toMatchObject({ status: 500 })
    expect((await browser.get("/auth/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("answers HEAD like GET", async () => {
    await expectSameHead(express, "/auth/session")
    await expectSameHead(express, "/auth/signin")
  })
})

async function expectSameHead(express: ExpressVersion["express"], path: string): Promise<void> {
  const site = await openApp(express, setUp().auth(wrong))
  const get = await site.ask(path)
  const head = await site.ask(path, { method: "HEAD" })

  expect(head).toMatchObject({ status: get.status, text: "" })
  expect(head.headers["content-type"]).toBe(get.headers["content-type"])
}
