/** Records that have expired are cleared away at sign-ins, now and then, and nobody waits for it. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter } from "../../support/core-people.js"
import { outage, silences, watchedAdapter } from "../../support/database-adapter.js"
import { openDatabasePeople } from "../../support/database-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const hour = 60 * 60

describe("a sweep", () => {
  it("is made at a sign-in, at most once an hour, by our own clock", async () => {
    const { another, calls, count } = openDatabasePeople()

    await enter(another())
    expect(calls.filter(({ method }) => method === "deleteExpired")).toEqual([
      { method: "deleteExpired", given: [new Date("2026-03-01T12:00:00.000Z")] },
    ])
    await enter(another())
    advanceClock(hour - 1)
    await enter(another())
    expect(count("deleteExpired")).toBe(1)

    advanceClock(1)
    await enter(another())
    expect(count("deleteExpired")).toBe(2)
  })

  it("removes what is over, and nothing else", async () => {
    const { another, real, tokensOf } = openDatabasePeople({ session: { maxAge: hour } })
    await enter(another())
    advanceClock(hour - 1)
    await enter(another())
    expect(tokensOf("ann")).toHaveLength(2)

    advanceClock(1)
    await enter(another())

    expect(tokensOf("ann")).toHaveLength(2)
    expect(real.deleteExpired()).toEqual({ sessions: 0, verificationTokens: 0 })
  })

  it("is not made by reads, sign-outs and sign-ins that were refused", async () => {
    const { browser, another, count } = openDatabasePeople()
    await enter(browser)
    advanceClock(2 * hour)

    await browser.get("session")
    await enter(another(), { name: "" })
    await browser.submit("signout")

    expect(count("deleteExpired")).toBe(1)
  })

  it("is made once for all configurations of one adapter", async () => {
    const watched = watchedAdapter()
    for (const { browser } of [openDatabasePeople({}, watched), openDatabasePeople({}, watched)]) await enter(browser)

    expect(watched.count("deleteExpired")).toBe(1)
  })

  it.each(silences)("that %s holds nobody up, and is tried again an hour later", async (how, fault) => {
    const { browser, another, faults, log, count } = openDatabasePeople()
    faults.set("deleteExpired", fault)

    await enter(browser)
    await new Promise(setImmediate)

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
    expect(log.types()).toEqual(how === "never answers" ? [] : ["AdapterError"])
    advanceClock(hour)
    await enter(another())
    expect(count("deleteExpired")).toBe(2)
  })

  it("is not asked of an adapter that cannot", async () => {
    const { deleteExpired: _missing, ...adapter } = watchedAdapter().adapter
    const { browser, log } = openDatabasePeople({ adapter })

    await enter(browser)

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
    expect(log.errors).toEqual([])
  })

  it("that fails says what failed", async () => {
    const { browser, faults, log } = openDatabasePeople()
    faults.set("deleteExpired", () => Promise.reject(outage))

    await enter(browser)
    await new Promise(setImmediate)

    expect(log.errors).toMatchObject([{ type: "AdapterError", cause: { err: outage } }])
  })
})
