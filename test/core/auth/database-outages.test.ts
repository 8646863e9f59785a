/** A store that fails, seen from outside: nobody is signed in by it and nobody signed out (security matrix, e.1). */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf, locationOf, setCookiesOf } from "../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, sessionCookie } from "../../support/core-people.js"
import { outage, silences, type MethodName } from "../../support/database-adapter.js"
import { openDatabasePeople, tokenIn } from "../../support/database-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const day = 24 * 60 * 60
const ann = { user: { name: "ann" } }

const sessionCookies = (response: Response) => setCookiesOf(response).filter(({ name }) => name === sessionCookie)

/** Somebody is signed in; what happened until then is forgotten. */
async function openSignedIn(given: Parameters<typeof openDatabasePeople>[0] = {}) {
  const people = openDatabasePeople(given)
  await enter(people.browser)
  people.forget()
  return { ...people, token: tokenIn(people.browser) ?? "" }
}

describe.each(silences)("a store that %s", (_how, fault) => {
  it("while a session is read: 500, one line, the cookie stays, and the session comes back (F-10)", async () => {
    const { browser, faults, log, token } = await openSignedIn()
    faults.set("getSessionAndUser", fault)

    const response = await browser.get("session")

    expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/problem+json"])
    expect(await response.json()).toMatchObject({ title: "Configuration", reference: expect.any(String) })
    expect(sessionCookies(response)).toEqual([])
    expect(log.types()).toEqual(["SessionTokenError"])
    expect(tokenIn(browser)).toBe(token)

    faults.clear()
    expect(await browser.session()).toMatchObject(ann)
  })

  it("while a session is updated: 500, one line, the cookie stays (F-10)", async () => {
    const { browser, faults, log } = await openSignedIn()
    const csrfToken = await browser.csrfToken()
    faults.set("getSessionAndUser", fault)

    const response = await browser.postJson("session", { csrfToken, data: 1 })

    expect([response.status, sessionCookies(response)]).toEqual([500, []])
    expect(log.types()).toEqual(["SessionTokenError"])
  })

  it.each<MethodName>(["getUser", "getUserByEmail", "createUser", "createSession"])(
    "in %s while somebody signs in: nobody is, one line, and the next attempt works (F-09)",
    async (method) => {
      const { browser, faults, log, tokensOf } = openDatabasePeople()
      faults.set(method, fault)

      const response = await enter(browser)

      expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
      expect(sessionCookies(response)).toEqual([])
      expect(log.types()).toEqual(["AdapterError"])
      expect(tokensOf("ann")).toEqual([])
      faults.clear()
      expect(await browser.session()).toBeNull()
      await enter(browser)
      expect(await browser.session()).toMatchObject(ann)
    },
  )

  it("while somebody signs in who is signed in: they stay who they were (F-09)", async () => {
    const { browser, faults, token } = await openSignedIn()
    faults.set("createSession", fault)

    await enter(browser, { name: "bob" })

    faults.clear()
    expect(tokenIn(browser)).toBe(token)
    expect(await browser.session()).toMatchObject(ann)
  })

  it("while a session is prolonged: it is shown, one line, and it is tried again (F-13)", async () => {
    const { browser, faults, log, count } = await openSignedIn()
    advanceClock(day)
    faults.set("updateSession", fault)

    const response = await browser.get("session")

    expect([response.status, await response.json()]).toMatchObject([200, ann])
    expect(log.types()).toEqual(["SessionTokenError"])
    faults.clear()
    await browser.get("session")
    expect(count("updateSession")).toBe(2)
    expect(await browser.session()).toMatchObject({ expires: "2026-04-01T12:00:00.000Z" })
  })

  it("while somebody signs out: the cookie goes, the failure is seen, the token is dead here (F-15)", async () => {
    const told: unknown[] = []
    const { browser, another, faults, log, token, real } = await openSignedIn({
      events: { signOut: (message) => void told.push(message) },
    })
    faults.set("deleteSession", fault)

    const response = await browser.submit("signout")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(sessionCookies(response)).toMatchObject([{ isRemoval: true }])
    expect(log.types()).toEqual(["SignOutError"])
    expect(told).toHaveLength(1)
    const thief = another()
    thief.jar.set(sessionCookie, token)
    expect(await thief.session()).toBeNull()
    expect(real.getSessionAndUser(token)).not.toBeNull()

    faults.clear()
    expect(await thief.session()).toBeNull()
    expect(real.getSessionAndUser(token)).toBeNull()
  })

  it("while what is over is removed: null, the cookie goes, one line (F-16)", async () => {
    const { browser, another, faults, log, token } = await openSignedIn({ session: { maxAge: 100 } })
    advanceClock(100)
    const late = another()
    late.jar.set(sessionCookie, token)
    faults.set("deleteSession", fault)

    const response = await late.get("session")

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(sessionCookies(response)).toMatchObject([{ isRemoval: true }])
    expect(log.types()).toEqual(["SessionTokenError"])
    expect(await browser.session()).toBeNull()
  })
})

