/** What a database session shows. Wire contract, 4.3 and 4.4. */
import { describe, expect, it } from "@jest/globals"
import { SessionTokenError } from "../../../src/core/errors.js"
import type { SessionAccess } from "../../../src/core/sessions/strategy.js"
import { at, day, isoAfter, maxAge, setting } from "./setup.js"
import { accesses, ann, headerOf, holding, readers, setUp, type SetUp } from "./database-setup.js"

const visit: SessionAccess = { kind: "visit" }
const touch: SessionAccess = { kind: "touch" }
const update = (data: unknown): SessionAccess => ({ kind: "update", data })

const shown = { name: "Ann", email: "ann@x.example", image: "p" }

describe("the session callback", () => {
  /** Keeps what it was given. */
  function recording(given: { sees: unknown[]; returns?: (params: { session: object }) => unknown }) {
    return setUp({
      callbacks: {
        session: (params) => {
          given.sees.push(params)
          return (given.returns?.(params) ?? params.session) as typeof params.session
        },
      },
    })
  }

  const stored = (given: SetUp, expires = maxAge) => ({
    session: {
      sessionToken: "tok",
      userId: "1",
      expires: new Date((given.clock.now / 1000 + expires) * 1000),
      user: ann,
    },
    user: ann,
  })

  it.each([visit, touch])("gets the record with its user, and the user, on $kind", async (access) => {
    const sees: unknown[] = []
    const given = recording({ sees })
    given.keep()

    await given.sessions.read(at(holding()), access)

    expect(sees).toEqual([stored(given)])
    expect(Object.keys(sees[0] as object).sort()).toEqual(["session", "user"])
  })

  it.each([visit, touch, update("data")])(
    "may return the token for code, but not for JSON, on $kind",
    async (access) => {
      const given = recording({ sees: [] })
      given.keep()

      const { session } = await given.sessions.read(at(holding()), access)

      expect(session).toHaveProperty("sessionToken", "tok")
      expect(JSON.stringify(session)).not.toContain("tok")
      expect({ ...session }).not.toHaveProperty("sessionToken")
    },
  )

  it("gets the same in an app route", async () => {
    const sees: unknown[] = []
    const given = recording({ sees })
    given.keep()

    await given.sessions.visit(headerOf(), setting)

    expect(sees).toEqual([stored(given)])
  })

  it.each([{ name: "Anna" }, "text", ["a"], null, 1])("gets what the client sent, as it is: %j", async (data) => {
    const sees: unknown[] = []
    const given = recording({ sees })
    given.keep()

    await given.sessions.read(at(holding()), update(data))

    expect(sees).toEqual([{ ...stored(given), newSession: data, trigger: "update" }])
    expect(Object.keys(sees[0] as object).sort()).toEqual(["newSession", "session", "trigger", "user"])
  })

  it("is told of an update without data as well", async () => {
    const sees: unknown[] = []
    const given = recording({ sees })
    given.keep()

    await given.sessions.read(at(holding()), update(undefined))

    expect(sees).toMatchObject([{ trigger: "update" }])
  })

  it("sees the expiry from before the session was prolonged", async () => {
    const sees: unknown[] = []
    const given = recording({ sees })
    given.keep()
    given.clock.now += day * 1000

    await given.sessions.read(at(holding()), touch)

    expect(sees).toMatchObject([{ session: { expires: new Date(given.clock.now + (maxAge - day) * 1000) } }])
  })

  it.each(accesses)("decides what is shown and told on $kind", async (access) => {
    const given = recording({ sees: [], returns: () => ({ greeting: "hi", expires: "whenever" }) })
    given.keep()

    const read = await given.sessions.read(at(holding()), access)

    const session = { greeting: "hi", expires: "whenever" }
    expect(read).toMatchObject({ session, event: { session } })
    expect(Object.keys(read)).toEqual(["session", "cookies", "event"])
    expect(read.session).toEqual(session)
  })

  it("may return the record as it got it: its expiry becomes a text", async () => {
    const given = recording({ sees: [] })
    given.keep()

    const { session } = await given.sessions.read(at(holding()), visit)

    expect(session).toMatchObject({ userId: "1", user: ann, expires: isoAfter(maxAge) })
  })

  it.each([touch, update(1)])("does not get the token to the browser that way on $kind", async (access) => {
    const given = recording({ sees: [], returns: ({ session }) => ({ ...session, extra: 1 }) })
    given.keep()

    const read = await given.sessions.read(at(holding()), access)

    expect(read.session).toEqual({ userId: "1", user: ann, expires: isoAfter(maxAge), extra: 1 })
    expect(JSON.stringify(read.session)).not.toContain("tok")
  })

  it.each<readonly [string, () => unknown]>([
    ["throws", () => Promise.reject(new Error("broken"))],
    ["forgets to return", () => undefined],
  ])("that %s is an error, and the cookie stays", async (_what, behave) => {
    const given = setUp({ callbacks: { session: behave as never } })
    given.keep()

    for (const [, read] of readers) {
      await expect(async () => read(given)).rejects.toBeInstanceOf(SessionTokenError)
    }
    expect(given.expiryOf()).toBe(maxAge)
    // Whoever answers the request logs it.
    expect(given.logger.errors).toEqual([])
  })
})

describe("what a session shows without a callback", () => {
  it.each(readers)("is name, address, picture and expiry, and nothing else, for %s", async (_who, read) => {
    const given = setUp()
    given.keep()

    const { session, event } = (await read(given)) as { session: unknown; event: unknown }

    expect(session).toEqual({ user: shown, expires: isoAfter(maxAge) })
    expect(event).toEqual({ session })
  })

  it.each([{ user: { name: "Eve", id: "2" }, userId: "2", expires: "2099-01-01" }, "text", [1], null])(
    "cannot be changed by what a client sends: %j",
    async (data) => {
      const given = setUp()
      given.keep()

      expect(await given.sessions.read(at(holding()), update(data))).toMatchObject({
        session: { user: shown, expires: isoAfter(maxAge) },
      })
      expect(given.calls.map(({ method }) => method)).toEqual(["getSessionAndUser"])
    },
  )
})
