/** The same middleware on Connect and on a plain Node server. */
import { describe, expect, it } from "@jest/globals"
import connect from "connect"
import express from "express"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import type { AuthMiddleware } from "../../src/express/express-auth.js"
import { requireSession, type Session } from "../../src/index.js"
import { day, isSessionCookie, setUp } from "../support/express-setup.js"
import { openServer, openSite, type Site } from "../support/express-site.js"

type Middleware = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void
type MaybeSignedIn = IncomingMessage & { auth?: Session | null }

/** Express types its middleware for its own requests; at run time Connect and Node hand over what they have. */
function plain(middleware: unknown): Middleware {
  return middleware as Middleware
}

const showSession: Middleware = (req, res) => {
  res.setHeader("content-type", "application/json")
  res.end(JSON.stringify((req as MaybeSignedIn).auth ?? null))
}

const parseForm: Middleware = (req, _res, next) => {
  const read = async () => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
    Object.assign(req, { body })
  }
  read().then(() => next(), next)
}

/** `auth` in front of everything, then a page for everybody and one for those who are signed in. */
function plainServer(auth: AuthMiddleware): RequestListener {
  return (req, res) => {
    const fail = (error: unknown) => {
      res.statusCode = 500
      res.end(String(error))
    }
    plain(auth)(req, res, (error) => {
      if (error) return fail(error)
      const guard = req.url === "/account" ? auth.requireSession() : auth.session
      plain(guard)(req, res, (refusal) => (refusal ? fail(refusal) : showSession(req, res, fail)))
    })
  }
}

function connectServer(auth: AuthMiddleware, base: string): connect.Server {
  const app = connect()
  app.use(base, plain(auth))
  app.use("/account", plain(auth.requireSession()))
  app.use(plain(auth.session))
  app.use(showSession)
  return app
}

const servers: readonly (readonly [
  description: string,
  base: string,
  open: (auth: AuthMiddleware) => RequestListener,
])[] = [
  ["Connect, mounted at a path", "/auth", (auth) => connectServer(auth, "/auth")],
  ["Connect, mounted at a path in upper case", "/auth", (auth) => connectServer(auth, "/AUTH")],
  ["Connect, mounted at a path with a trailing slash", "/auth", (auth) => connectServer(auth, "/auth/")],
  ["Connect, mounted at the root", "/auth", (auth) => connectServer(auth, "/")],
  ["Connect, behind a parser", "/auth", (auth) => connect().use(parseForm).use(connectServer(auth, "/auth"))],
  ["a Connect app in a Connect app", "/shop/auth", (auth) => connect().use("/shop", connectServer(auth, "/auth"))],
  ["a plain Node server", "/auth", plainServer],
]

describe.each(servers)("on %s", (_description, base, open) => {
  it("signs in, keeps the session, and signs out", async () => {
    const site = await openSite(open(setUp().auth({ basePath: "/auth" })))
    await signsInAndOut(site, base)
  })

  it("passes on what is no action", async () => {
    const site = await openSite(open(setUp().auth({ basePath: "/auth" })))

    expect(await site.ask(`${base}/unknown`)).toMatchObject({ status: 200, text: "null" })
    expect(await site.ask(base)).toMatchObject({ status: 200, text: "null" })
    expect(await site.ask(`${base}?x=1`)).toMatchObject({ status: 200, text: "null" })
  })
})

