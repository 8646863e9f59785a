/** How long a database session lives. Spec, "States and transitions"; wire contract, 4.3. */
import { describe, expect, it } from "@jest/globals"
import type { SessionAccess } from "../../../src/core/sessions/strategy.js"
import { at, day, isoAfter, maxAge, setting } from "./setup.js"
import {
  accesses,
  ann,
  annSignsIn,
  cleared,
  cookieUntil,
  headerOf,
  holding,
  readers,
  setUp,
  signedOut,
} from "./database-setup.js"

const visit: SessionAccess = { kind: "visit" }
const touch: SessionAccess = { kind: "touch" }
const update = (data: unknown): SessionAccess => ({ kind: "update", data })

const shown = { name: "Ann", email: "ann@x.example", image: "p" }

describe("a request without a session", () => {
  it.each(accesses)("has none on $kind, sets no cookie, and asks the store nothing", async (access) => {
    const given = setUp()

    expect(await given.sessions.read(at({}), access)).toEqual({ session: null, cookies: [] })
    expect(await given.sessions.read(at({ x: "y" }), access)).toEqual({ session: null, cookies: [] })
    expect(await given.sessions.visit("x=y", setting)).toEqual({ session: null, cookies: [] })
    expect(given.count()).toBe(0)
    expect(given.logger.errors).toEqual([])
  })
})

describe("the end of a session", () => {
  it.each(readers)("has not come a millisecond before it expires, for %s", async (_who, read) => {
    const given = setUp({ updateAge: maxAge * 2 })
    given.keep("tok", 100)
    given.clock.now += 100_000 - 1

    expect(await read(given)).toMatchObject({ session: { user: shown, expires: isoAfter(100) } })
    expect(given.expiryOf()).toBe(100)
  })

  it.each([0, 1, 60_000])("has come %i ms after, for everybody: cookie and record are removed", async (late) => {
    for (const [, read] of readers) {
      const given = setUp()
      given.keep("tok", 100)
      given.clock.now += 100_000 + late

      expect(await read(given)).toEqual(signedOut)
      expect(given.expiryOf()).toBeUndefined()
      expect(given.calls.map(({ method, given: [token] }) => [method, token])).toEqual([
        ["getSessionAndUser", "tok"],
        ["deleteSession", "tok"],
      ])
      expect(given.logger.errors).toEqual([])
    }
  })

  it.each(readers)("comes at once for a token that the store does not know, for %s", async (_who, read) => {
    const given = setUp()

    expect(await read(given)).toEqual(signedOut)
    expect(given.calls.map(({ method }) => method)).toEqual(["getSessionAndUser"])
    expect(given.logger.errors).toEqual([])
  })

  it("of one session leaves the others alone", async () => {
    const given = setUp()
    given.keep("tok", 100)
    given.keep("other")
    given.clock.now += 100_000

    await given.sessions.read(at(holding()), visit)

    expect(given.expiryOf("other")).toBe(maxAge)
  })

  it("is no user for a sign-in, and changes nothing there", async () => {
    const given = setUp()
    given.keep("tok", 100)
    expect(await given.sessions.currentUser(at(holding()))).toMatchObject({ id: ann.id })

    given.clock.now += 100_000

    expect(await given.sessions.currentUser(at(holding()))).toBeNull()
    expect(await given.sessions.currentUser(at(holding("unknown")))).toBeNull()
    expect(await given.sessions.currentUser(at({}))).toBeNull()
    expect(given.count("deleteSession") + given.count("updateSession")).toBe(0)
  })
})

