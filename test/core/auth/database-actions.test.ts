/** What the session action shows of a database session, and who is told. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../src/core/index.js"
import { setCookiesOf } from "../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, sessionCookie } from "../../support/core-people.js"
import { openDatabasePeople, tokenIn } from "../../support/database-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const day = 24 * 60 * 60
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ann = { name: "ann", email: "ann@example.com", image: null }

/** Handlers that keep what they are told. */
function recordEvents() {
  const told: unknown[] = []
  const record = (name: string) => (message: unknown) => void told.push([name, structuredClone(message)])
  const events = Object.fromEntries(["signIn", "signOut", "createUser", "session"].map((name) => [name, record(name)]))
  return { told, events: events as NonNullable<AuthConfig["events"]> }
}

describe("GET session", () => {
  it("sets the cookie anew each time, writes once per updateAge, and shows the expiry from before", async () => {
    const { browser, callsSince } = openDatabasePeople()
    await enter(browser)
    callsSince()

    advanceClock(60)
    const early = await browser.get("session")
    expect(await early.json()).toEqual({ user: ann, expires: "2026-03-31T12:00:00.000Z" })
    expect(setCookiesOf(early)).toMatchObject([{ name: sessionCookie, value: tokenIn(browser) }])
    expect(setCookiesOf(early)[0]?.attributes.get("expires")).toBe("Tue, 31 Mar 2026 12:01:00 GMT")
    expect(callsSince()).toEqual(["getSessionAndUser"])

    advanceClock(day - 60)
    const due = await browser.get("session")
    expect(await due.json()).toEqual({ user: ann, expires: "2026-03-31T12:00:00.000Z" })
    expect(setCookiesOf(due)[0]?.attributes.get("expires")).toBe("Wed, 01 Apr 2026 12:00:00 GMT")
    expect(callsSince()).toEqual(["getSessionAndUser", "updateSession"])
    expect(await browser.session()).toMatchObject({ expires: "2026-04-01T12:00:00.000Z" })
  })

  it("ends a session that is over: null, no record, no cookie", async () => {
    const { browser, another, log, real, callsSince } = openDatabasePeople({ session: { maxAge: 100 } })
    await enter(browser)
    const token = tokenIn(browser) ?? ""
    callsSince()
    const thief = another()
    thief.jar.set(sessionCookie, token)

    advanceClock(100)
    const response = await thief.get("session")

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(setCookiesOf(response).filter(({ name }) => name === sessionCookie)).toMatchObject([{ isRemoval: true }])
    expect(callsSince()).toEqual(["getSessionAndUser", "deleteSession"])
    expect(real.getSessionAndUser(token)).toBeNull()
    expect(log.errors).toEqual([])
  })

  it("is not kept by caches", async () => {
    const { browser } = openDatabasePeople()
    await enter(browser)

    const { headers } = await browser.get("session")

    expect(headers.get("cache-control")).toMatch(/no-store/)
    expect(headers.get("vary")).toMatch(/cookie/i)
  })

  it("answers HEAD without a body, and prolongs as GET does", async () => {
    const { browser, callsSince } = openDatabasePeople()
    await enter(browser)
    advanceClock(day)
    callsSince()

    const response = await browser.send("HEAD", "session")

    expect([response.status, await response.text()]).toEqual([200, ""])
    expect(callsSince()).toEqual(["getSessionAndUser", "updateSession"])
  })
})

