/** What an app route costs: one query, no write within `updateAge`, and no promise where the store answers at once. */
import { describe, expect, it } from "@jest/globals"
import { at, day, isoAfter, maxAge, setting } from "./setup.js"
import { cookieUntil, headerOf, holding, setUp, signedOut, type SetUp } from "./database-setup.js"

const usual = { user: { name: "Ann", email: "ann@x.example", image: "p" }, expires: isoAfter(maxAge) }

/** Fails for what is still to come. */
function atOnce<T>(value: T | PromiseLike<T>): T {
  expect(value).not.toHaveProperty("then")
  return value as T
}

const visitAs = (given: SetUp, token = "tok") => given.sessions.visit(headerOf(token), setting)

describe("a visit to a store that answers at once", () => {
  it("answers at once, by one query", () => {
    const given = setUp({ isAsync: false })
    given.keep()

    expect(atOnce(visitAs(given))).toEqual({ session: usual, cookies: [], event: { session: usual } })
    expect(given.calls).toEqual([{ method: "getSessionAndUser", given: ["tok"] }])
  })

  it("answers at once a millisecond before it is time to prolong, and not any more when it is", async () => {
    const given = setUp({ isAsync: false })
    given.keep()

    given.clock.now += day * 1000 - 1
    expect(atOnce(visitAs(given))).toMatchObject({ session: usual, cookies: [] })

    given.clock.now += 1
    expect(await visitAs(given)).toMatchObject({ session: usual, cookies: [cookieUntil(day + maxAge)] })
    expect(atOnce(visitAs(given))).toMatchObject({ session: { expires: isoAfter(day + maxAge) }, cookies: [] })
  })

  it("throws at once when the store does", () => {
    const given = setUp({ isAsync: false })
    given.faults.set("getSessionAndUser", () => {
      throw new Error("down")
    })

    expect(() => visitAs(given)).toThrow(expect.objectContaining({ type: "SessionTokenError" }))
  })

  it.each<readonly [string, (given: SetUp) => void]>([
    ["is unknown", () => undefined],
    ["is over", (given) => given.keep("tok", 0)],
    ["has no user", (given) => given.faults.set("getSessionAndUser", () => ({ session: {}, user: null }))],
  ])("finds nobody when the session %s", async (_what, arrange) => {
    const given = setUp({ isAsync: false })
    arrange(given)

    expect(await visitAs(given)).toEqual(signedOut)
  })
})

describe.each([true, false])("a visit, to a store that answers by promise: %s", (isAsync) => {
  it("costs one query each time, and no write, until updateAge has passed", async () => {
    const given = setUp({ isAsync })
    given.keep()

    for (let visits = 1; visits <= 20; visits++) {
      given.clock.now += 1000
      expect(await visitAs(given)).toMatchObject({ session: usual, cookies: [] })
    }
    expect(given.count("getSessionAndUser")).toBe(20)
    expect(given.count()).toBe(20)
  })

  it("costs one query and one write when it is time to prolong", async () => {
    const given = setUp({ isAsync })
    given.keep()
    given.clock.now += day * 1000

    await visitAs(given)

    expect(given.calls.map(({ method }) => method)).toEqual(["getSessionAndUser", "updateSession"])
  })

  it("costs the same with a callback", async () => {
    const given = setUp({ isAsync, callbacks: { session: ({ session }) => session } })
    given.keep()

    await visitAs(given)

    expect(given.calls.map(({ method }) => method)).toEqual(["getSessionAndUser"])
  })

  it("gives the same as a read, whatever header the cookie comes in", async () => {
    const { name } = setting
    for (const header of [`${name}=tok`, `${name}=tok; a=b`, `a=b; ${name}=tok`, `a=b;${name}=tok`, `${name}=%74ok`]) {
      const given = setUp({ isAsync })
      given.keep()
      expect(await given.sessions.visit(header, setting)).toEqual(
        await given.sessions.read(at(holding()), { kind: "visit" }),
      )
    }
  })

  it.each([";", "; "])("takes the first of two cookies of one name, after %j", async (separator) => {
    for (const [first, second] of [
      ["tok", "other"],
      ["other", "tok"],
    ]) {
      const given = setUp({ isAsync })
      const header = `a=b${separator}${setting.name}=${first}; ${setting.name}=${second}`

      await given.sessions.visit(header, setting)

      expect(given.calls.map(({ given: [token] }) => token)).toEqual([first])
    }
  })
})

describe("fifty reads at once, when it is time to prolong (F-42)", () => {
  it.each([true, false])("make one write and all see the same person, by promise: %s", async (isAsync) => {
    const given = setUp({ isAsync })
    given.keep()
    given.clock.now += day * 1000

    const reads = await Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        index % 2 === 0 ? visitAs(given) : given.sessions.read(at(holding()), { kind: "touch" }),
      ),
    )

    expect(given.count("updateSession")).toBe(1)
    expect(given.count("getSessionAndUser")).toBe(50)
    expect(given.expiryOf()).toBe(day + maxAge)
    for (const { session } of reads) expect(session?.user).toEqual(usual.user)
    // Every answer that sets the cookie sets it alike.
    const written = reads.flatMap(({ cookies }) => cookies)
    expect(written.length).toBeGreaterThanOrEqual(25)
    for (const cookie of written) expect(cookie).toEqual(cookieUntil(day + maxAge))
  })

  it("try again, once more, after a write that failed", async () => {
    const given = setUp()
    given.keep()
    given.clock.now += day * 1000
    given.faults.set("updateSession", () => Promise.reject(new Error("down")))
    await Promise.all(Array.from({ length: 50 }, async () => visitAs(given)))
    expect(given.count("updateSession")).toBe(1)

    given.faults.clear()
    await Promise.all(Array.from({ length: 50 }, async () => visitAs(given)))

    expect(given.count("updateSession")).toBe(2)
    expect(given.expiryOf()).toBe(day + maxAge)
  })
})
