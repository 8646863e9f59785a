/** A store that fails: nobody is signed in by it, nobody signed out (security matrix, F-09 to F-16, F-25 to F-28). */
import { describe, expect, it } from "@jest/globals"
import { AdapterError, SessionTokenError, SignOutError } from "../../../src/core/errors.js"
import { door, outage, silences, type MethodName } from "../../support/database-adapter.js"
import { at, day, isoAfter, maxAge, setting } from "./setup.js"
import {
  alive,
  annSignsIn,
  cleared,
  cookieUntil,
  headerOf,
  holding,
  readAs,
  readers,
  setUp,
  signedOut,
  type SetUp,
} from "./database-setup.js"

/** What a method fails with, but for what its adapter threw. */
const because = (method: MethodName) => ({ type: "AdapterError", cause: { method, err: expect.any(Error) } })

describe.each(silences)("a store that %s", (_how, fault) => {
  it.each(readers)(
    "while it is read is an error, and the session is there again afterwards, for %s (F-10)",
    async (_who, read) => {
      const given = setUp()
      given.keep()
      given.faults.set("getSessionAndUser", fault)

      await expect(async () => read(given)).rejects.toMatchObject({
        type: "SessionTokenError",
        cause: { err: because("getSessionAndUser") },
      })
      // Whoever answers the request logs it.
      expect(given.logger.errors).toEqual([])

      given.faults.clear()
      expect(await read(given)).toMatchObject(alive)
    },
  )

  it("while it is asked whose session it is fails the sign-in, and tells nobody apart (F-11)", async () => {
    const given = setUp()
    given.keep()
    given.faults.set("getSessionAndUser", fault)

    await expect(given.sessions.currentUser(at(holding()))).rejects.toBeInstanceOf(SessionTokenError)
  })

  it("while a session is made leaves the one before (F-09)", async () => {
    const given = setUp()
    given.keep()
    given.faults.set("createSession", fault)

    await expect(given.sessions.create(at(holding()), annSignsIn)).rejects.toMatchObject(because("createSession"))

    expect(given.count("deleteSession")).toBe(0)
    given.faults.clear()
    expect(await readAs(given)).toMatchObject(alive)
    expect(await given.sessions.create(at(holding()), annSignsIn)).toEqual([cookieUntil(maxAge, "generated-2")])
  })

  it.each(readers)(
    "while a session is prolonged shows it all the same, and tries again, for %s (F-13)",
    async (_who, read) => {
      const given = setUp()
      given.keep()
      given.clock.now += day * 1000
      given.faults.set("updateSession", fault)

      expect(await read(given)).toMatchObject({ session: { user: { name: "Ann" }, expires: isoAfter(maxAge) } })
      expect(given.logger.errors).toMatchObject([
        { type: "SessionTokenError", cause: { err: because("updateSession") } },
      ])
      expect(given.expiryOf()).toBe(maxAge)

      given.faults.clear()
      await read(given)
      expect(given.expiryOf()).toBe(day + maxAge)
      expect(given.logger.errors).toHaveLength(1)
    },
  )

  it("while somebody signs out ends the session here, and deletes it when it is used next (F-15)", async () => {
    const given = setUp()
    given.keep()
    given.faults.set("deleteSession", fault)

    const ended = await given.sessions.end(at(holding()))

    expect(ended).toMatchObject({ cookies: [cleared], event: {} })
    expect(ended.failure).toBeInstanceOf(SignOutError)
    expect(ended.failure).toMatchObject({ cause: { err: because("deleteSession") } })
    for (const [, read] of readers) expect(await read(given)).toEqual(signedOut)
    expect(await given.sessions.currentUser(at(holding()))).toBeNull()
    expect(given.expiryOf()).toBe(maxAge)

    given.faults.clear()
    expect(await readAs(given)).toEqual(signedOut)
    expect(given.expiryOf()).toBeUndefined()
  })

  it("while what is over is removed says that there is no session, and logs (F-16)", async () => {
    const given = setUp()
    given.keep("tok", 0)
    given.faults.set("deleteSession", fault)

    for (const [, read] of readers) expect(await read(given)).toEqual(signedOut)

    expect(given.logger.errors).toHaveLength(readers.length)
    for (const error of given.logger.errors) expect(error).toMatchObject({ cause: { err: because("deleteSession") } })
  })

  it("at every method signs nobody in and nobody out", async () => {
    const given = setUp()
    given.keep()
    for (const method of Object.keys(given.adapter) as MethodName[]) given.faults.set(method, fault)

    await expect(readAs(given)).rejects.toBeInstanceOf(SessionTokenError)
    await expect(given.sessions.create(at(holding()), annSignsIn)).rejects.toBeInstanceOf(AdapterError)

    given.faults.clear()
    expect(await readAs(given)).toMatchObject(alive)
  })

  it("at every method is seen by whoever signs out, and the session is dead here (F-15)", async () => {
    const given = setUp()
    given.keep()
    for (const method of Object.keys(given.adapter) as MethodName[]) given.faults.set(method, fault)

    expect((await given.sessions.end(at(holding()))).failure).toBeInstanceOf(SignOutError)

    expect(await readAs(given)).toEqual(signedOut)
    given.faults.clear()
    expect(await readAs(given)).toEqual(signedOut)
    expect(given.expiryOf()).toBeUndefined()
  })
})

