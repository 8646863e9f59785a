/** What an adapter returned, before anything relies on it. */
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { AdapterError } from "../../../src/core/errors.js"
import { idText, momentOf, readSessionAndUser, readUser, requireUser } from "../../../src/core/storage/records.js"

const user = { id: "1", name: "Ann", email: "ann@x.example", emailVerified: null, role: "admin" }
const session = { sessionToken: "tok", userId: "1", expires: new Date("2030-01-01T00:00:00Z"), device: "phone" }

const noUsers = [
  true,
  "1",
  1,
  {},
  [],
  { id: "" },
  { id: null },
  { id: undefined },
  { id: {} },
  { id: true },
  { name: "A" },
]

describe("a user", () => {
  it.each([null, undefined])("may be none: %s", (nothing) => {
    expect(readUser(nothing, "getUser")).toBeNull()
    expect(() => requireUser(nothing, "createUser")).toThrow("The adapter's createUser returned no user")
  })

  it.each([user, { ...user, id: 1 }, { ...user, id: 0 }, { id: "x" }, Object.freeze({ ...user })])(
    "is taken as it is: %j",
    (record) => {
      expect(readUser(record, "getUser")).toBe(record)
      expect(requireUser(record, "createUser")).toBe(record)
    },
  )

  it.each(noUsers)("is not %j", (record) => {
    for (const read of [readUser, requireUser]) {
      expect(() => read(record, "getUserByEmail")).toThrow(AdapterError)
      expect(() => read(record, "getUserByEmail")).toThrow(
        "The adapter's getUserByEmail returned something that is no user: it has no id",
      )
    }
  })

  it("has an id that is a text", () => {
    expect([idText({ id: 7 }), idText({ id: "7" }), idText({})]).toEqual(["7", "7", undefined])
  })
})

describe("a session and its user", () => {
  it("are taken with every field that they have", () => {
    expect(readSessionAndUser({ session, user }, session.sessionToken)).toEqual({ session, user })
  })

  it.each([null, undefined, false, 0, "", "text", 1, [], {}, { session }, { user }, [session, user]])(
    "are not %j",
    (record) => expect(readSessionAndUser(record, session.sessionToken)).toBeUndefined(),
  )

  it("are those of the token that was asked for, and of no other", () => {
    expect(readSessionAndUser({ session, user }, "another")).toBeUndefined()
    expect(readSessionAndUser({ session, user }, "TOK")).toBeUndefined()
    expect(readSessionAndUser({ session: { ...session, sessionToken: undefined }, user }, "another")).toBeDefined()
  })

  it.each(noUsers)("do not belong to %j", (record) => {
    expect(readSessionAndUser({ session, user: record }, session.sessionToken)).toBeUndefined()
  })

  it.each([
    ["1", 1],
    [1, "1"],
    ["8C0F3A1E-3F37-4D4B-9D6E-1B0C5B6A7D21", "8c0f3a1e-3f37-4d4b-9d6e-1b0c5b6a7d21"],
    [undefined, "1"],
  ])("belong together by an id that is written %p here and %p there", (userId, id) => {
    expect(
      readSessionAndUser({ session: { ...session, userId }, user: { ...user, id } }, session.sessionToken)?.user.id,
    ).toBe(id)
  })

  it.each([
    ["1", "2"],
    ["ann", "ANN"],
    [1, 2],
    ["1", "10"],
    [null, "1"],
  ])("do not belong together by %p here and %p there", (userId, id) => {
    expect(
      readSessionAndUser({ session: { ...session, userId }, user: { ...user, id } }, session.sessionToken),
    ).toBeUndefined()
  })

  it("have an expiry that is a date, whatever the store makes of dates", () => {
    const read = readSessionAndUser(
      { session: { ...session, expires: "2030-01-01T00:00:00.000Z" }, user },
      session.sessionToken,
    )

    expect(read?.session).toEqual(session)
    expect(read?.session.expires).toBeInstanceOf(Date)
  })

  it("are not written to", () => {
    const frozen = Object.freeze({ session: Object.freeze({ ...session, expires: "2030-01-01T00:00:00Z" }), user })

    expect(readSessionAndUser(frozen, session.sessionToken)?.session.expires).toEqual(session.expires)
  })
})

describe("a moment", () => {
  it.each([
    [new Date(0), 0],
    ["1970-01-01T00:00:00Z", 0],
    ["1970-01-01T00:00:00.001Z", 1],
    ["1970-01-01T01:00:00+01:00", 0],
  ])("is read: %s", (value, milliseconds) => {
    expect(momentOf(value)?.getTime()).toBe(milliseconds)
  })

  it.each([
    null,
    undefined,
    "",
    "soon",
    "1",
    "2030",
    "0",
    0,
    1,
    Number.NaN,
    true,
    {},
    [],
    new Date(Number.NaN),
    "2030-13-01T00:00:00Z",
  ])("is none: %s", (value) => {
    expect(momentOf(value)).toBeUndefined()
  })

  it("is read of another realm as well", () => {
    const foreign: unknown = structuredClone(new Date(5))

    expect(momentOf(foreign)?.getTime()).toBe(5)
  })

  it("comes back from its ISO text, to the millisecond", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true }),
        (date) => {
          expect(momentOf(date.toISOString())).toEqual(date)
          expect(momentOf(date)).toEqual(date)
        },
      ),
    )
  })

  it("is never an invalid date", () => {
    fc.assert(
      fc.property(fc.anything({ withDate: true }), (value) => {
        const moment = momentOf(value)
        expect(moment === undefined || !Number.isNaN(moment.getTime())).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