describe("POST session", () => {
  const update = async (people: ReturnType<typeof openDatabasePeople>, data: unknown, csrfToken?: string) =>
    people.browser.postJson("session", { csrfToken: csrfToken ?? (await people.browser.csrfToken()), data })

  it("hands what the client sent to the session callback, and answers with what that returns", async () => {
    const people = openDatabasePeople({
      callbacks: {
        session: ({ session, newSession, trigger }) => ({
          ...session,
          seen: { newSession: newSession as unknown, trigger },
        }),
      },
    })
    await enter(people.browser)

    const response = await update(people, { name: "Anna" })

    expect(await response.json()).toMatchObject({ seen: { newSession: { name: "Anna" }, trigger: "update" } })
    expect(setCookiesOf(response)).toMatchObject([{ name: sessionCookie, value: tokenIn(people.browser) }])
  })

  it("changes nothing without a callback (A-036)", async () => {
    const people = openDatabasePeople()
    await enter(people.browser)
    const before = people.real.getSessionAndUser(tokenIn(people.browser) ?? "")

    for (const data of [
      { user: { id: "2", name: "Eve" }, userId: "2", sessionToken: "x", expires: 9e9 },
      "text",
      ["a"],
    ]) {
      expect(await (await update(people, data)).json()).toEqual({ user: ann, expires: "2026-03-31T12:00:00.000Z" })
    }
    expect(people.real.getSessionAndUser(tokenIn(people.browser) ?? "")).toEqual(before)
  })

  it("needs the CSRF token, and does not touch the store without it", async () => {
    const people = openDatabasePeople()
    await enter(people.browser)
    people.forget()

    const response = await update(people, { name: "Eve" }, "forged")

    expect([response.status, await response.json()]).toEqual([400, null])
    expect(people.count()).toBe(0)
  })

  it("answers null when nobody is signed in", async () => {
    const people = openDatabasePeople()

    expect(await (await update(people, { name: "Eve" })).json()).toBeNull()
    expect(people.count()).toBe(0)
  })
})

describe("the session token", () => {
  it("is in no answer, page or log, whatever the session callback returns", async () => {
    const { browser, log } = openDatabasePeople({
      debug: true,
      callbacks: { session: ({ session }) => session },
    })
    const texts = [await (await enter(browser)).text()]
    const token = tokenIn(browser) ?? ""
    for (const path of ["session", "signin", "signout", "providers", "error", "csrf"]) {
      texts.push(await (await browser.get(path)).text())
    }
    const csrfToken = await browser.csrfToken()
    texts.push(await (await browser.postJson("session", { csrfToken, data: 1 })).text())
    expect(texts[1]).toContain('"userId":"id of ann"')
    texts.push(await (await browser.submit("signout")).text())

    expect(token).toMatch(uuid)
    for (const text of texts) expect(text).not.toContain(token)
    expect(log.text()).toContain("adapter_getSessionAndUser")
    expect(log.text()).not.toContain(token)
  })
})

describe("events", () => {
  it("tell of each step, and of the session by what it shows", async () => {
    const { told, events } = recordEvents()
    const { browser } = openDatabasePeople({ events })

    await enter(browser)
    const token = tokenIn(browser)
    await browser.get("session")
    await browser.submit("signout")

    const user = { ...ann, id: "id of ann" }
    const account = { provider: "credentials", type: "credentials", providerAccountId: "id of ann" }
    const expires = new Date("2026-03-31T12:00:00.000Z")
    expect(told).toEqual([
      ["createUser", { user: { ...user, emailVerified: null } }],
      ["signIn", { user, account }],
      ["session", { session: { user: ann, expires: expires.toISOString() } }],
      ["signOut", { session: { sessionToken: token, userId: "id of ann", expires } }],
    ])
  })

  it("say nothing of a session that is over, and change nothing when they throw", async () => {
    const told: unknown[] = []
    const fail = (message: unknown) => {
      told.push(message)
      throw new Error("analytics are down")
    }
    const { browser, log } = openDatabasePeople({
      session: { maxAge: 100 },
      events: { session: fail, signIn: fail, signOut: fail, createUser: fail },
    })

    await enter(browser)
    expect(await browser.session()).toMatchObject({ user: ann })
    await browser.submit("signout")
    expect(told).toHaveLength(4)
    expect(log.types()).toEqual(["EventError", "EventError", "EventError", "EventError"])

    await enter(browser)
    told.splice(0)
    advanceClock(100)
    await browser.get("session")
    expect(told).toEqual([])
  })
})