describe("a session that was ended in an outage", () => {
  async function endInOutage(given: SetUp): Promise<void> {
    given.keep()
    given.faults.set("deleteSession", () => Promise.reject(outage))
    await given.sessions.end(at(holding()))
  }

  it("stays dead here though the store that fails to prolong it answers after that", async () => {
    const given = setUp()
    const { fault, reached, open } = door()
    given.faults.set("updateSession", async (_real, sent) => {
      await fault(() => undefined, sent)
      return Promise.reject(outage)
    })
    given.keep("tok")
    given.clock.now += day * 1000
    const reading = readAs(given)
    await reached
    given.faults.set("deleteSession", () => Promise.reject(outage))
    await given.sessions.end(at(holding()))
    open()

    expect(await reading).toEqual(signedOut)
    expect(await readAs(given)).toEqual(signedOut)
  })

  it("lives on elsewhere, as nobody could be told", async () => {
    const given = setUp()
    await endInOutage(given)

    expect(await given.elsewhere().read(at(holding()), { kind: "visit" })).toMatchObject(alive)
  })

  it("is deleted by the sign-in after it", async () => {
    const given = setUp()
    await endInOutage(given)
    given.faults.clear()

    await given.sessions.create(at(holding()), annSignsIn)

    expect(given.expiryOf("tok")).toBeUndefined()
  })

  it("can be ended again, and then is", async () => {
    const given = setUp()
    await endInOutage(given)
    given.faults.clear()

    expect(await given.sessions.end(at(holding()))).toMatchObject({ event: { session: { sessionToken: "tok" } } })
    expect(given.expiryOf("tok")).toBeUndefined()
  })

  it("is known to be over where the store throws only because it is gone", async () => {
    const given = setUp()
    given.faults.set("deleteSession", () => Promise.reject(new Error("Record to delete does not exist")))

    expect(await given.sessions.end(at(holding("unknown")))).toEqual({ cookies: [cleared], event: { session: null } })
  })
})

describe("a session that a new sign-in replaces in an outage", () => {
  it("is dead here all the same, and deleted when it is used next (A-033)", async () => {
    const given = setUp()
    given.keep()
    given.faults.set("deleteSession", () => Promise.reject(outage))

    await given.sessions.create(at(holding()), annSignsIn)
    expect(await readAs(given)).toMatchObject({ session: null })

    given.faults.clear()
    expect(await readAs(given)).toMatchObject({ session: null })
    expect(given.expiryOf()).toBeUndefined()
  })
})

describe("an answer that comes too late", () => {
  it.each<readonly [MethodName, (given: SetUp) => Promise<unknown>]>([
    ["getSessionAndUser", (given) => readAs(given)],
    ["updateSession", (given) => readAs(given)],
    ["createSession", (given) => given.sessions.create(at(holding()), annSignsIn)],
    ["deleteSession", (given) => given.sessions.end(at(holding()))],
  ])("of %s changes nothing, whether it is good or bad (F-26)", async (method, act) => {
    for (const isGood of [true, false]) {
      const given = setUp()
      given.keep()
      given.clock.now += day * 1000
      let answer = (): void => undefined
      given.faults.set(
        method,
        () => new Promise((resolve, reject) => (answer = () => (isGood ? resolve(null) : reject(outage)))),
      )
      await act(given).catch(() => undefined)
      const logged = given.logger.errors.length

      answer()
      await new Promise(setImmediate)

      expect(given.logger.errors).toHaveLength(logged)
      given.faults.clear()
      const isOver = method === "deleteSession"
      expect(await readAs(given)).toMatchObject(isOver ? { session: null } : alive)
    }
  })
})

describe("a record that is still on its way to a replica (F-28)", () => {
  it("does not cost a session of the last five seconds its cookie", async () => {
    const given = setUp()
    await given.sessions.create(at({}), annSignsIn)
    given.faults.set("getSessionAndUser", () => null)
    const read = () => given.sessions.read(at(holding("generated-1")), { kind: "touch" })
    const visit = () => given.sessions.visit(headerOf("generated-1"), setting)

    given.clock.now += 4999
    expect(await read()).toEqual({ session: null, cookies: [] })
    expect(await visit()).toEqual({ session: null, cookies: [] })
    given.faults.clear()
    expect(await read()).toMatchObject(alive)

    given.faults.set("getSessionAndUser", () => null)
    given.clock.now += 1
    expect(await read()).toEqual(signedOut)
    expect(await visit()).toEqual(signedOut)
  })

  it("does not cost a session of the last five seconds its record, where the user is late", async () => {
    const given = setUp()
    await given.sessions.create(at({}), annSignsIn)
    const session = { sessionToken: "generated-1", userId: "1", expires: new Date(given.clock.now + 1000) }
    given.faults.set("getSessionAndUser", () => ({ session, user: null }))

    const read = await given.sessions.read(at(holding("generated-1")), { kind: "touch" })

    expect(read).toEqual({ session: null, cookies: [] })
    given.faults.clear()
    expect(await readAs(given, "generated-1")).toMatchObject(alive)
  })

  it("does cost it after a sign-out", async () => {
    const given = setUp()
    await given.sessions.create(at({}), annSignsIn)
    await given.sessions.end(at(holding("generated-1")))

    expect(await readAs(given, "generated-1")).toEqual(signedOut)
  })

  it("is known only where the session was made", async () => {
    const given = setUp()
    await given.sessions.create(at({}), annSignsIn)
    given.faults.set("getSessionAndUser", () => null)

    expect(await given.elsewhere().read(at(holding("generated-1")), { kind: "touch" })).toEqual(signedOut)
  })
})
