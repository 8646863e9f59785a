/** What programs get instead of pages and redirects. */
import { describe, expect, it } from "@jest/globals"
import { CredentialsSignin } from "../../src/index.js"
import { catchErrors, createApp, openApp } from "../support/express-apps.js"
import { isSessionCookie, passwords, setUp } from "../support/express-setup.js"
import { openSite } from "../support/express-site.js"
import { expressVersions } from "../support/express-versions.js"

const asJson = { accept: "application/json" } as const
const returned = { "x-auth-return-redirect": "1" } as const

class LockedOut extends CredentialsSignin {
  override code = "locked_out"
}

describe.each(expressVersions)("clients that accept JSON, on $version", ({ express }) => {
  it.each([
    "application/json",
    "application/problem+json",
    "application/json, text/plain, */*",
    "application/vnd.api+json",
  ])("get problem details when they accept %s", async (accept) => {
    const browser = (await openApp(express, setUp().auth())).browser({ accept })

    expect(await browser.post("/auth/signout", {})).toMatchObject({
      status: 403,
      headers: { "content-type": "application/problem+json" },
      json: { title: "MissingCSRF", status: 403 },
      location: "",
    })
  })

  it.each(["text/html,application/json", "*/*", "text/html", ""])(
    "get a redirect when they accept %j",
    async (accept) => {
      const site = await openApp(express, setUp().auth())

      expect(await site.browser({ accept }).post("/auth/signout", {})).toMatchObject({
        status: 302,
        location: `${site.origin}/auth/signin?error=MissingCSRF`,
      })
    },
  )

  it("learn that their credentials are wrong, and the code that authorize gave", async () => {
    const authorize = (): never => {
      throw new LockedOut()
    }
    const browser = (await openApp(express, setUp().auth({ providers: [passwords(authorize)] }))).browser(asJson)

    const reply = await browser.postJson("/auth/callback/credentials", { csrfToken: await browser.csrf() })

    expect(reply).toMatchObject({ status: 401, json: { title: "CredentialsSignin", status: 401, code: "locked_out" } })
    expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
  })

  it("learn that they are denied", async () => {
    const browser = (await openApp(express, setUp().auth({ callbacks: { signIn: () => false } }))).browser(asJson)

    const reply = await browser.postJson("/auth/callback/credentials", {
      csrfToken: await browser.csrf(),
      username: "ada",
    })

    expect(reply).toMatchObject({ status: 403, json: { title: "AccessDenied" }, location: "" })
    expect(reply.setCookies.filter(isSessionCookie)).toEqual([])
  })

  it("learn that there is no such provider", async () => {
    const { auth, logged } = setUp()
    const browser = (await openApp(express, auth())).browser(asJson)

    const reply = await browser.postJson("/auth/callback/nobody", { csrfToken: await browser.csrf() })

    expect(reply).toMatchObject({ status: 400, headers: { "content-type": "application/problem+json" } })
    expect(logged).toMatchObject([{ type: "InvalidProvider" }])
    expect(String(logged[0])).toContain("credentials")
  })

  it("learn nothing of a fault but its reference, which is also in the log", async () => {
    const authorize = (): never => {
      throw new Error("connection to db.internal refused")
    }
    const { auth, logged } = setUp()
    const browser = (await openApp(express, auth({ providers: [passwords(authorize)] }))).browser(asJson)

    const reply = await browser.postJson("/auth/callback/credentials", { csrfToken: await browser.csrf() })

    const { correlationId } = logged[0] as Error & { correlationId: string }
    expect(reply).toMatchObject({
      status: 500,
      json: { title: "Configuration", status: 500, reference: correlationId },
    })
    expect(reply.text).not.toMatch(/db\.internal|CallbackRouteError|stack|at /)
  })

  it("are told where to go when they have signed in or out, instead of being sent there", async () => {
    const site = await openApp(express, setUp().auth())
    const browser = site.browser(asJson)
    const csrfToken = await browser.csrf()

    const signedIn = await browser.postJson("/auth/callback/credentials", {
      csrfToken,
      username: "ada",
      callbackUrl: "/x",
    })
    const session = await browser.get("/auth/session")
    const signedOut = await browser.postJson("/auth/signout", { csrfToken })

    expect(signedIn).toMatchObject({ status: 200, json: { url: `${site.origin}/x` } })
    expect(session.json).toMatchObject({ user: { name: "Ada Lovelace" } })
    expect(signedOut).toMatchObject({ status: 200, json: { url: `${site.origin}/x` } })
  })
})

