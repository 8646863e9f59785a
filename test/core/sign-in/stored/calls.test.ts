/** Which methods of an adapter a sign-in calls, in which order and with what: wire contract, section 12.1. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { locationOf, setCookiesOf } from "../../../support/core-browser.js"
import { freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { accessToken, refreshToken } from "../../../../src/testing/faulty-provider.js"
import {
  ada,
  countOf,
  expectSignedIn,
  forget,
  openStoredSite,
  sessionCookie,
  signInAs,
} from "../../../support/stored-site.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const month = 30 * 24 * 60 * 60 * 1000
const key = { provider: "idp", providerAccountId: "ada" }
const tokens = () => ({
  access_token: accessToken,
  refresh_token: refreshToken,
  id_token: expect.stringMatching(/^eyJ/),
  token_type: "bearer",
  scope: "openid profile email",
  expires_at: nowInSeconds() + 3600,
})

describe("a first sign-in", () => {
  it("under database: looks for the account, then the address; creates the user, links, starts a session", async () => {
    const site = openStoredSite()
    const { stored } = site

    expectSignedIn(await signInAs(site))

    const id = stored.users[0]?.id
    const session = { sessionToken: expect.stringMatching(uuid), userId: id, expires: new Date(Date.now() + month) }
    expect(stored.calls).toEqual([
      ["getUserByAccount", key],
      ["getUserByAccount", key],
      ["getUserByEmail", "ada@example.com"],
      [
        "createUser",
        { id: expect.stringMatching(uuid), name: "Ada Lovelace", email: "ada@example.com", emailVerified: null },
      ],
      ["linkAccount", { ...key, type: "oidc", userId: id, ...tokens() }],
      ["createSession", session],
    ])
    expect(site.log.errors).toEqual([])
  })

  it("under jwt: the same without a session", async () => {
    const site = openStoredSite({ strategy: "jwt" })

    expectSignedIn(await signInAs(site))

    expect(site.stored.called()).toEqual([
      ...["getUserByAccount", "getUserByAccount", "getUserByEmail"],
      ...["createUser", "linkAccount"],
    ])
    expect(site.log.errors).toEqual([])
  })

  it("writes both at once where the adapter can", async () => {
    const site = openStoredSite({ stored: { extras: ["createUserWithAccount"] } })

    await signInAs(site)

    const [user, account] = site.stored.calls.find(([name]) => name === "createUserWithAccount")?.slice(1) ?? []
    expect(user).toMatchObject({ email: "ada@example.com", emailVerified: null })
    expect(account).toEqual({ ...key, type: "oidc", ...tokens() })
    expect(site.stored.called()).not.toContain("linkAccount")
  })

  it("gives the cookie the token and the expiry that createSession returned", async () => {
    const site = openStoredSite()
    const expires = new Date(Date.now() + 60_000)
    site.stored.faults.set("createSession", async (work) => ({
      ...((await work()) as object),
      sessionToken: "another-token",
      expires: expires.toISOString(),
    }))

    const response = await signInAs(site)

    const cookie = setCookiesOf(response).find(({ name }) => name === sessionCookie)
    expect(cookie?.value).toBe("another-token")
    expect(cookie?.attributes.get("expires")).toBe(expires.toUTCString())
  })

  it("asks generateSessionToken for the token, and maxAge for the expiry", async () => {
    const site = openStoredSite({ session: { generateSessionToken: () => "made-by-the-app", maxAge: 60 } })

    await signInAs(site)

    expect(site.stored.sessions).toMatchObject([
      { sessionToken: "made-by-the-app", expires: new Date(Date.now() + 60_000) },
    ])
    expect(site.browser.jar.get(sessionCookie)).toBe("made-by-the-app")
  })

  it("goes by the id that the adapter gave, in account, session and token", async () => {
    const idFor = () => "7"
    const byRecord = openStoredSite({ stored: { idFor } })
    await signInAs(byRecord)
    expect(byRecord.stored.accounts).toMatchObject([{ userId: "7" }])
    expect(byRecord.stored.sessions).toMatchObject([{ userId: "7" }])

    const subjects: unknown[] = []
    const jwt = ({ token }: { readonly token: object & { readonly sub?: string } }) => (subjects.push(token.sub), token)
    await signInAs(openStoredSite({ strategy: "jwt", stored: { idFor }, callbacks: { jwt } }))
    expect(subjects).toEqual(["7"])
  })

  it("works with an adapter whose ids are numbers", async () => {
    const subjects: unknown[] = []
    const jwt = ({ token }: { readonly token: object & { readonly sub?: string } }) => (subjects.push(token.sub), token)
    const site = openStoredSite({ strategy: "jwt", stored: { idFor: () => 7 as never }, callbacks: { jwt } })

    expectSignedIn(await signInAs(site))
    expectSignedIn(await signInAs(site))

    expect(new Set(subjects)).toEqual(new Set(["7"]))
    expect(countOf(site.stored)).toMatchObject({ users: 1, accounts: 1 })
  })

  it("keeps of the account what account() returns, and never lets it say whose it is", async () => {
    const account = ({ access_token }: { readonly access_token?: string }) => ({
      access_token,
      tenant: "t",
      provider: "evil",
      providerAccountId: "evil",
      type: "evil",
      userId: "evil",
    })
    const site = openStoredSite({ provider: { account } })

    await signInAs(site)

    const userId = site.stored.users[0]?.id
    expect(site.stored.accounts).toEqual([{ ...key, type: "oidc", access_token: accessToken, tenant: "t", userId }])
  })

  it.each([undefined, null, false])("keeps no tokens when account() returns %j", async (nothing) => {
    const site = openStoredSite({ provider: { account: () => nothing } as never })

    await signInAs(site)

    expect(site.stored.accounts).toEqual([{ ...key, type: "oidc", userId: site.stored.users[0]?.id }])
  })

  it("writes nothing when account() throws", async () => {
    const site = openStoredSite({
      provider: {
        account: () => {
          throw new Error("no such token")
        },
      },
    })

    const response = await signInAs(site)

    expect(locationOf(response)).toBe("https://app.example/auth/error?error=Configuration")
    expect(site.stored.writes()).toEqual([])
    expect(site.log.types()).toEqual(["CallbackRouteError"])
  })

  it("takes a person without an address", async () => {
    const site = openStoredSite()

    expectSignedIn(await signInAs(site, { sub: "ada", name: "Ada" }))
    expectSignedIn(await signInAs({ ...site, browser: site.another() }, { sub: "eve", name: "Eve" }))

    expect(site.stored.called()).not.toContain("getUserByEmail")
    expect(countOf(site.stored)).toEqual({ users: 2, accounts: 2, sessions: 2 })
  })
})

describe("a second sign-in", () => {
  it("A-033, A-078: finds the user, starts another session, and deletes the old one", async () => {
    const site = openStoredSite()
    await signInAs(site)
    const old = site.browser.jar.get(sessionCookie)
    forget(site)

    expectSignedIn(await signInAs(site))

    const sessionToken = site.browser.jar.get(sessionCookie)
    expect(sessionToken).not.toBe(old)
    expect(site.stored.calls).toEqual([
      ["getUserByAccount", key],
      ["getSessionAndUser", old],
      ["getUserByAccount", key],
      ["createSession", { sessionToken, userId: site.stored.users[0]?.id, expires: new Date(Date.now() + month) }],
      ["deleteSession", old],
    ])
    expect(countOf(site.stored)).toEqual({ users: 1, accounts: 1, sessions: 1 })
  })

  it("keeps the fresh tokens where the adapter can", async () => {
    const site = openStoredSite({ stored: { extras: ["updateAccount"] } })
    await signInAs(site)
    const userId = site.stored.users[0]?.id
    forget(site)
    site.idps.idp.faults = { token: (body) => ({ ...body, access_token: "fresh" }) }

    await signInAs(site)

    expect(site.stored.writes()[0]).toEqual([
      "updateAccount",
      { ...key, type: "oidc", ...tokens(), access_token: "fresh" },
    ])
    expect(site.stored.accounts).toEqual([{ ...key, type: "oidc", userId, ...tokens(), access_token: "fresh" }])
  })

  it("keeps the account with its user, whatever account() returns", async () => {
    const account = () => ({ access_token: "a", userId: "evil" })
    const site = openStoredSite({ stored: { extras: ["updateAccount"] }, provider: { account } })
    await signInAs(site)

    await signInAs(site)

    expect(site.stored.accounts[0]?.userId).toBe(site.stored.users[0]?.id)
  })

  it("from a browser with a stale cookie deletes what is not there, and does not mind", async () => {
    const site = openStoredSite()
    await signInAs(site)
    site.stored.sessions.length = 0
    site.stored.faults.set("deleteSession", () => Promise.reject(new Error("record not found")))

    expectSignedIn(await signInAs(site))

    expect(site.log.errors).toEqual([])
    expect(site.stored.sessions).toHaveLength(1)
  })

  it.each([
    ["a space", "x y"],
    ["a semicolon", "a;b"],
    ["a letter beyond ASCII", "\u00e9"],
    ["2000 characters", "x".repeat(2000)],
  ])("never asks the store for what cannot be a token: %s", async (_, value) => {
    const site = openStoredSite()
    site.browser.jar.set(sessionCookie, encodeURIComponent(value))

    expectSignedIn(await signInAs(site))

    expect(site.stored.called()).not.toContain("getSessionAndUser")
    expect(site.stored.called()).not.toContain("deleteSession")
  })
})

describe("F-23: a method that is missing", () => {
  it.each(["createUser", "getUserByAccount", "linkAccount", "getUserByEmail", "createSession"] as const)(
    "is named before the first request: %s",
    async (method) => {
      const site = openStoredSite({ stored: { lacks: [method] } })

      const response = await site.browser.get("signin")

      expect(response.status).toBe(500)
      expect(site.log.types()).toEqual(["MissingAdapterMethods"])
      expect(site.log.errors[0]?.message).toContain(method)
      expect(site.stored.calls).toEqual([])
    },
  )

  it("at run time fails that sign-in, and says which", async () => {
    const site = openStoredSite()
    delete site.stored.adapter.linkAccount

    const response = await signInAs(site)

    expect(locationOf(response)).toBe("https://app.example/auth/error?error=Configuration")
    expect(site.log.types()).toEqual(["AdapterError"])
    expect(site.log.text()).toContain("linkAccount")
    expect(countOf(site.stored)).toEqual({ users: 0, accounts: 0, sessions: 0 })
  })
})

describe("an adapter that is a class", () => {
  it("is called as it is written, with methods that call each other", async () => {
    const { stored } = openStoredSite()
    class Adapter {
      readonly own = stored.adapter
      getUserByAccount = (...given: never[]) => Reflect.apply(this.own.getUserByAccount as never, this.own, given)
      getUser = this.own.getUser
      getUserByEmail = this.own.getUserByEmail
      async createUser(user: never) {
        return this.save(user)
      }
      save(user: never) {
        return this.own.createUser?.(user)
      }
      linkAccount(account: never) {
        return this.own.linkAccount?.(account)
      }
    }
    const adapter = new Adapter()
    const site = openStoredSite({ strategy: "jwt", adapter: adapter as never })

    expectSignedIn(await signInAs(site, ada))

    expect(countOf(stored)).toMatchObject({ users: 1, accounts: 1 })
  })
})
