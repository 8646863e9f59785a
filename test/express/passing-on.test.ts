/** What is not its own the middleware passes on, and what it has answered it does not. */
import { describe, expect, it } from "@jest/globals"
import type { RequestHandler } from "express"
import { catchErrors } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite, type Site } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

/** Paths below the mount that are no action. */
const foreign = [
  "/auth",
  "/auth/",
  "/auth/profile",
  "/auth/signinn",
  "/auth/SIGNIN",
  "/auth/signin/a/b",
  "/auth/session/x",
  "/auth/csrf;a=b",
  "/auth/%63srf",
  "/auth/signin/%2e%2e",
  "/auth/constructor",
  "/auth/__proto__",
  "/authsession",
  "/auth.session",
]

describe.each(expressVersions)("passing on, on $version", ({ express }) => {
  it.each(foreign)("leaves %s to the application", async (path) => {
    const { auth, logged } = setUp()
    const app = express()
    app.use("/auth", auth())
    app.use((_req, res) => void res.status(404).json("the application's own 404"))
    const site = await openSite(app)

    for (const method of ["GET", "POST", "DELETE"]) {
      expect(await site.ask(path, { method })).toMatchObject({
        status: 404,
        json: "the application's own 404",
        setCookies: [],
      })
    }
    expect(logged).toEqual([])
  })

  it("leaves the application's own routes below the mount path alone, with their bodies", async () => {
    const app = express()
    app.use("/auth", setUp().auth())
    app.post("/auth/register", express.json(), (req, res) => void res.json(req.body))
    const site = await openSite(app)

    const reply = await site.browser().postJson("/auth/register", { name: "Ada" })

    expect(reply).toMatchObject({ status: 200, json: { name: "Ada" } })
  })

  it("leaves Express to answer 404 when nothing else does", async () => {
    const app = express()
    app.use("/auth", setUp().auth())

    expect(await (await openSite(app)).ask("/auth/nothing")).toMatchObject({ status: 404 })
  })

  it("does not see dot segments, which limiters before it would not recognise", async () => {
    const limited: string[] = []
    const app = express()
    app.use("/auth/callback/credentials", (req, _res, next) => {
      limited.push(req.originalUrl)
      next()
    })
    app.use("/auth", setUp().auth())
    const site = await openSite(app)

    for (const path of ["/auth/./callback/credentials", "/auth/x/../callback/credentials", "/auth/%2e/session"]) {
      expect([path, (await site.ask(path, { method: "POST" })).status]).toEqual([path, 404])
    }
    expect(limited).toEqual([])
  })

  it("does not call next after it has answered", async () => {
    const passed: string[] = []
    const { caught, middleware } = catchErrors()
    const app = express()
    app.use("/auth", setUp().auth())
    app.use((req, _res, next) => {
      passed.push(`${req.method} ${req.url}`)
      next()
    })
    app.use(middleware)
    const site = await openSite(app)

    await answersEverything(site)

    expect(passed).toEqual([])
    expect(caught).toEqual([])
  })

  it("does not call next after it has answered for a configuration with problems", async () => {
    const passed: string[] = []
    const app = express()
    app.use("/auth", setUp().auth({ secret: "" }))
    app.use((req, _res, next) => {
      passed.push(req.url)
      next()
    })
    const site = await openSite(app)

    await answersEverything(site)

    expect(passed).toEqual([])
  })

  it("lets whatever stands before it add headers to its answers", async () => {
    const site = await openSite(withHeaders(express))

    const { headers, setCookies } = await site.ask("/auth/signin")

    expect(headers["access-control-allow-origin"]).toBe("https://other.example")
    expect(setCookies).toContain("app=1; Path=/")
    expect(setCookies.some((line) => line.startsWith("authjs.csrf-token="))).toBe(true)
  })

  it("adds to Vary instead of replacing it", async () => {
    const site = await openSite(withHeaders(express))

    const { headers } = await site.ask("/auth/signin")

    expect(headers.vary?.split(/, */).sort()).toEqual(["Cookie", "Origin"])
  })
})

function withHeaders(express: ExpressVersion["express"]) {
  const cors: RequestHandler = (_req, res, next) => {
    res.set("access-control-allow-origin", "https://other.example").vary("Origin")
    res.cookie("app", "1")
    next()
  }
  const app = express()
  app.use(cors)
  app.use("/auth", setUp().auth())
  return app
}

async function answersEverything(site: Site): Promise<void> {
  for (const action of ["providers", "csrf", "session", "signin", "signout", "verify-request", "error", "callback"]) {
    for (const method of ["GET", "HEAD", "POST", "PUT", "OPTIONS"]) {
      const { status } = await site.ask(`/auth/${action}`, { method })
      expect([action, method, status === 404]).toEqual([action, method, false])
    }
  }
}
