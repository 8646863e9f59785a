/** A store that answers, but nonsense: nobody is signed in by it (security matrix, F-12, F-14, F-24). */
import { describe, expect, it } from "@jest/globals"
import { inspect } from "node:util"
import { AdapterError } from "../../../src/core/errors.js"
import { at, day, maxAge } from "./setup.js"
import {
  alive,
  ann,
  annSignsIn,
  cleared,
  cookieUntil,
  holding,
  readAs,
  readers,
  setUp,
  signedOut,
} from "./database-setup.js"

describe("a store that answers nonsense when a session is read (F-12)", () => {
  const session = { sessionToken: "tok", userId: "1", expires: new Date(Date.UTC(2099, 1, 1)) }
  const nonsense: readonly (readonly [string, unknown])[] = [
    ["true", true],
    ["a text", "session"],
    ["a number", 1],
    ["an empty object", {}],
    ["a list", [session, ann]],
    ["no user", { session }],
    ["a user without an id", { session, user: { name: "Ann" } }],
    ["a user with an empty id", { session, user: { ...ann, id: "" } }],
    ["a user whose id is null", { session, user: { ...ann, id: null } }],
    ["a user whose id is an object", { session, user: { ...ann, id: {} } }],
    ["a user who is somebody else", { session: { ...session, userId: "2" }, user: ann }],
    ["no session", { user: ann }],
    ["a session of null", { session: null, user: ann }],
    ["a session without expiry", { session: { sessionToken: "tok", userId: "1" }, user: ann }],
    ...[null, 4_102_444_800_000, Number.NaN, new Date(Number.NaN), "", "never", "2099", "99999999999", {}, true].map(
      (expires) => [`an expiry of ${inspect(expires)}`, { session: { ...session, expires }, user: ann }] as const,
    ),
  ]

  it.each(nonsense)(
    "such as %s: nobody is signed in, the cookie is expired, and one line is logged",
    async (_what, answer) => {
      for (const [, read] of readers) {
        const given = setUp()
        given.faults.set("getSessionAndUser", () => Promise.resolve(answer))

        expect(await read(given)).toEqual(signedOut)
        expect(given.logger.errors).toHaveLength(1)
        expect(given.logger.errors).toMatchObject([{ type: "SessionTokenError" }])
        expect(await given.sessions.currentUser(at(holding()))).toBeNull()
      }
    },
  )

  it.each([null, undefined, false, 0, ""])("and takes %j for no session, without a word", async (answer) => {
    for (const [, read] of readers) {
      const given = setUp()
      given.faults.set("getSessionAndUser", () => Promise.resolve(answer))

      expect(await read(given)).toEqual(signedOut)
      expect(given.logger.errors).toEqual([])
    }
  })

  it.each([
    ["2099-02-01T00:00:00.000Z", "2099-02-01T00:00:00.000Z"],
    ["2099-02-01T00:00:00Z", "2099-02-01T00:00:00.000Z"],
    ["2099-02-01T01:00:00+01:00", "2099-02-01T00:00:00.000Z"],
  ])("but reads an expiry of %s", async (expires, shown) => {
    for (const [, read] of readers) {
      const given = setUp({ updateAge: maxAge * 1000 })
      given.faults.set("getSessionAndUser", () => ({ session: { ...session, expires }, user: ann }))

      expect(await read(given)).toMatchObject({ session: { expires: shown } })
    }
  })

  it("and finds that a text says that it is over", async () => {
    const given = setUp()
    given.faults.set("getSessionAndUser", () => ({
      session: { ...session, expires: "2020-01-01T00:00:00Z" },
      user: ann,
    }))

    for (const [, read] of readers) expect(await read(given)).toEqual(signedOut)
  })

  it("but takes ids that are counted, records that are frozen, and dates of another realm", async () => {
    const frozen = Object.freeze({
      session: Object.freeze({ ...session, userId: 1 }),
      user: Object.freeze({ ...ann, id: 1 }),
    })
    for (const answer of [frozen, structuredClone({ session, user: ann })]) {
      for (const [, read] of readers) {
        const given = setUp({ updateAge: 0 })
        given.faults.set("getSessionAndUser", () => answer)
        given.faults.set("updateSession", () => undefined)

        expect(await read(given)).toMatchObject(alive)
      }
    }
  })

  it("removes the record of a user who is gone (A-035)", async () => {
    for (const [, read] of readers) {
      const given = setUp()
      given.keep()
      given.faults.set("getSessionAndUser", () => ({ session, user: null }))

      expect(await read(given)).toEqual(signedOut)

      expect(given.expiryOf()).toBeUndefined()
      expect(await given.sessions.currentUser(at(holding()))).toBeNull()
    }
  })
})

describe("a store that answers nonsense when a session is prolonged", () => {
  const due = () => {
    const given = setUp()
    given.keep()
    given.clock.now += day * 1000
    return given
  }

  it.each([undefined, true, {}, "text", 0, [], { sessionToken: "other", expires: null }])(
    "such as %j: the session is shown",
    async (answer) => {
      const given = due()
      given.faults.set("updateSession", () => answer)

      expect(await readAs(given)).toMatchObject({ ...alive, cookies: [cookieUntil(day + maxAge)] })
      expect(given.logger.errors).toEqual([])
    },
  )

  it("such as null though it is there: the session is shown", async () => {
    const given = due()
    given.faults.set("updateSession", () => null)

    expect(await readAs(given)).toMatchObject(alive)
  })

  it.each([null, undefined])("and that somebody deleted meanwhile, by %j: it is over (F-14)", async (answer) => {
    for (const [, read] of readers) {
      const given = due()
      given.faults.set("updateSession", () => {
        given.real.deleteSession("tok")
        return answer
      })

      expect(await read(given)).toEqual(signedOut)
      expect(given.logger.errors).toEqual([])
    }
  })
})

describe("a store that answers nonsense when a session is made", () => {
  it.each([
    undefined,
    null,
    true,
    "text",
    0,
    [],
    {},
    { expires: "soon" },
    { expires: new Date(Number.NaN), userId: 1 },
  ])("such as %j: the session is the one that was asked for", async (answer) => {
    const given = setUp()
    given.faults.set("createSession", () => answer)

    expect(await given.sessions.create(at({}), annSignsIn)).toEqual([cookieUntil(maxAge, "generated-1")])
  })

  it.each(["", "a b", "é", 5, null, {}])(
    "such as a token that no cookie could bring back: %j",
    async (sessionToken) => {
      const given = setUp()
      given.keep()
      given.faults.set("createSession", (_real, [session]) => ({ ...(session as object), sessionToken }))

      await expect(given.sessions.create(at(holding()), annSignsIn)).rejects.toBeInstanceOf(AdapterError)
      expect(given.expiryOf()).toBe(maxAge)
    },
  )

  it("such as the session of somebody else: it is not handed out", async () => {
    const given = setUp()
    given.faults.set("createSession", (_real, [session]) => ({
      ...(session as object),
      sessionToken: "theirs",
      userId: "2",
    }))

    await expect(given.sessions.create(at({}), annSignsIn)).rejects.toBeInstanceOf(AdapterError)
  })
})

describe("a store that answers nonsense when a session is deleted", () => {
  it.each([undefined, null, true, "text", 0, {}])(
    "such as %j: it is told as it is, and the cookie is expired",
    async (answer) => {
      const given = setUp()
      given.faults.set("deleteSession", () => answer)

      expect(await given.sessions.end(at(holding()))).toEqual({ cookies: [cleared], event: { session: answer } })
    },
  )
})
