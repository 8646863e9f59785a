import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import {
  clearSessionCookie,
  cookieSettings,
  readSessionCookie,
  serializeCookie,
  writeSessionCookie,
  type Cookies,
  type CookieWrite,
} from "../../../src/core/http/cookies.js"

const chunkSize = 3936
const expires = new Date(Date.UTC(2030, 0, 1))
const setting = cookieSettings(true).sessionToken
const { name, options } = setting

const token = (length: number, character = "x") => character.repeat(length)
const write = (value: string, cookies: Cookies = {}) => writeSessionCookie(value, expires, setting, cookies)
const names = (writes: readonly CookieWrite[]) => writes.map((each) => each.name)
const isExpired = (each: CookieWrite) => each.options.maxAge === 0

/** What a browser holds after it got the cookies of an answer. */
function apply(cookies: Cookies, writes: readonly CookieWrite[]): Cookies {
  const held = new Map(Object.entries(cookies))
  for (const each of writes) {
    if (isExpired(each)) held.delete(each.name)
    else held.set(each.name, each.value)
  }
  return Object.fromEntries(held)
}

describe("writing a session token", () => {
  it("takes one cookie of the plain name for a token of up to 3936 characters", () => {
    expect(write(token(chunkSize))).toEqual([{ name, value: token(chunkSize), options: { ...options, expires } }])
    expect(write("t")).toEqual([{ name, value: "t", options: { ...options, expires } }])
  })

  it("takes numbered cookies of 3936 characters for a longer one, with the same attributes on each", () => {
    const long = token(chunkSize, "a") + token(chunkSize, "b") + "c"

    expect(write(long)).toEqual([
      { name: `${name}.0`, value: token(chunkSize, "a"), options: { ...options, expires } },
      { name: `${name}.1`, value: token(chunkSize, "b"), options: { ...options, expires } },
      { name: `${name}.2`, value: "c", options: { ...options, expires } },
    ])
  })

  it("starts a second cookie at 3937 characters", () => {
    expect(names(write(token(chunkSize + 1)))).toEqual([`${name}.0`, `${name}.1`])
  })

  it("makes no cookie that a browser would drop for its size", () => {
    for (const each of write(token(10 * chunkSize))) expect(serializeCookie(each).length).toBeLessThanOrEqual(4096)
  })

  it("takes up to ten cookies, and refuses a token that needs more", () => {
    expect(names(write(token(10 * chunkSize)))).toEqual(Array.from({ length: 10 }, (_, index) => `${name}.${index}`))
    expect(() => write(token(10 * chunkSize + 1))).toThrow(RangeError)
  })

  it("does not quote the token when it refuses it", () => {
    expect(() => write(token(11 * chunkSize, "s"))).toThrow(/^(?!.*sss)/)
  })

  it("expires the chunks that a shorter token no longer needs", () => {
    const held = apply({}, write(token(3 * chunkSize)))

    const writes = write(token(2 * chunkSize, "y"), held)

    expect(names(writes.filter(isExpired))).toEqual([`${name}.2`])
    expect(readSessionCookie(apply(held, writes), name)).toBe(token(2 * chunkSize, "y"))
  })

  it("expires every chunk when the token fits into one cookie again", () => {
    const held = apply({}, write(token(2 * chunkSize)))

    const writes = write("short", held)

    expect(writes).toEqual([
      { name: `${name}.0`, value: "", options: { ...options, maxAge: 0 } },
      { name: `${name}.1`, value: "", options: { ...options, maxAge: 0 } },
      { name, value: "short", options: { ...options, expires } },
    ])
  })

  it("expires the plain cookie when the token grows beyond it", () => {
    const held = { [name]: "short" }

    const writes = write(token(chunkSize + 1), held)

    expect(names(writes.filter(isExpired))).toEqual([name])
    expect(readSessionCookie(apply(held, writes), name)).toBe(token(chunkSize + 1))
  })

  it("never expires a cookie that it writes as well", () => {
    const writes = write(token(2 * chunkSize), { [`${name}.0`]: "old", [`${name}.1`]: "old" })

    expect(writes.some(isExpired)).toBe(false)
  })

  it("leaves the cookies of others alone", () => {
    const foreign = {
      [`${name}-other`]: "z",
      [`${name}.x`]: "z",
      [`${name}.1.2`]: "z",
      other: "z",
      "authjs.state": "z",
    }

    expect(names(write("t", foreign))).toEqual([name])
  })

  it("is read back by whoever gets the cookies, whatever was there before", () => {
    const anyToken = fc
      .integer({ min: 1, max: 10 * chunkSize })
      .chain((length) => fc.constantFrom("p", "q").map((character) => character.repeat(length)))
    fc.assert(
      fc.property(fc.array(anyToken, { minLength: 1, maxLength: 5 }), (tokens) => {
        let held: Cookies = { foreign: "1" }
        for (const each of tokens) {
          held = apply(held, write(each, held))
          expect(readSessionCookie(held, name)).toBe(each)
        }
        held = apply(held, clearSessionCookie(setting, held))
        expect(held).toEqual({ foreign: "1" })
      }),
      { numRuns: 60 },
    )
  })
})

