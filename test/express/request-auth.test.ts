/** `req.auth`, filled by `auth.session` and by the guards. */
import { describe, expect, it } from "@jest/globals"
import { countedTokens, day, isSessionCookie, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"

const ada = { user: { name: "Ada Lovelace", email: "ada@example.com" }, expires: "2026-05-31T12:00:00.000Z" }

describe.each(expressVersions)("req.auth on $version", ({ express }) => {
  it("is the session in every route after auth.session", async () => {
    const auth = setUp().auth()
    const app = express()
    const router = express.Router()
    router.get("/me", (req, res) => void res.json(req.auth))
    app.use("/auth", auth)
    app.use(auth.session)
    app.use("/router", router)
    app.get("/me", (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/me")).json).toEqual(ada)
    expect((await browser.get("/router/me")).json).toEqual(ada)
  })

  it("is null for whoever is signed out", async () => {
    const auth = setUp().auth()
    const app = express()
    app.use(auth.session)
    app.get("/me", (req, res) => void res.json({ isNull: req.auth === null }))

    const reply = await (await openSite(app)).ask("/me")

    expect(reply).toMatchObject({ status: 200, json: { isNull: true }, setCookies: [] })
  })

  it("is the application's once it is assigned to", async () => {
    const auth = setUp().auth()
    const app = express()
    app.use("/auth", auth)
    app.use(auth.session, (req, _res, next) => {
      Object.assign(req, { auth: { user: { name: "somebody else" }, expires: "never" } })
      next()
    })
    app.get("/me", (req, res) => void res.json(req.auth))
    app.get("/guarded", auth.requireSession(), (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()

    expect((await browser.get("/me")).json).toEqual({ user: { name: "somebody else" }, expires: "never" })
    expect(await browser.get("/guarded")).toMatchObject({ status: 401 })
    await browser.signIn()
    expect((await browser.get("/guarded")).json).toEqual(ada)
  })

  it("is the session of the guard that was passed last, where an app has two", async () => {
    const first = setUp().auth()
    const second = setUp().auth({ cookies: { sessionToken: { name: "second" } } })
    const app = express()
    app.use("/auth", first)
    app.use("/other", second)
    app.use(first.session)
    app.get("/first", (req, res) => void res.json(req.auth))
    app.get("/asked", (req, res, next) => {
      second.getSession(req).then((session) => res.json({ shown: req.auth, asked: session }), next)
    })
    app.get("/second", second.requireSession(), (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/first")).json).toEqual(ada)
    expect((await browser.get("/asked")).json).toEqual({ shown: ada, asked: null })
    expect(await browser.get("/second")).toMatchObject({ status: 401 })
  })

  it("is filled by a guard alone", async () => {
    const auth = setUp().auth()
    const app = express()
    app.use("/auth", auth)
    app.get("/me", auth.requireSession(), (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/me")).json).toEqual(ada)
  })

  it("costs a request without a session cookie nothing", async () => {
    const { calls, jwt } = countedTokens()
    const called: string[] = []
    const auth = setUp().auth({
      jwt,
      callbacks: {
        jwt: ({ token }) => {
          called.push("jwt")
          return token
        },
        session: ({ session }) => {
          called.push("session")
          return session
        },
      },
      events: { session: () => void called.push("event") },
    })
    const app = express()
    app.use(auth.session)
    app.get("/me", (req, res) => void res.json(req.auth))
    const site = await openSite(app)

    await site.ask("/me", { headers: { cookie: "authjs.session-token-other=x; theme=dark; authjs.callback-url=%2F" } })

    expect({ calls, called }).toEqual({ calls: { encode: 0, decode: 0 }, called: [] })
  })

  it("is what the session callback made of it, and the event tells of it once", async () => {
    const told: unknown[] = []
    const auth = setUp().auth({
      callbacks: { session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }) },
      events: { session: ({ session }) => void told.push(session) },
    })
    const app = express()
    app.use("/auth", auth)
    app.use(auth.session)
    app.get("/me", auth.requireSession(), (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    const { json } = await browser.get("/me")

    expect(json).toMatchObject({ user: { id: "1", name: "Ada Lovelace" } })
    expect(told).toEqual([json])
  })

  it("brings a prolonged session to the browser, beside the application's own cookies", async () => {
    const { auth: createAuth, wait } = setUp()
    const auth = createAuth()
    const app = express()
    app.use("/auth", auth)
    app.use((_req, res, next) => {
      res.cookie("before", "1")
      next()
    })
    app.use(auth.session)
    app.get("/me", (req, res) => void res.cookie("after", "2").vary("Accept").json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()
    const before = browser.cookies.get("authjs.session-token")

    wait(2 * day)
    const reply = await browser.get("/me")

    expect(reply.json).toMatchObject({ expires: "2026-06-02T12:00:00.000Z" })
    expect(reply.setCookies.map((line) => line.split("=")[0])).toEqual(["before", "authjs.session-token", "after"])
    expect(reply.setCookies[1]).toContain("Expires=Tue, 02 Jun 2026 12:00:00 GMT; HttpOnly; SameSite=Lax")
    expect(reply.headers["cache-control"]).toContain("private")
    expect(reply.headers.vary).toBe("Cookie, Accept")
    expect(browser.cookies.get("authjs.session-token")).not.toBe(before)
    expect((await browser.get("/me")).json).toMatchObject({ user: ada.user })
  })

  it("keeps a shared cache from storing a prolonged session", async () => {
    const { auth: createAuth, wait } = setUp()
    const auth = createAuth()
    const app = express()
    app.use("/auth", auth)
    app.use((_req, res, next) => {
      res.set("cache-control", "public, max-age=600")
      next()
    })
    app.get("/me", auth.session, (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    const ordinary = await browser.get("/me")
    wait(2 * day)
    const prolonged = await browser.get("/me")

    expect(ordinary).toMatchObject({ setCookies: [], headers: { "cache-control": "public, max-age=600" } })
    expect(prolonged.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(prolonged.headers["cache-control"]).not.toContain("public")
  })

  it("brings a prolonged session to the browser even when a condition refuses it", async () => {
    const { auth: createAuth, wait } = setUp()
    const auth = createAuth()
    const app = express()
    app.use("/auth", auth)
    app.get("/admin", auth.requireSession({ where: () => false }))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    wait(2 * day)
    const reply = await browser.get("/admin")

    expect(reply.status).toBe(403)
    expect(reply.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(reply.headers.vary).toBe("Cookie")
  })

  it("ends with the session", async () => {
    const { auth: createAuth, wait, logged } = setUp()
    const auth = createAuth()
    const app = express()
    app.use("/auth", auth)
    app.get("/me", auth.session, (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    wait(30 * day + 60)
    const reply = await browser.get("/me")

    expect(reply.json).toBeNull()
    expect(reply.setCookies).toEqual(["authjs.session-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"])
    expect(logged).toHaveLength(1)
  })

  it("is null, and the cookie goes, when the jwt callback returns null", async () => {
    const auth = setUp().auth({ callbacks: { jwt: ({ token, trigger }) => (trigger ? token : null) } })
    const app = express()
    app.use("/auth", auth)
    app.get("/me", auth.session, (req, res) => void res.json(req.auth))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    const reply = await browser.get("/me")

    expect(reply.json).toBeNull()
    expect(reply.setCookies).toEqual(["authjs.session-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"])
    expect(browser.cookies.has("authjs.session-token")).toBe(false)
  })

  it("and an action that comes after it set one session cookie between them", async () => {
    const { auth: createAuth, wait } = setUp()
    const auth = createAuth()
    const app = express()
    app.use(auth.session)
    app.use("/auth", auth)
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    wait(2 * day)
    const touched = await browser.get("/auth/session")
    wait(2 * day)
    const signedOut = await browser.signOut()

    expect(touched.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(signedOut.setCookies.filter(isSessionCookie)).toEqual([
      "authjs.session-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ])
    expect(browser.cookies.has("authjs.session-token")).toBe(false)
  })

  it("leaves answers alone that have begun before the session was asked for", async () => {
    const { auth: createAuth, wait } = setUp()
    const auth = createAuth()
    const app = express()
    app.use("/auth", auth)
    app.get("/stream", (req, res, next) => {
      res.write("first, ")
      auth.getSession(req).then((session) => res.end(session?.user?.name), next)
    })
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    wait(2 * day)

    expect(await browser.get("/stream")).toMatchObject({ status: 200, text: "first, Ada Lovelace", setCookies: [] })
  })

  it("does not touch what passport and express-session keep in a request", async () => {
    const auth = setUp().auth()
    const app = express()
    app.use("/auth", auth)
    app.use(auth.session, auth.requireSession())
    app.get("/me", (req, res) => void res.json({ user: "user" in req, session: "session" in req }))
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    expect((await browser.get("/me")).json).toEqual({ user: false, session: false })
  })
})