describe("guards without Express", () => {
  it("sends a page to sign in, and back", async () => {
    const site = await openSite(connectServer(setUp().auth(), "/auth"))
    const browser = site.browser({ accept: "text/html" })

    const refused = await browser.get("/account?tab=2")
    const callbackUrl = encodeURIComponent("/account?tab=2")
    expect(refused).toMatchObject({
      status: 302,
      location: `${site.origin}/auth/signin?callbackUrl=${callbackUrl}&error=SessionRequired`,
    })
    await browser.signIn()

    expect((await browser.get("/account")).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it("answers 401 to everything else", async () => {
    const site = await openSite(plainServer(setUp().auth()))

    expect(await site.ask("/account")).toMatchObject({ status: 401, headers: { "www-authenticate": "Session" } })
  })

  it("lets a free-standing guard find the instance that the request has met", async () => {
    const auth = setUp().auth()
    const app = connect()
    app.use("/auth", plain(auth))
    app.use(plain(auth.session))
    app.use(plain(requireSession()))
    app.use(showSession)
    const site = await openSite(app)
    const browser = site.browser()

    expect(await browser.get("/")).toMatchObject({ status: 401 })
    await browser.signIn()
    expect(await browser.get("/")).toMatchObject({ status: 200 })
  })

  it("writes a prolonged session into the answer, once", async () => {
    const { auth, wait } = setUp()
    const browser = (await openSite(connectServer(auth(), "/auth"))).browser()
    await browser.signIn()

    wait(2 * day)
    const reply = await browser.get("/account")

    expect(reply.setCookies.filter(isSessionCookie)).toHaveLength(1)
  })

  it("writes a prolonged session even when somebody asked for it without a response before", async () => {
    const { auth: createAuth, wait } = setUp()
    const auth = createAuth()
    const app = connect()
    app.use("/auth", plain(auth))
    app.use((req, _res, next) => {
      auth.getSession(req).then(() => next(), next)
    })
    app.use(plain(auth.session))
    app.use(showSession)
    const browser = (await openSite(app)).browser()
    await browser.signIn()

    wait(2 * day)
    const reply = await browser.get("/")

    expect(reply.setCookies.filter(isSessionCookie)).toHaveLength(1)
  })
})

describe("getSession of an upgrade request", () => {
  it("reads the session of a WebSocket's handshake", async () => {
    const { site, sessions } = await openUpgrading(setUp().auth())
    const browser = site.browser()
    await browser.signIn()

    await upgrade(site, browser.cookies)

    expect(sessions).toMatchObject([{ user: { name: "Ada Lovelace" } }])
  })

  it("reads the session of a WebSocket's handshake behind a proxy that AUTH_URL tells of", async () => {
    const { site, sessions } = await openUpgrading(setUp({ AUTH_URL: "https://app.example/auth" }).auth())
    const browser = site.browser()
    await browser.signIn()

    await upgrade(site, browser.cookies)

    expect(sessions).toMatchObject([{ user: { name: "Ada Lovelace" } }])
  })

  it("reads the session of a WebSocket's handshake behind a proxy that the Express app trusts", async () => {
    const auth = setUp().auth()
    const app = express()
    app.set("trust proxy", true)
    app.use("/auth", auth)
    const { site, sessions } = await openUpgrading(auth, app)
    const browser = site.browser({ "x-forwarded-proto": "https" })
    await browser.signIn()

    await upgrade(site, browser.cookies, ["X-Forwarded-Proto: https"])

    expect(sessions).toMatchObject([{ user: { name: "Ada Lovelace" } }])
  })

  it("gives null to whoever is signed out", async () => {
    const { site, sessions } = await openUpgrading(setUp().auth())

    await upgrade(site, new Map())

    expect(sessions).toEqual([null])
  })
})

async function openUpgrading(auth: AuthMiddleware, listener: RequestListener = plainServer(auth)) {
  const sessions: unknown[] = []
  const server = createServer(listener)
  server.on("upgrade", (req, socket) => {
    auth.getSession(req).then(
      (session) => {
        sessions.push(session)
        socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n")
      },
      (error: unknown) => {
        sessions.push(error)
        socket.end("HTTP/1.1 500 Internal Server Error\r\n\r\n")
      },
    )
  })
  return { site: await openServer(server), sessions }
}

async function upgrade(site: Site, cookies: ReadonlyMap<string, string>, more: readonly string[] = []): Promise<void> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  const lines = ["GET /socket HTTP/1.1", "Host: app.example", "Connection: Upgrade", "Upgrade: websocket"]
  await site.write([...lines, ...more, `Cookie: ${cookie}`, "", ""].join("\r\n"))
}

async function signsInAndOut(site: Site, base: string): Promise<void> {
  const browser = site.browser()
  expect(await browser.signIn({ base, callbackUrl: "/welcome" })).toMatchObject({
    status: 302,
    location: `${site.origin}/welcome`,
  })
  expect((await browser.get(`${base}/session`)).json).toMatchObject({ user: { name: "Ada Lovelace" } })
  expect((await browser.get(`${base}/providers`)).json).toMatchObject({
    credentials: { signinUrl: `${site.origin}${base}/signin/credentials` },
  })
  await browser.signOut(base)
  expect((await browser.get(`${base}/session`)).json).toBeNull()
}
