/** What fails in `@auth/express` 0.12.3, and must not fail here. */
import { afterEach, describe, expect, it } from "@jest/globals"
import { createExpressAuth } from "../../src/express/express-auth.js"
import { ExpressAuth, getSession, requireSession, type Provider } from "../../src/index.js"
import { startOpenIDProvider, type OpenIDProvider } from "../../src/testing/index.js"
import { catchErrors, createApp, openApp } from "../support/express-apps.js"
import type { Browser } from "../support/express-browser.js"
import { countedTokens, day, findPerson, isSessionCookie, passwords, setUp } from "../support/express-setup.js"
import { openSite, type Site } from "../support/express-site.js"
import { expressVersions, type ExpressVersion } from "../support/express-versions.js"
import { openBrowser } from "../testing/open-browser.js"

const ada = { user: { name: "Ada Lovelace", email: "ada@example.com" } }

describe.each(expressVersions)("what fails in Auth.js, on $version", ({ express, wildcards }) => {
  it("R1: the documented mount boots and answers", async () => {
    const site = await openApp(express, setUp().auth())

    expect(await site.ask("/auth/providers")).toMatchObject({ status: 200 })
  })

  it.each(wildcards)("R2: mounted at %s, every action answers and the configuration stays as it was", async (path) => {
    const { config, ports } = setUp()
    const given = config()
    const before = { ...given }
    const app = express()
    app.use(path, createExpressAuth(given, ports))
    const site = await openSite(app)

    for (const action of ["providers", "csrf", "session", "signin", "signout", "error"]) {
      expect([action, (await site.ask(`/auth/${action}`)).status]).toEqual([action, 200])
    }
    expect(await site.ask("/auth/providers")).toMatchObject({
      json: { credentials: { callbackUrl: `${site.origin}/auth/callback/credentials` } },
    })
    expect(given).toEqual(before)
  })

  it("R3: a forwarded scheme that Express does not trust signs nobody out", async () => {
    const site = await openApp(express, setUp().auth())
    const browser = site.browser({ "x-forwarded-proto": "https" })

    await browser.signIn()

    expect((await browser.get("/auth/session")).json).toMatchObject(ada)
    expect((await browser.get("/me")).json).toMatchObject(ada)
  })

  it("R4: under AUTH_URL the handler and the application agree on scheme, cookies and addresses", async () => {
    const site = await openApp(express, setUp({ AUTH_URL: "https://app.example.com/auth" }).auth())
    const browser = site.browser()

    await browser.signIn()

    expect([...browser.cookies.keys()]).toContain("__Secure-authjs.session-token")
    expect((await browser.get("/me")).json).toMatchObject(ada)
    expect((await browser.get("/auth/providers")).json).toMatchObject({
      credentials: { callbackUrl: "https://app.example.com/auth/callback/credentials" },
    })
  })

  it("R5: what getSession prolongs or rotates reaches the browser", async () => {
    const { auth: createAuth, wait } = setUp()
    const rotation = { count: 0 }
    const auth = createAuth({
      callbacks: { jwt: ({ token, trigger }) => (trigger ? token : { ...token, rotated: (rotation.count += 1) }) },
    })
    const app = express()
    app.use("/auth", auth)
    app.get("/me", (req, res, next) => {
      auth.getSession(req).then((session) => res.json(session), next)
    })
    const browser = (await openSite(app)).browser()
    await browser.signIn()
    const before = sessionCookies(browser)

    wait(60)
    const reply = await browser.get("/me")

    expect(reply.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(sessionCookies(browser)).not.toEqual(before)
    expect(reply.json).toMatchObject({ ...ada, expires: "2026-05-31T12:01:00.000Z" })
  })

  it("R6: a guard, a view and getSession in one request read the session once", async () => {
    const { calls, jwt } = countedTokens()
    const called = { jwt: 0, session: 0 }
    const config = setUp().config({
      jwt,
      callbacks: {
        jwt: ({ token }) => ({ ...token, jwt: (called.jwt += 1) }),
        session: ({ session }) => ({ ...session, session: (called.session += 1) }),
      },
    })
    const auth = ExpressAuth(config)
    const app = express()
    app.use("/auth", auth)
    app.use(auth.session)
    app.get("/me", requireSession(), (req, res, next) => {
      Promise.all([auth.getSession(req), getSession(req, config)]).then((both) => res.json([req.auth, ...both]), next)
    })
    const browser = (await openSite(app)).browser()
    await browser.signIn()
    Object.assign(calls, { encode: 0, decode: 0 })
    Object.assign(called, { jwt: 0, session: 0 })

    const reply = await browser.get("/me")

    expect(reply.json).toMatchObject([ada, ada, ada])
    expect(reply.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(called).toEqual({ jwt: 1, session: 1 })
    expect(calls).toEqual({ encode: 1, decode: 1 })
  })

  it("R10: a fault in authorize reaches the app's error middleware, under the reference that was logged", async () => {
    const { auth, logged } = setUp()
    const { caught, middleware } = catchErrors()
    const app = createApp(express, auth({ providers: [passwords(failingDatabase)] }))
    app.use(middleware)

    const reply = await (await openSite(app)).browser().signIn()

    expect(reply).toMatchObject({ status: 500, json: { caught: true } })
    expect(caught).toHaveLength(1)
    expect(caught[0]).toBeInstanceOf(Error)
    expect(caught[0]).toMatchObject({
      type: "CallbackRouteError",
      status: 500,
      statusCode: 500,
      expose: false,
      correlationId: expect.stringMatching(/^[0-9a-f]{10}$/),
      cause: { err: { message: "the database is down" }, provider: "credentials" },
    })
    expect(logged).toEqual(caught)
  })

  it("R10: without error middleware the error page shows the reference that was logged", async () => {
    const { auth, logged } = setUp()
    const site = await openApp(express, auth({ providers: [passwords(failingDatabase)] }))
    const browser = site.browser()

    const reply = await browser.signIn()
    expect(reply).toMatchObject({ status: 302, location: `${site.origin}/auth/error?error=Configuration` })
    const page = await browser.get("/auth/error?error=Configuration")

    expect(logged).toMatchObject([{ type: "CallbackRouteError" }])
    const { correlationId } = logged[0] as Error & { correlationId?: string }
    expect(correlationId).toMatch(/^[0-9a-f]{10}$/)
    expect(page).toMatchObject({
      status: 500,
      text: expect.stringContaining(`Reference: <code>${correlationId}</code>`),
    })
  })

  it("R11: a multipart form signs in", async () => {
    const browser = (await openApp(express, setUp().auth())).browser()
    const form = new FormData()
    form.set("csrfToken", await browser.csrf())
    form.set("username", "ada")
    form.set("picture", new Blob(["not looked at"]), "ada.png")

    await browser.ask("/auth/callback/credentials", await multipart(form))

    expect((await browser.get("/me")).json).toMatchObject(ada)
  })

  it("R11: nested fields reach authorize as objects", async () => {
    const received: unknown[] = []
    const authorize: typeof findPerson = ({ user }) => {
      received.push(user)
      return findPerson({ username: "ada" })
    }
    const browser = (await openApp(express, setUp().auth({ providers: [passwords(authorize)] }))).browser()
    const csrfToken = await browser.csrf()

    await browser.post("/auth/callback/credentials", { csrfToken, "user[name]": "x", "user[tags][]": "y" })

    expect(received).toEqual([{ name: "x", tags: ["y"] }])
  })

  it("R12: a JSON client is refused in JSON, with the status that fits", async () => {
    const { auth } = setUp()
    const browser = (await openApp(express, auth())).browser({ accept: "application/json" })

    const withoutToken = await browser.postJson("/auth/signout", {})
    const wrongPassword = await browser.postJson("/auth/callback/credentials", {
      csrfToken: await browser.csrf(),
      username: "mallory",
    })

    expect(withoutToken).toMatchObject({ status: 403, json: { title: "MissingCSRF", status: 403 } })
    expect(wrongPassword).toMatchObject({ status: 401, json: { title: "CredentialsSignin", code: "credentials" } })
    for (const { headers } of [withoutToken, wrongPassword]) {
      expect(headers["content-type"]).toBe("application/problem+json")
      expect(headers.location).toBeUndefined()
    }
  })

  it("R12: HEAD answers like GET, and OPTIONS says what is allowed", async () => {
    const site = await openApp(express, setUp().auth())

    expect(await site.ask("/auth/session", { method: "HEAD" })).toMatchObject({ status: 200, text: "" })
    expect(await site.ask("/auth/session", { method: "OPTIONS" })).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD, POST" },
    })
  })

  it("R15: reads between two renewals encrypt nothing and write no cookie", async () => {
    const { calls, jwt } = countedTokens()
    const { auth, wait } = setUp()
    const browser = (await openApp(express, auth({ jwt, session: { updateAge: day } }))).browser()
    await browser.signIn()
    calls.encode = 0

    wait(day - 1)
    const early = await Promise.all([browser.get("/me"), browser.get("/me"), browser.get("/me")])
    expect(early.map(({ setCookies }) => setCookies)).toEqual([[], [], []])
    expect(calls.encode).toBe(0)

    wait(1)
    const due = await browser.get("/me")
    expect(due.setCookies.filter(isSessionCookie)).toHaveLength(1)
    expect(calls.encode).toBe(1)
  })
})

