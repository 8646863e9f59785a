/** Where the middleware can be mounted: anywhere, and the base path is always the path it was mounted at. */
import { describe, expect, it } from "@jest/globals"
import type { Express } from "express"
import { createExpressAuth, type AuthMiddleware } from "../../src/express/express-auth.js"
import { setUp } from "../support/express-setup.js"
import { openSite, type Site } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"

type Mount = (app: Express, auth: AuthMiddleware, express: ExpressVersion["express"]) => void

const mounts: readonly (readonly [description: string, base: string, mount: Mount])[] = [
  ["at a path", "/auth", (app, auth) => app.use("/auth", auth)],
  ["at a path with a trailing slash", "/auth", (app, auth) => app.use("/auth/", auth)],
  ["at a long path", "/api/v1/auth", (app, auth) => app.use("/api/v1/auth", auth)],
  ["at a path with characters that patterns give a meaning", "/a.b-c_d", (app, auth) => app.use("/a.b-c_d", auth)],
  ["at a path with an encoded character", "/caf%C3%A9", (app, auth) => app.use("/caf%C3%A9", auth)],
  ["at a path in upper case", "/Auth", (app, auth) => app.use("/Auth", auth)],
  ["at one path of a list", "/login", (app, auth) => app.use(["/auth", "/login"], auth)],
  ["at a regular expression", "/auth", (app, auth) => app.use(/^\/auth/, auth)],
  ["at a regular expression with a group", "/login", (app, auth) => app.use(/^\/(auth|login)/, auth)],
  ["in a list of middleware", "/auth", (app, auth) => app.use("/auth", [auth])],
  ["at a path with a parameter", "/acme/auth", (app, auth) => app.use("/:tenant/auth", auth)],
  ["at the root, with a base path", "/auth", (app, auth) => app.use(auth)],
  ["at a path that is not the configured base path", "/login", (app, auth) => app.use("/login", auth)],
  [
    "in a router",
    "/auth",
    (app, auth, express) => {
      const router = express.Router()
      router.use("/auth", auth)
      app.use(router)
    },
  ],
  [
    "in a router below a path",
    "/api/auth",
    (app, auth, express) => {
      const router = express.Router()
      router.use("/auth", auth)
      app.use("/api", router)
    },
  ],
  [
    "at the root of a router below a path",
    "/api/auth",
    (app, auth, express) => {
      const router = express.Router()
      router.use(auth)
      app.use("/api/auth", router)
    },
  ],
  [
    "in a router in a router below a parameter",
    "/acme/api/auth",
    (app, auth, express) => {
      const [outer, inner] = [express.Router(), express.Router({ mergeParams: true })]
      inner.use("/auth", auth)
      outer.use("/api", inner)
      app.use("/:tenant", outer)
    },
  ],
  [
    "in a sub-application",
    "/shop/auth",
    (app, auth, express) => {
      const shop = express()
      shop.use("/auth", auth)
      app.use("/shop", shop)
    },
  ],
  [
    "in a sub-application of a sub-application, which were mounted first",
    "/shop/admin/auth",
    (app, auth, express) => {
      const [shop, admin] = [express(), express()]
      app.use("/shop", shop)
      shop.use("/admin", admin)
      admin.use("/auth", auth)
    },
  ],
]