describe("reading a session token", () => {
  it.each<readonly [string, Cookies, string | undefined]>([
    ["the plain cookie", { [name]: "good" }, "good"],
    ["chunks, in the order of their numbers", { [`${name}.1`]: "b", [`${name}.0`]: "a", [`${name}.2`]: "c" }, "abc"],
    [
      "ten chunks by number, not by text",
      Object.fromEntries(Array.from("abcdefghij").map((each, index) => [`${name}.${index}`, each])),
      "abcdefghij",
    ],
    ["nothing from no cookies", {}, undefined],
    ["nothing from an empty cookie", { [name]: "" }, undefined],
    ["chunks beside an empty plain cookie", { [name]: "", [`${name}.0`]: "a" }, "a"],
    ["the plain cookie beside one that only begins with its name", { [name]: "good", [`${name}-evil`]: "zzz" }, "good"],
    ["the plain cookie beside a stray chunk", { [name]: "good", [`${name}.9`]: "zzz" }, "good"],
    ["nothing from a cookie that only begins with the name", { [`${name}-evil`]: "zzz" }, undefined],
    ["nothing from a chunk numbered 01", { [`${name}.01`]: "a" }, undefined],
    ["nothing from a chunk numbered -1", { [`${name}.-1`]: "a" }, undefined],
    ["nothing from a chunk numbered 1e1", { [`${name}.1e1`]: "a" }, undefined],
    ["nothing from chunks that do not start at 0", { [`${name}.1`]: "b", [`${name}.2`]: "c" }, undefined],
    ["nothing from a chunk without number", { [`${name}.`]: "a" }, undefined],
    ["nothing from the cookie of a plain address", { "authjs.session-token": "a" }, undefined],
  ])("takes %s", (_what, cookies, expected) => {
    expect(readSessionCookie(cookies, name)).toBe(expected)
  })

  it.each<readonly [string, Cookies]>([
    ["one in the middle is missing", { [`${name}.0`]: "a", [`${name}.2`]: "c" }],
    ["one in the middle is empty", { [`${name}.0`]: "a", [`${name}.1`]: "", [`${name}.2`]: "c" }],
  ])("takes nothing from chunks of which %s", (_what, cookies) => {
    expect(readSessionCookie(cookies, name)).toBeUndefined()
  })
})

describe("clearing a session", () => {
  it("expires the cookies that the browser sent, and no others", () => {
    expect(clearSessionCookie(setting, {})).toEqual([])
    expect(clearSessionCookie(setting, { [name]: "a", other: "b", [`${name}-evil`]: "c" })).toEqual([
      { name, value: "", options: { ...options, maxAge: 0 } },
    ])
  })

  it("expires a plain cookie and chunks together", () => {
    const cleared = clearSessionCookie(setting, { [name]: "a", [`${name}.0`]: "b", [`${name}.9`]: "c" })

    expect(names(cleared)).toEqual([name, `${name}.0`, `${name}.9`])
    expect(cleared.every(isExpired)).toBe(true)
  })

  it("expires no cookie that could not be a chunk of ours", () => {
    const foreign = [".01", ".-1", ".1e1", ".x", ".", "-0", ".0.0", ".0 "].map((suffix) => [`${name}${suffix}`, "z"])

    expect(clearSessionCookie(setting, Object.fromEntries(foreign) as Cookies)).toEqual([])
  })

  it("answers 2000 cookies that look like chunks with at most twelve of its own", () => {
    const flood = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${name}.${index}`, "a"]))

    expect(clearSessionCookie(setting, flood).length).toBeLessThanOrEqual(12)
    expect(write("t", flood).length).toBeLessThanOrEqual(12)
  })
})