describe("prolonging", () => {
  it.each(readers)("waits for updateAge to have passed, to the millisecond, for %s", async (_who, read) => {
    const given = setUp()
    given.keep()

    given.clock.now += day * 1000 - 1
    await read(given)
    expect(given.count("updateSession")).toBe(0)
    expect(given.expiryOf()).toBe(maxAge)

    given.clock.now += 1
    const due = await read(given)
    expect(given.calls.filter(({ method }) => method === "updateSession")).toEqual([
      { method: "updateSession", given: [{ sessionToken: "tok", expires: new Date(given.clock.now + maxAge * 1000) }] },
    ])
    expect(given.expiryOf()).toBe(day + maxAge)
    expect(due).toMatchObject({ cookies: [cookieUntil(day + maxAge)] })

    given.clock.now += day * 1000 - 1
    await read(given)
    expect(given.count("updateSession")).toBe(1)
  })

  it.each(readers)("happens on every read with updateAge 0, for %s", async (_who, read) => {
    const given = setUp({ updateAge: 0 })
    given.keep()

    for (const writes of [1, 2, 3]) {
      given.clock.now += 1
      expect(await read(given)).toMatchObject({ cookies: [{ value: "tok" }] })
      expect(given.count("updateSession")).toBe(writes)
    }
  })

  it("never happens where updateAge is longer than maxAge, so that a session has a fixed end", async () => {
    const given = setUp({ updateAge: maxAge + 1 })
    given.keep()

    given.clock.now += maxAge * 1000 - 1
    expect(await given.sessions.read(at(holding()), touch)).toMatchObject({ session: { user: shown } })
    given.clock.now += 1
    expect(await given.sessions.read(at(holding()), touch)).toEqual(signedOut)
    expect(given.count("updateSession")).toBe(0)
  })

  it.each(readers)("shows the expiry as it was before, for %s", async (_who, read) => {
    const given = setUp()
    given.keep()
    given.clock.now += day * 1000

    expect(await read(given)).toMatchObject({ session: { expires: isoAfter(maxAge) } })
    expect(await read(given)).toMatchObject({ session: { expires: isoAfter(day + maxAge) } })
  })

  it("of one session does not keep another one waiting", async () => {
    const given = setUp()
    given.keep("tok")
    given.keep("other")
    given.clock.now += day * 1000

    await given.sessions.read(at(holding("tok")), visit)
    await given.sessions.read(at(holding("other")), visit)

    expect([given.expiryOf("tok"), given.expiryOf("other")]).toEqual([day + maxAge, day + maxAge])
  })
})

describe("the cookie", () => {
  it("is left alone on a visit, and set anew on touch and update, though nothing is written", async () => {
    const given = setUp()
    given.keep()
    given.clock.now += 1000

    expect(await given.sessions.read(at(holding()), visit)).toMatchObject({ cookies: [] })
    expect(await given.sessions.visit(headerOf(), setting)).toMatchObject({ cookies: [] })
    for (const access of [touch, update(1)]) {
      expect((await given.sessions.read(at(holding()), access)).cookies).toEqual([cookieUntil(1 + maxAge)])
    }
    expect(given.count("updateSession")).toBe(0)
  })

  it("has the name and the attributes that the application gave it", async () => {
    const given = setUp({ updateAge: 0 })
    given.keep()
    const own = { name: "sid", options: { httpOnly: true, path: "/app", domain: "x.example", secure: true } }

    const { cookies } = await given.sessions.read(at({ sid: "tok" }, own), visit)

    expect(cookies).toEqual([
      { name: "sid", value: "tok", options: { ...own.options, expires: new Date(given.clock.now + maxAge * 1000) } },
    ])
  })

  it("of a session that is over is expired once, with the same attributes", async () => {
    const given = setUp()

    expect(await given.sessions.read(at({ ...holding(), other: "x" }), visit)).toEqual({
      session: null,
      cookies: [cleared],
    })
  })
})

describe("a new session", () => {
  it("is a record and a cookie that end together", async () => {
    const given = setUp()

    const cookies = await given.sessions.create(at({}), annSignsIn)

    expect(cookies).toEqual([cookieUntil(maxAge, "generated-1")])
    expect(given.calls).toEqual([
      {
        method: "createSession",
        given: [{ sessionToken: "generated-1", userId: "1", expires: new Date(given.clock.now + maxAge * 1000) }],
      },
    ])
  })

  it("is told by the same mark as long as it lives, and by another than any other session", async () => {
    const { sessions } = setUp()

    const mark = await sessions.mark(at(holding()))

    expect(mark).toMatch(/^[0-9a-f]{64}$/)
    expect(await sessions.mark(at(holding()))).toBe(mark)
    expect(await sessions.mark(at(holding("tok2")))).not.toBe(mark)
    expect(await sessions.mark(at({}))).toBeUndefined()
  })
})