describe("a sign-out that fails", () => {
  it.each([
    ["a program that wants JSON", { accept: "application/json" }, 500],
    ["a client that follows redirects itself", { "x-auth-return-redirect": "1" }, 200],
    ["a browser", {}, 302],
  ])("is told to %s, whose cookie goes all the same (F-15)", async (_who, headers, status) => {
    const { browser, faults } = await openSignedIn()
    faults.set("deleteSession", () => Promise.reject(outage))

    const response = await browser.submit("signout", {}, headers)

    expect(response.status).toBe(status)
    if (status === 200)
      expect(await response.json()).toEqual({ url: "https://app.example/auth/error?error=Configuration" })
    if (status === 302) expect(locationOf(response)).toBe("https://app.example/auth/error?error=Configuration")
    expect(sessionCookies(response)).toMatchObject([{ isRemoval: true }])
    expect(tokenIn(browser)).toBeUndefined()
  })

  it("says on the error page under which reference it was logged", async () => {
    const { browser, faults, log } = await openSignedIn()
    faults.set("deleteSession", () => Promise.reject(outage))

    const page = await browser.follow(await browser.submit("signout"))

    const { correlationId } = log.errors[0] ?? {}
    expect([page.status, await page.text()]).toEqual([500, expect.stringContaining(correlationId ?? "no reference")])
  })
})

describe("nonsense from a store", () => {
  const records = ["text", 1, true, {}, [], { session: null, user: null }, { session: {}, user: { id: "1" } }]

  it.each(records)("when a session is read signs nobody in, and says so once: %j (F-12)", async (record) => {
    const { browser, faults, log } = await openSignedIn()
    // Fresh sessions keep their cookie for a while.
    advanceClock(60)
    faults.set("getSessionAndUser", () => record)

    const response = await browser.get("session")

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(sessionCookies(response)).toMatchObject([{ isRemoval: true }])
    expect(log.types()).toEqual(["SessionTokenError"])
  })

  it.each(["text", 1, true, {}, [], { id: "" }, { id: null }])(
    "when a user is looked for signs nobody in: %j (F-24)",
    async (record) => {
      for (const method of ["getUser", "getUserByEmail", "createUser"] as const) {
        const { browser, faults, tokensOf } = openDatabasePeople()
        faults.set(method, () => record)

        expect(errorOf(await enter(browser))).toBe("302 /auth/error?error=Configuration")
        expect(await browser.session()).toBeNull()
        expect(tokensOf("ann")).toEqual([])
      }
    },
  )

  it("when a user is created signs nobody in as somebody else", async () => {
    const { browser, faults, real } = openDatabasePeople()
    real.createUser({ id: "2", name: "Eve", email: "eve@example.com", emailVerified: null })
    faults.set("createUser", () => real.getUser("2"))

    await enter(browser)

    expect(await browser.session()).toBeNull()
    expect(real.listSessionsByUserId("2")).toEqual([])
  })

  it("when a user is looked for by id signs nobody in as somebody else", async () => {
    const { browser, faults, real } = openDatabasePeople()
    real.createUser({ id: "2", name: "Eve", email: "eve@example.com", emailVerified: null })
    faults.set("getUser", () => real.getUser("2"))

    await enter(browser)

    expect(await browser.session()).toBeNull()
    expect(real.listSessionsByUserId("2")).toEqual([])
  })
})

describe("a store that lags behind its writes (F-28)", () => {
  it("does not cost a new session its cookie", async () => {
    const { browser, faults, token } = await openSignedIn()
    faults.set("getSessionAndUser", () => null)

    advanceClock(1)
    const response = await browser.get("session")

    expect([await response.json(), sessionCookies(response)]).toEqual([null, []])
    faults.clear()
    expect(tokenIn(browser)).toBe(token)
    expect(await browser.session()).toMatchObject(ann)
  })
})

describe("a store that is merely slow (F-25)", () => {
  it("signs people in and out", async () => {
    const { browser, faults, adapter, log } = openDatabasePeople({ timeouts: { adapter: 10 } })
    const methods = Object.keys(adapter) as MethodName[]
    for (const method of methods) {
      faults.set(method, async (real) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        return real()
      })
    }

    await enter(browser)
    expect(await browser.session()).toMatchObject(ann)
    await browser.submit("signout")
    expect(await browser.session()).toBeNull()
    expect(log.errors).toEqual([])
  })
})

describe("a promise that nobody waits for any more", () => {
  // Jest fails a test that leaves a rejection to the process.
  it("is never left to the process (F-26)", async () => {
    const { browser, faults, adapter } = await openSignedIn()
    advanceClock(day)
    const late: (() => void)[] = []
    for (const method of Object.keys(adapter) as MethodName[]) {
      faults.set(method, () => new Promise((_, reject) => late.push(() => reject(outage))))
    }
    await browser.get("session")
    await browser.submit("signout")
    await enter(browser)

    for (const reject of late) reject()
    await new Promise(setImmediate)

    expect(late.length).toBeGreaterThan(2)
    faults.clear()
    expect(await browser.session()).toBeNull()
  })
})
