/** Tokens of database sessions: made, replaced, and looked at before the store sees them. */
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { defaults } from "../../../src/core/config/defaults.js"
import type { Cookies } from "../../../src/core/http/cookies.js"
import { serializeCookie, parseCookies } from "../../../src/core/http/cookies.js"
import { at, cookiesAfter, maxAge, setting } from "./setup.js"
import { annSignsIn, cleared, cookieUntil, holding, setUp, signedOut } from "./database-setup.js"

const { name } = setting

describe("the token of a new session", () => {
  it("is a random UUID unless the application makes its own", () => {
    const tokens = Array.from({ length: 100 }, () => defaults.session.generateSessionToken())

    expect(new Set(tokens).size).toBe(100)
    for (const token of tokens)
      expect(token).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it.each(["abc", "a+b/c==", "100%25", "~!#$&'()*-._", "x".repeat(1024)])(
    "is what generateSessionToken returns, and comes back from the browser as it was: %s",
    async (token) => {
      const given = setUp({ generateSessionToken: () => token })

      const [cookie, ...more] = await given.sessions.create(at({}), annSignsIn)

      expect([cookie, ...more]).toEqual([cookieUntil(maxAge, token)])
      expect(given.expiryOf(token)).toBe(maxAge)
      const [pair = ""] = serializeCookie(cookie as NonNullable<typeof cookie>).split(";")
      expect(pair.length).toBeLessThan(4096)
      expect(await given.sessions.visit(pair, setting)).toMatchObject({
        session: { user: { name: "Ann" } },
        cookies: [],
      })
      expect(await given.sessions.read(at(parseCookies(pair)), { kind: "visit" })).toMatchObject({ cookies: [] })
    },
  )

  it.each([undefined, null, "", 5, {}, ["abc"], "a b", "a;b", "a,b", 'a"b', "a\\b", "é", "a\nb", "x".repeat(1025)])(
    "cannot be %j: nobody is signed in, and nothing is written",
    async (token) => {
      const given = setUp({ generateSessionToken: (() => token) as never })
      given.keep()

      await expect(given.sessions.create(at(holding()), annSignsIn)).rejects.toBeInstanceOf(TypeError)
      expect(given.count()).toBe(0)
    },
  )

  it("cannot be a promise, and what generateSessionToken throws passes", async () => {
    const late = setUp({ generateSessionToken: (async () => "abc") as never })
    await expect(late.sessions.create(at({}), annSignsIn)).rejects.toBeInstanceOf(TypeError)

    const broken = setUp({
      generateSessionToken: () => {
        throw new Error("no entropy")
      },
    })
    await expect(broken.sessions.create(at({}), annSignsIn)).rejects.toThrow("no entropy")
    expect(late.count() + broken.count()).toBe(0)
  })

  it("and its end are those that the store says it keeps", async () => {
    const given = setUp()
    const expires = new Date(given.clock.now + 60_000)
    given.faults.set("createSession", () => ({ sessionToken: "theirs", userId: "1", expires }))

    expect(await given.sessions.create(at({}), annSignsIn)).toEqual([cookieUntil(60, "theirs")])
  })

  it("needs a user with an id", async () => {
    const given = setUp()

    await expect(given.sessions.create(at({}), { ...annSignsIn, user: { name: "Ann" } })).rejects.toBeInstanceOf(
      TypeError,
    )
    expect(given.count()).toBe(0)
  })
})

describe("a new sign-in", () => {
  it("makes another session, and the one before is gone (A-033)", async () => {
    const given = setUp()
    const first = cookiesAfter(await given.sessions.create(at({}), annSignsIn))

    const second = cookiesAfter(await given.sessions.create(at(first), annSignsIn), first)

    expect(second).toEqual({ [name]: "generated-2" })
    expect(given.expiryOf("generated-1")).toBeUndefined()
    expect(await given.sessions.read(at(first), { kind: "visit" })).toMatchObject({ session: null })
    expect(await given.sessions.read(at(second), { kind: "visit" })).toMatchObject({
      session: { user: { name: "Ann" } },
    })
  })

  it("leaves the session of another browser alone", async () => {
    const given = setUp()
    const first = cookiesAfter(await given.sessions.create(at({}), annSignsIn))
    await given.sessions.create(at({}), annSignsIn)

    expect(await given.sessions.read(at(first), { kind: "visit" })).toMatchObject({
      session: { user: { name: "Ann" } },
    })
  })

  it("keeps the session that it has just made, though its token is the one from before", async () => {
    const given = setUp({ generateSessionToken: () => "same" })
    given.faults.set("createSession", (_real, [session]) => session)

    await given.sessions.create(at(holding("same")), annSignsIn)

    expect(given.count("deleteSession")).toBe(0)
  })

  it.each([
    ["in one piece", { [name]: "eyJhbGciOiJkaXIifQ..".padEnd(700, "x") }],
    ["in chunks", { [`${name}.0`]: "x".repeat(3936), [`${name}.1`]: "y".repeat(100) }],
  ])("cleans up the token of the jwt strategy, %s", async (_how, before: Cookies) => {
    const given = setUp()

    const cookies = await given.sessions.create(at({ ...before, other: "x" }), annSignsIn)

    expect(cookiesAfter(cookies, { ...before, other: "x" })).toEqual({ [name]: "generated-1", other: "x" })
    const chunks = Object.keys(before).filter((each) => each !== name)
    for (const chunk of chunks) expect(cookies).toContainEqual({ ...cleared, name: chunk })
  })

  it("does not fail when the session before cannot be deleted: that is logged", async () => {
    const given = setUp()
    given.keep("old")
    given.faults.set("deleteSession", () => Promise.reject(new Error("down")))

    expect(await given.sessions.create(at(holding("old")), annSignsIn)).toEqual([cookieUntil(maxAge, "generated-1")])
    expect(given.logger.errors).toMatchObject([{ type: "SessionTokenError" }])
  })

  it("does not mind a store that throws where there is nothing to delete", async () => {
    const given = setUp()
    given.faults.set("deleteSession", () => Promise.reject(new Error("Record to delete does not exist")))

    await given.sessions.create(at(holding("unknown")), annSignsIn)

    expect(given.logger.errors).toEqual([])
  })
})

describe("a token that never was one of ours", () => {
  const hostile = ["' OR 1=1--", '{"$ne":1}', "a b", "é", "\u0000", "a;b", "x".repeat(1025), "x".repeat(3000)]

  it.each(hostile)("never reaches the store, and its cookie is expired: %j", async (token) => {
    const given = setUp()

    for (const kind of ["visit", "touch"] as const) {
      expect(await given.sessions.read(at(holding(token)), { kind })).toEqual(signedOut)
    }
    expect(await given.sessions.visit(`${name}=${encodeURIComponent(token)}`, setting)).toEqual(signedOut)
    expect(await given.sessions.currentUser(at(holding(token)))).toBeNull()
    expect(await given.sessions.mark(at(holding(token)))).toBeUndefined()
    expect(await given.sessions.end(at(holding(token)))).toEqual({ cookies: [cleared] })
    await given.sessions.create(at(holding(token)), annSignsIn)

    expect(given.calls.map(({ method }) => method)).toEqual(["createSession"])
    expect(given.logger.errors).toEqual([])
  })

  it("reaches the store once per read at most, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (token) => {
        const given = setUp()
        const { session } = await given.sessions.read(at(holding(token)), { kind: "touch" })
        expect(session).toBeNull()
        expect(given.count()).toBeLessThanOrEqual(1)
        for (const call of given.calls) expect(call.given[0]).toMatch(/^[!#-+\--:<-[\]-~]{1,1024}$/)
      }),
      { numRuns: 100 },
    )
  })
})