describe.each(expressVersions)("what fails in Auth.js with OpenID providers, on $version", ({ express }) => {
  const running: OpenIDProvider[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((provider) => provider.close()))
  })

  async function openOpenIDApp(): Promise<Site> {
    const provider = await startOpenIDProvider()
    running.push(provider)
    return openSite(createOpenIDApp(express, provider))
  }

  it("R7: sign-ins that were started in two tabs both finish", async () => {
    const site = await openOpenIDApp()
    const browser = site.browser()
    const first = await startSignIn(browser, `${site.origin}/first`)
    const second = await startSignIn(browser, `${site.origin}/second`)

    const firstReturn = await browser.get(await authenticate(site, first))
    const secondReturn = await browser.get(await authenticate(site, second))

    expect(firstReturn).toMatchObject({ status: 302, location: `${site.origin}/first` })
    expect(secondReturn).toMatchObject({ status: 302, location: `${site.origin}/second` })
    expect((await browser.get("/me")).json).toMatchObject(ada)
    expect([...browser.cookies.keys()].filter((name) => /state|pkce|nonce/.test(name))).toEqual([])
  })

  it("R8: a callback that arrives without its cookies starts again, and then signs in", async () => {
    const site = await openOpenIDApp()
    const callback = await authenticate(site, await startSignIn(site.browser()))
    const other = site.browser()

    const restart = await other.get(callback)
    expect(restart.status).toBe(302)
    expect(restart.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth\?/)
    expect(restart.setCookies.filter(isSessionCookie)).toEqual([])
    await other.get(await authenticate(site, new URL(restart.location)))

    expect((await other.get("/me")).json).toMatchObject(ada)
  })

  it("R8: a callback that is opened a second time leaves the session alone", async () => {
    const site = await openOpenIDApp()
    const browser = site.browser()
    const callback = await authenticate(site, await startSignIn(browser, `${site.origin}/welcome`))
    await browser.get(callback)

    const again = await browser.get(callback)

    expect(again).toMatchObject({ status: 302, location: `${site.origin}/welcome` })
    expect((await browser.get("/me")).json).toMatchObject(ada)
  })
})