describe.each(expressVersions)("X-Auth-Return-Redirect on $version", ({ express }) => {
  it.each(["1", "true", "", "0"])(
    "turns a success into its address, with its cookies, whatever its value: %j",
    async (value) => {
      const site = await openApp(express, setUp().auth())
      const browser = site.browser({ "x-auth-return-redirect": value })

      const signedIn = await browser.signIn({ callbackUrl: "/x" })
      const signedOut = await browser.signOut()

      expect(signedIn).toMatchObject({
        status: 200,
        json: { url: `${site.origin}/x` },
        location: `${site.origin}/x`,
        headers: { "content-type": "application/json" },
      })
      expect(signedIn.setCookies.filter(isSessionCookie)).toHaveLength(1)
      expect(signedOut).toMatchObject({ status: 200, json: { url: `${site.origin}/x` } })
      expect(browser.cookies.has("authjs.session-token")).toBe(false)
    },
  )

  it("turns a refusal into the address of the page that tells of it, without cookies", async () => {
    const { auth } = setUp()
    const site = await openApp(express, auth({ callbacks: { signIn: ({ user }) => user.name !== "Grace Hopper" } }))
    const browser = site.browser(returned)
    const csrfToken = await browser.csrf()
    const credentials = "/auth/callback/credentials"

    for (const [path, form, page] of [
      [credentials, { csrfToken, username: "mallory" }, "signin?error=CredentialsSignin&code=credentials"],
      [credentials, { csrfToken, username: "grace" }, "error?error=AccessDenied"],
      [credentials, { username: "ada" }, "signin?error=MissingCSRF"],
      ["/auth/callback/nobody", { csrfToken }, "error?error=Configuration"],
    ] as const) {
      expect(await browser.post(path, form)).toMatchObject({
        status: 200,
        json: { url: `${site.origin}/auth/${page}` },
        setCookies: [],
      })
    }
  })

  it("wins over Accept, and over error middleware", async () => {
    const authorize = (): never => {
      throw new Error("the database is down")
    }
    const { caught, middleware } = catchErrors()
    const { auth, logged } = setUp()
    const app = createApp(express, auth({ providers: [passwords(authorize)] }))
    app.use(middleware)
    const site = await openSite(app)

    const reply = await site.browser({ ...asJson, ...returned }).signIn()

    expect(reply).toMatchObject({ status: 200, json: { url: `${site.origin}/auth/error?error=Configuration` } })
    expect(caught).toEqual([])
    expect(logged).toMatchObject([{ type: "CallbackRouteError" }])
  })

  it("makes addresses absolute also where pages are paths", async () => {
    const site = await openApp(express, setUp().auth({ pages: { signIn: "/login", error: "oops?x=1" } }))
    const browser = site.browser(returned)

    expect((await browser.post("/auth/signout", {})).json).toEqual({ url: `${site.origin}/login?error=MissingCSRF` })
    expect((await browser.get("/auth/callback/nobody")).json).toEqual({
      url: `${site.origin}/oops?x=1&error=Configuration`,
    })
    expect((await browser.get("/auth/signin?callbackUrl=/a")).json).toEqual({
      url: `${site.origin}/login?callbackUrl=${encodeURIComponent(`${site.origin}/a`)}`,
    })
  })

  it("changes nothing about what is no redirect", async () => {
    const browser = (await openApp(express, setUp().auth())).browser(returned)

    expect(await browser.get("/auth/session")).toMatchObject({ status: 200, text: "null" })
    expect(await browser.get("/auth/signin")).toMatchObject({ status: 200, text: expect.stringContaining("<!DOCTYPE") })
    expect(await browser.postJson("/auth/session", {})).toMatchObject({ status: 400, text: "null" })
    expect(await browser.ask("/auth/session", { method: "PUT" })).toMatchObject({ status: 405 })
  })
})
