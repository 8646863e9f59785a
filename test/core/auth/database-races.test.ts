/** Things that happen to database sessions at once (security matrix, A-041 and e.3). */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { AdapterSession } from "../../../src/adapters/contract.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, sessionCookie } from "../../support/core-people.js"
import { door, watchedAdapter, type Door, type Fault, type MethodName } from "../../support/database-adapter.js"
import { openDatabasePeople, tokenIn } from "../../support/database-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const day = 24 * 60 * 60
/** Seconds: nothing here fails by taking long. */
const timeouts = { adapter: 10 }

/** Somebody is signed in, and it is time to prolong. */
async function openDue(given: Parameters<typeof openDatabasePeople>[0] = {}) {
  const people = openDatabasePeople({ timeouts, ...given })
  await enter(people.browser)
  const token = tokenIn(people.browser) ?? ""
  advanceClock(day)
  people.forget()
  return { ...people, token }
}

/** Ways of holding a method up: before it does what it does, or with the answer in its hand. */
const holds: readonly (readonly [when: string, hold: (wait: Fault) => Fault])[] = [
  ["before it looks", (wait) => wait],
  [
    "with the answer in its hand",
    (wait) => async (real, given) => {
      const answer = await real()
      return wait(() => answer, given)
    },
  ],
]

describe("a read and a sign-out at once (A-041, F-43)", () => {
  const held = (["getSessionAndUser", "updateSession"] as const).flatMap((method) =>
    holds.map(([when, hold]) => [method, when, hold] as const),
  )

  it.each(held)("end signed out when %s waits %s and the read comes last", async (method, _when, hold) => {
    const { browser, faults, real, token } = await openDue()
    const { fault, reached, open } = door()
    faults.set(method, hold(fault))
    const reading = browser.get("session")
    await reached

    await browser.submit("signout")
    open()
    await reading

    faults.clear()
    expect(await (await browser.get("session")).json()).toBeNull()
    browser.jar.set(sessionCookie, token)
    expect(await (await browser.get("session")).json()).toBeNull()
    expect(real.getSessionAndUser(token)).toBeNull()
  })

  it.each(holds)("end signed out when the sign-out waits %s and comes last", async (_when, hold) => {
    const { browser, faults, real, token } = await openDue()
    const csrfToken = await browser.csrfToken()
    const { fault, reached, open } = door()
    faults.set("deleteSession", hold(fault))
    const leaving = browser.post("signout", { csrfToken })
    await reached
    faults.clear()

    await browser.get("session")
    open()
    await leaving

    expect(tokenIn(browser)).toBeUndefined()
    expect(real.getSessionAndUser(token)).toBeNull()
    browser.jar.set(sessionCookie, token)
    expect(await (await browser.get("session")).json()).toBeNull()
  })

  it.each([day, 0])(
    "end signed out although the store writes back what it has read, as some without transactions do; updateAge %i",
    async (updateAge) => {
      const { browser, another, faults, real, token } = await openDue({ session: { updateAge } })
      const doors = [door(), door()]
      const waiting = doors.map(({ fault }) => fault)
      faults.set("updateSession", async (_real, given) => {
        const found = real.getSessionAndUser(token) as { session: object } | null
        await waiting.shift()?.(() => undefined, given)
        const session = { ...found?.session, ...(given[0] as object) } as AdapterSession
        real.deleteSession(token)
        return real.createSession(session)
      })
      const [first, second] = doors as [Door, Door]
      const readings = [browser.get("session")]
      await first.reached
      // Where every read writes, a second one is under way when the first is over.
      if (updateAge === 0) {
        readings.push(browser.get("session"))
        await second.reached
        first.open()
        await readings[0]
      }
      await browser.submit("signout")
      for (const { open } of doors) open()
      await Promise.all(readings)

      const thief = another()
      thief.jar.set(sessionCookie, token)
      expect(await (await thief.get("session")).json()).toBeNull()
    },
  )
})

describe("fifty reads at once, when it is time to prolong (F-42)", () => {
  it("make one write, and all answer with the same person", async () => {
    const { browser, count, real, token } = await openDue()

    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.get("session")))

    expect(count("updateSession")).toBe(1)
    for (const answer of answers) expect(await answer.json()).toMatchObject({ user: { name: "ann" } })
    expect(real.getSessionAndUser(token)).toMatchObject({ session: { expires: new Date("2026-04-01T12:00:00.000Z") } })
  })

  it("by two processes make one write each at most", async () => {
    const watched = watchedAdapter()
    const [one, other] = [openDatabasePeople({ timeouts }, watched), openDatabasePeople({ timeouts }, watched)]
    await enter(one.browser)
    other.browser.jar.set(sessionCookie, tokenIn(one.browser) ?? "")
    advanceClock(day)
    watched.forget()

    await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).browser.get("session")))

    expect(watched.count("updateSession")).toBeLessThanOrEqual(2)
  })
})

describe("two sign-ins at once in one browser", () => {
  it("leave it with one session that lives", async () => {
    const { browser } = openDatabasePeople({ timeouts })
    await enter(browser)

    await Promise.all([enter(browser), enter(browser)])

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})

describe("a hundred people at once (F-41)", () => {
  it("each get their own session, and end their own", async () => {
    const watched = watchedAdapter()
    const next = seeded(41)
    for (const method of Object.keys(watched.adapter) as MethodName[]) watched.faults.set(method, delayed(next))
    const { another, tokensOf, log } = openDatabasePeople({ timeouts }, watched)
    const people = Array.from({ length: 100 }, (_, index) => ({ name: `person-${index}`, browser: another() }))

    await Promise.all(people.map(({ name, browser }) => enter(browser, { name })))

    const sessions = await Promise.all(people.map(({ browser }) => browser.session()))
    expect(sessions).toMatchObject(people.map(({ name }) => ({ user: { name, email: `${name}@example.com` } })))
    expect(people.map(({ name }) => tokensOf(name))).toEqual(people.map(({ browser }) => [tokenIn(browser)]))
    expect(new Set(people.map(({ browser }) => tokenIn(browser))).size).toBe(100)

    await Promise.all(people.filter((_, index) => index % 2).map(({ browser }) => browser.submit("signout")))
    const left = await Promise.all(people.map(({ browser }) => browser.session()))
    expect(left.map((session) => session !== null)).toEqual(people.map((_, index) => index % 2 === 0))
    expect(log.errors).toEqual([])
  })

  it("with one name are one person with as many sessions", async () => {
    const watched = watchedAdapter()
    const next = seeded(42)
    for (const method of Object.keys(watched.adapter) as MethodName[]) watched.faults.set(method, delayed(next))
    const { another, tokensOf, count, log } = openDatabasePeople({ timeouts }, watched)
    const browsers = Array.from({ length: 30 }, another)

    await Promise.all(browsers.map((browser) => enter(browser)))

    expect(count("createUser")).toBe(1)
    expect(tokensOf("ann")).toHaveLength(30)
    expect([...tokensOf("ann")].sort()).toEqual(browsers.map(tokenIn).sort())
    expect(log.errors).toEqual([])
  })
})

/** The same numbers between 0 and 1 in every run (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
}

/** Lets up to seven turns of the event loop pass before it does what it does, and after. */
function delayed(next: () => number): Fault {
  const wait = async () => {
    for (let turns = Math.floor(next() * 8); turns > 0; turns--) await new Promise(setImmediate)
  }
  return async (real) => {
    await wait()
    const answer = await real()
    await wait()
    return answer
  }
}