function createOpenIDApp(express: ExpressVersion["express"], { issuer, clientId, clientSecret }: OpenIDProvider) {
  const { config, ports } = setUp()
  const provider: Provider = { id: "local", name: "Local", type: "oidc", issuer, clientId, clientSecret }
  // The provider's tokens carry the time of the real clock.
  const auth = createExpressAuth(config({ providers: [provider] }), { ...ports, now: () => Date.now(), fetch })
  return createApp(express, auth)
}

/** Starts a sign-in, and gives the address to which the browser is sent. */
async function startSignIn(browser: Browser, callbackUrl = "/"): Promise<URL> {
  const { location } = await browser.post("/auth/signin/local", { csrfToken: await browser.csrf(), callbackUrl })
  return new URL(location)
}

/** Signs in at the provider, and gives the path on our own site to which it sends the browser back. */
async function authenticate({ origin }: Site, authorization: URL): Promise<string> {
  const { url } = await openBrowser(`${origin}/auth/callback/`)(authorization)
  return url.pathname + url.search
}

function sessionCookies({ cookies }: Browser): readonly (readonly [string, string])[] {
  return [...cookies].filter(([name]) => name.includes("session-token"))
}

function failingDatabase(): never {
  throw new Error("the database is down")
}

async function multipart(form: FormData) {
  const encoded = new Response(form)
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" }
  return { method: "POST", headers, body: new Uint8Array(await encoded.arrayBuffer()) }
}
