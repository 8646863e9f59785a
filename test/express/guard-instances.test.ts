/** How a free-standing `requireSession()` finds the instance it belongs to. */
import { describe, expect, it } from "@jest/globals"
import type { Express } from "express"
import type { AuthMiddleware } from "../../src/express/express-auth.js"
import { requireSession } from "../../src/index.js"
import { catchErrors } from "../support/express-apps.js"
import { setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

type Arrange = (app: Express, auth: AuthMiddleware, express: ExpressVersion["express"]) => void

const page = { headers: { accept: "text/html" } } as const

function guarded(app: Express): void {
  app.get("/account", requireSession(), (_req, res) => void res.send("hello"))
}

/** Applications in which the guard has one instance to find: its base path, the guarded path, and how they are made. */
const arrangements: readonly (readonly [description: string, base: string, path: string, arrange: Arrange])[] = [
  [
    "after the mount",
    "/auth",
    "/account",
    (app, auth) => {
      app.use("/auth", auth)
      guarded(app)
    },
  ],
  [
    "before the mount",
    "/auth",
    "/account",
    (app, auth) => {
      guarded(app)
      app.use("/auth", auth)
    },
  ],
  [
    "in a router",
    "/auth",
    "/api/account",
    (app, auth, express) => {
      const router = express.Router()
      router.get("/account", requireSession(), (_req, res) => void res.send("hello"))
      app.use("/auth", auth)
      app.use("/api", router)
    },
  ],
  [
    "in a sub-application of the app that has the mount",
    "/auth",
    "/api/account",
    (app, auth, express) => {
      const api = express()
      guarded(api)
      app.use("/auth", auth)
      app.use("/api", api)
    },
  ],
  [
    "in a sub-application that was mounted before it was filled",
    "/auth",
    "/shop/api/account",
    (app, auth, express) => {
      const [shop, api] = [express(), express()]
      app.use("/shop", shop)
      shop.use("/api", api)
      guarded(api)
      app.use("/auth", auth)
    },
  ],
  [
    "in the sub-application that has the mount",
    "/shop/auth",
    "/shop/account",
    (app, auth, express) => {
      const shop = express()
      shop.use("/auth", auth)
      guarded(shop)
      app.use("/shop", shop)
    },
  ],
  [
    "with the mount in a router",
    "/api/auth",
    "/account",
    (app, auth, express) => {
      const router = express.Router()
      router.use("/auth", auth)
      app.use("/api", router)
      guarded(app)
    },
  ],
  [
    "after auth.session, with the mount in a router",
    "/api/auth",
    "/account",
    (app, auth, express) => {
      const router = express.Router()
      router.use("/auth", auth)
      app.use(auth.session)
      app.use("/api", router)
      guarded(app)
    },
  ],
  [
    "after auth.session of the one that is meant, where there are two",
    "/auth",
    "/account",
    (app, auth) => {
      app.use("/auth", auth)
      app.use("/other", setUp().auth())
      app.use(auth.session)
      guarded(app)
    },
  ],
]

describe.each(expressVersions)("the instance of a guard on $version", ({ express, wildcards }) => {
  it.each(arrangements)("is found %s", async (_description, base, path, arrange) => {
    const app = express()
    arrange(app, setUp().auth(), express)
    const browser = (await openSite(app)).browser()

    expect(await browser.get(path)).toMatchObject({ status: 401 })
    await browser.signIn({ base })
    expect(await browser.get(path)).toMatchObject({ status: 200, text: "hello" })
  })

  it("says what to add where the path of a mount in a router is not told, whoever has visited it", async () => {
    const app = express()
    const auth = setUp().auth()
    const router = express.Router()
    router.use("/auth", auth)
    app.use("/api", router)
    guarded(app)
    const { caught, middleware } = catchErrors()
    app.use(middleware)
    const site = await openSite(app)
    await site.ask("/API/auth/signin")

    expect(await site.ask("/account", page)).toMatchObject({ status: 500 })
    expect(caught).toMatchObject([{ type: "InvalidConfiguration", message: expect.stringContaining("basePath") }])
  })

  it.each(arrangements)("knows its sign-in page %s", async (_description, base, path, arrange) => {
    const app = express()
    // Express tells an app what is mounted on it, but not what is mounted on its routers: those are told.
    arrange(app, setUp().auth(base === "/auth" ? {} : { basePath: base }), express)
    const site = await openSite(app)

    const { location } = await site.ask(path, page)

    expect(location).toBe(`${site.origin}${base}/signin?callbackUrl=${encodeURIComponent(path)}&error=SessionRequired`)
  })

  it.each(wildcards)("knows its sign-in page when it is mounted at %s", async (wildcard) => {
    const app = express()
    app.use(wildcard, setUp().auth())
    guarded(app)
    const site = await openSite(app)

    expect((await site.ask("/account", page)).location).toContain(`${site.origin}/auth/signin?`)
  })

  it("is the sub-application's own, where the outer app has another", async () => {
    const app = express()
    const shop = express()
    app.use("/auth", setUp().auth())
    shop.use("/login", setUp().auth())
    guarded(shop)
    app.use("/shop", shop)
    const site = await openSite(app)

    expect((await site.ask("/shop/account", page)).location).toContain(`${site.origin}/shop/login/signin?`)
  })

  it.each([
    ["there is none", () => undefined],
    [
      "there are two",
      (app: Express) => {
        app.use("/a", setUp().auth())
        app.use("/b", setUp().auth())
      },
    ],
    [
      "it stands on another app",
      (_app: Express) => {
        express().use("/auth", setUp().auth())
      },
    ],
  ])("is an error that says what to do when %s", async (_description, arrange) => {
    const { caught, middleware } = catchErrors()
    const app = express()
    arrange(app)
    guarded(app)
    app.use(middleware)
    const site = await openSite(app)

    expect(await site.ask("/account")).toMatchObject({ status: 500, json: { caught: true } })

    expect(caught).toMatchObject([{ type: "InvalidConfiguration", status: 500, expose: false }])
    expect(String(caught[0])).toContain("app.use(auth.session)")
    expect(String(caught[0])).toContain("auth.requireSession()")
  })

  it("is never in doubt for auth.requireSession()", async () => {
    const app = express()
    const [auth, other] = [setUp().auth(), setUp().auth()]
    app.use("/auth", auth)
    app.use("/other", other)
    app.get("/account", auth.requireSession(), (_req, res) => void res.send("hello"))
    app.get("/other-account", other.requireSession(), (_req, res) => void res.send("hello"))
    const site = await openSite(app)

    expect((await site.ask("/account", page)).location).toContain(`${site.origin}/auth/signin?`)
    expect((await site.ask("/other-account", page)).location).toContain(`${site.origin}/other/signin?`)
  })

  it("does not open one instance's session for another's guard", async () => {
    const app = express()
    const [auth, other] = [setUp().auth(), setUp().auth({ cookies: { sessionToken: { name: "other.session" } } })]
    app.use("/auth", auth)
    app.use("/other", other)
    app.get("/account", auth.session, other.requireSession(), (_req, res) => void res.send("hello"))
    const browser = (await openSite(app)).browser()

    await browser.signIn({ base: "/auth" })

    expect(await browser.get("/account")).toMatchObject({ status: 401 })
  })
})
