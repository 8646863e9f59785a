/** Database sessions from sign-in to sign-out, through `Auth`. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { AdapterSession } from "../../../src/adapters/contract.js"
import type { AuthConfig } from "../../../src/core/index.js"
import { locationOf, openBrowser, setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { byName, enter, sessionCookie } from "../../support/core-people.js"
import { watchedAdapter } from "../../support/database-adapter.js"
import { openDatabasePeople, tokenIn } from "../../support/database-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ann = { name: "ann", email: "ann@example.com", image: null }

describe("credentials with database sessions", () => {
  it("work from sign-in to sign-out", async () => {
    const { browser, log, callsSince, tokensOf } = openDatabasePeople()

    const entered = await enter(browser, { callbackUrl: "/welcome" })
    expect([entered.status, locationOf(entered)]).toEqual([302, "https://app.example/welcome"])
    expect(tokenIn(browser)).toMatch(uuid)
    expect(tokensOf("ann")).toEqual([tokenIn(browser)])
    expect(callsSince()).toEqual(["getUser", "getUserByEmail", "createUser", "createSession"])

    expect(await browser.session()).toEqual({ user: ann, expires: "2026-03-31T12:00:00.000Z" })
    expect(callsSince()).toEqual(["getSessionAndUser"])

    const left = await browser.submit("signout", { callbackUrl: "/bye" })
    expect([left.status, locationOf(left)]).toEqual([302, "https://app.example/bye"])
    expect(callsSince()).toEqual(["deleteSession"])
    expect(tokensOf("ann")).toEqual([])
    expect(tokenIn(browser)).toBeUndefined()
    expect(await browser.session()).toBeNull()
    expect(log.errors).toEqual([])
  })

  it("create the user at the first sign-in, and find them at the next", async () => {
    const { another, real, callsSince } = openDatabasePeople()
    await enter(another())
    callsSince()

    await enter(another())

    expect(callsSince()).toEqual(["getUser", "createSession"])
    expect(real.getUser("id of ann")).toEqual({ ...ann, id: "id of ann", emailVerified: null })
  })

  it("are what an adapter brings, unless the configuration says jwt", async () => {
    const { adapter, ...watched } = watchedAdapter()
    const byDefault = openDatabasePeople({}, { adapter, ...watched })
    const explicit = openDatabasePeople({ session: { strategy: "database" } }, { adapter, ...watched })
    const token = openDatabasePeople({ session: { strategy: "jwt" } }, { adapter, ...watched })
    for (const { browser } of [byDefault, explicit, token]) await enter(browser)

    expect(tokenIn(byDefault.browser)).toMatch(uuid)
    expect(tokenIn(explicit.browser)).toMatch(uuid)
    expect(tokenIn(token.browser)).toMatch(/^eyJ/)
    expect(byDefault.tokensOf("ann")).toHaveLength(2)
  })

  it("use the token, the ages and the cookie that the configuration asks for", async () => {
    const { browser, another, tokensOf } = openDatabasePeople({
      session: { maxAge: 60, updateAge: 30, generateSessionToken: () => "chosen" },
      cookies: { sessionToken: { name: "sid", options: { sameSite: "strict" } } },
    })

    const [cookie] = setCookiesOf(await enter(browser)).filter(({ name }) => name === "sid")

    expect(cookie).toMatchObject({ value: "chosen" })
    expect(Object.fromEntries(cookie?.attributes ?? [])).toEqual({
      path: "/",
      expires: "Sun, 01 Mar 2026 12:01:00 GMT",
      httponly: "",
      secure: "",
      samesite: "Strict",
    })
    expect(tokensOf("ann")).toEqual(["chosen"])
    // A token that is taken already signs nobody in.
    await enter(another(), { name: "bob" })
    expect(tokensOf("bob")).toEqual([])
  })
})

describe("credentials whose id the store writes in another way", () => {
  // As `uuid` columns of PostgreSQL do with capitals.
  it("sign in all the same", async () => {
    const id = "6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
    const { browser, real, faults } = openDatabasePeople({ providers: [byName(() => ({ id, name: "ann" }))] })
    real.createUser({ id: id.toLowerCase(), name: "ann", email: "ann@example.com", emailVerified: null })
    faults.set("getUser", (_real, [given]) => real.getUser(String(given).toLowerCase()))
    faults.set("createSession", (_real, [given]) => {
      const session = given as AdapterSession
      return real.createSession({ ...session, userId: session.userId.toLowerCase() })
    })

    await enter(browser)

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})

describe("the session cookie of a database session (A-021)", () => {
  it.each([
    ["https://app.example", "__Secure-authjs.session-token", { secure: "" }],
    ["http://localhost:3000", "authjs.session-token", {}],
  ])("on %s holds the token alone and is out of the reach of scripts", async (origin, name, secure) => {
    const { config } = openDatabasePeople()
    const browser = openBrowser(config, undefined, origin)

    const cookies = setCookiesOf(await enter(browser)).filter((cookie) => cookie.name.includes("session-token"))

    expect(cookies).toMatchObject([{ name, value: expect.stringMatching(uuid) }])
    expect(Object.fromEntries(cookies[0]?.attributes ?? [])).toEqual({
      path: "/",
      expires: "Tue, 31 Mar 2026 12:00:00 GMT",
      httponly: "",
      samesite: "Lax",
      ...secure,
    })
    const [removal] = setCookiesOf(await browser.submit("signout")).filter((cookie) => cookie.name === name)
    expect(Object.fromEntries(removal?.attributes ?? [])).toEqual({
      "max-age": "0",
      path: "/",
      httponly: "",
      samesite: "Lax",
      ...secure,
    })
  })
})

describe("signing in again", () => {
  it("makes another session, and the one before is gone for everybody who has it (A-033)", async () => {
    const { browser, another, tokensOf } = openDatabasePeople()
    await enter(browser)
    const first = tokenIn(browser) ?? ""
    const thief = another()
    thief.jar.set(sessionCookie, first)

    await enter(browser)

    expect(tokensOf("ann")).toEqual([tokenIn(browser)])
    expect(tokenIn(browser)).not.toBe(first)
    expect(await thief.session()).toBeNull()
    expect(await browser.session()).toMatchObject({ user: ann })
  })

  it("as somebody else ends the session of the one before", async () => {
    const { browser, tokensOf } = openDatabasePeople()
    await enter(browser)

    await enter(browser, { name: "bob" })

    expect(tokensOf("ann")).toEqual([])
    expect(await browser.session()).toMatchObject({ user: { name: "bob" } })
  })

  it("with a token that somebody planted signs them in under another one", async () => {
    const { browser, another } = openDatabasePeople()
    browser.jar.set(sessionCookie, "planted")

    await enter(browser)

    const thief = another()
    thief.jar.set(sessionCookie, "planted")
    expect(await thief.session()).toBeNull()
    expect(tokenIn(browser)).toMatch(uuid)
  })

  it("that is refused leaves the session as it was", async () => {
    const { browser, tokensOf } = openDatabasePeople()
    await enter(browser)
    const token = tokenIn(browser)

    await enter(browser, { name: "" })

    expect(tokenIn(browser)).toBe(token)
    expect(tokensOf("ann")).toEqual([token])
  })

  it("after the jwt strategy takes over from its cookie, in however many pieces", async () => {
    const watched = watchedAdapter()
    const callbacks: AuthConfig["callbacks"] = { jwt: ({ token }) => ({ ...token, much: "x".repeat(9000) }) }
    const before = openDatabasePeople({ session: { strategy: "jwt" }, callbacks }, watched)
    await enter(before.browser)
    const after = openDatabasePeople({}, watched)
    for (const name of before.browser.jar.names()) after.browser.jar.set(name, before.browser.jar.get(name) ?? "")
    expect(after.browser.jar.names().filter((name) => name.startsWith(sessionCookie)).length).toBeGreaterThan(2)
    watched.forget()

    await enter(after.browser)

    expect(after.browser.jar.names().filter((name) => name.startsWith(sessionCookie))).toEqual([sessionCookie])
    expect(watched.count("getSessionAndUser")).toBe(0)
    expect(await after.browser.session()).toMatchObject({ user: ann })
  })
})

describe("signing out (A-034)", () => {
  it("ends this session for everybody who has its token, and no other", async () => {
    const { browser, another, tokensOf } = openDatabasePeople()
    const phone = another()
    await enter(phone)
    await enter(browser)
    const token = tokenIn(browser) ?? ""

    await browser.submit("signout")

    browser.jar.set(sessionCookie, token)
    expect(await (await browser.get("session")).json()).toBeNull()
    expect(await phone.session()).toMatchObject({ user: ann })
    expect(tokensOf("ann")).toEqual([tokenIn(phone)])
  })

  it("needs the CSRF token", async () => {
    const { browser, tokensOf } = openDatabasePeople()
    await enter(browser)

    await browser.post("signout", { csrfToken: "forged" })

    expect(tokensOf("ann")).toEqual([tokenIn(browser)])
  })

  it("without a session asks the store nothing", async () => {
    const { browser, count } = openDatabasePeople()

    const response = await browser.submit("signout")

    expect(locationOf(response)).toBe("https://app.example")
    expect(setCookiesOf(response).filter(({ name }) => name === sessionCookie)).toEqual([])
    expect(count()).toBe(0)
  })
})

describe("two apps over one store", () => {
  it("share every session, and its end", async () => {
    const watched = watchedAdapter()
    const [one, other] = [openDatabasePeople({}, watched), openDatabasePeople({}, watched)]
    await enter(one.browser)
    for (const name of one.browser.jar.names()) other.browser.jar.set(name, one.browser.jar.get(name) ?? "")

    expect(await other.browser.session()).toMatchObject({ user: ann })
    await other.browser.submit("signout")
    expect(await one.browser.session()).toBeNull()
  })
})

describe("a user who is deleted", () => {
  it("is signed out everywhere (A-035)", async () => {
    const { browser, another, real } = openDatabasePeople()
    const phone = another()
    await enter(browser)
    await enter(phone)

    real.deleteUser("id of ann")

    for (const each of [browser, phone]) {
      const response = await each.get("session")
      expect(await response.json()).toBeNull()
    }
  })

  it("while they sign in gets no session (F-46)", async () => {
    const { browser, real, faults, tokensOf } = openDatabasePeople()
    await enter(browser)
    faults.set("createSession", (create) => {
      real.deleteUser("id of ann")
      return create()
    })

    const response = await enter(browser)

    expect(setCookiesOf(response).filter(({ name, isRemoval }) => name === sessionCookie && !isRemoval)).toEqual([])
    expect(await browser.session()).toBeNull()
    expect(tokensOf("ann")).toEqual([])
  })
})