describe.each(expressVersions)("mounting on $version", ({ express, wildcards, leadingWildcards }) => {
  it.each(mounts)("signs in and out when mounted %s", async (_description, base, mount) => {
    const app = express()
    mount(app, setUp().auth({ basePath: "/auth" }), express)
    await signsInAndOut(await openSite(app), base)
  })

  it.each(wildcards)("signs in and out when mounted at %s", async (path) => {
    const app = express()
    app.use(path, setUp().auth())
    await signsInAndOut(await openSite(app), "/auth")
  })

  it.each(wildcards)("signs in and out when mounted at %s below a router", async (path) => {
    const app = express()
    const router = express.Router()
    router.use(path, setUp().auth())
    app.use("/api", router)
    await signsInAndOut(await openSite(app), "/api/auth")
  })

  it.each(wildcards)("signs in and out as a route for every method at %s", async (path) => {
    const app = express()
    app.all(path, setUp().auth())
    await signsInAndOut(await openSite(app), "/auth")
  })

  it.each(leadingWildcards)("signs in and out when mounted at %s", async (path) => {
    const app = express()
    app.use(path, setUp().auth())
    await signsInAndOut(await openSite(app), "/acme/auth")
  })

  it("answers with any number of trailing slashes, and not with leading ones", async () => {
    const app = express()
    app.use("/auth", setUp().auth())
    const site = await openSite(app)

    for (const path of ["/auth/csrf/", "/auth/csrf///", "/auth/csrf/?x=1"]) {
      expect([path, (await site.ask(path)).status]).toEqual([path, 200])
    }
    for (const path of ["//auth/csrf", "/x/auth/csrf", "/auth/auth/csrf"]) {
      expect([path, (await site.ask(path)).status]).toEqual([path, 404])
    }
  })

  it("answers below the mount path in whatever case it is asked for", async () => {
    const app = express()
    app.use("/Auth", setUp().auth())
    const site = await openSite(app)

    await signsInAndOut(site, "/auth")
    await signsInAndOut(site, "/AUTH")
  })

  it("keeps two instances with different configurations apart", async () => {
    const app = express()
    app.use("/staff", setUp().auth({ cookies: prefixed("staff"), theme: { brandColor: "#123456" } }))
    app.use("/customers", setUp().auth({ cookies: prefixed("customers"), theme: { brandColor: "#abcdef" } }))
    const site = await openSite(app)
    const browser = site.browser()

    await browser.signIn({ base: "/staff", username: "ada" })
    await browser.signIn({ base: "/customers", username: "grace" })

    expect((await browser.get("/staff/session")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect((await browser.get("/customers/session")).json).toMatchObject({ user: { name: "Grace Hopper" } })
    expect((await browser.get("/staff/signin")).text).toContain("#123456")
    expect((await browser.get("/customers/signin")).text).toContain("#abcdef")
  })

  it("serves requests of two instances that overlap in time", async () => {
    const app = express()
    app.use("/a", setUp().auth({ cookies: prefixed("a") }))
    app.use("/b", setUp().auth({ cookies: prefixed("b") }))
    const site = await openSite(app)
    const visits = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? "/a" : "/b"))

    const replies = await Promise.all(visits.map((base) => site.ask(`${base}/providers`)))

    for (const [index, { json }] of replies.entries()) {
      expect(json).toMatchObject({ credentials: { signinUrl: `${site.origin}${visits[index]}/signin/credentials` } })
    }
  })

  it("answers for one instance at two paths", async () => {
    const app = express()
    const auth = setUp().auth()
    app.use("/auth", auth)
    app.use("/api/auth", auth)
    const site = await openSite(app)

    await signsInAndOut(site, "/auth")
    await signsInAndOut(site, "/api/auth")
  })

  it("never writes to the configuration or its providers", async () => {
    const { config, ports } = setUp({ AUTH_SECRET: "from the environment" })
    const given = deepFreeze({ ...config(), secret: undefined })
    const app = express()
    app.use("/auth", createExpressAuth(given, ports))

    await signsInAndOut(await openSite(app), "/auth")
  })
})

/** Everything a browser needs of a mount: a session to start and to end, and addresses that lead back to it. */
async function signsInAndOut(site: Site, base: string): Promise<void> {
  const browser = site.browser()
  const signedIn = await browser.signIn({ base, callbackUrl: "/welcome" })
  expect(signedIn).toMatchObject({ status: 302, location: `${site.origin}/welcome` })
  expect((await browser.get(`${base}/session`)).json).toMatchObject({ user: { name: "Ada Lovelace" } })

  expect((await browser.get(`${base}/providers`)).json).toMatchObject({
    credentials: {
      signinUrl: `${site.origin}${base}/signin/credentials`,
      callbackUrl: `${site.origin}${base}/callback/credentials`,
    },
  })
  expect((await browser.get(`${base}/signin`)).text).toContain(`action="${site.origin}${base}/callback/credentials"`)

  expect(await browser.signOut(base)).toMatchObject({ status: 302 })
  expect((await browser.get(`${base}/session`)).json).toBeNull()
}

function prefixed(prefix: string) {
  return { sessionToken: { name: `${prefix}.session` }, csrfToken: { name: `${prefix}.csrf` } }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Reflect.ownKeys(value)) deepFreeze(Reflect.get(value, key) as unknown)
  }
  return value
}
