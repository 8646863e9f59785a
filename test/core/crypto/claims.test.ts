import { afterEach, describe, expect, it, jest } from "@jest/globals"
import { readClaims } from "../../../src/core/crypto/claims.js"
import { decode } from "../../../src/core/crypto/jwt.js"
import { createKeyRing } from "../../../src/core/crypto/key-ring.js"
import { implementations } from "./implementations.js"

const now = 1_700_000_000
const hour = 60 * 60

const refused: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["has no expiry", { sub: "42" }],
  ["has a text as expiry", { exp: String(now + hour) }],
  ["has a date as expiry", { exp: new Date((now + hour) * 1000).toISOString() }],
  ["has null as expiry", { exp: null }],
  ["has true as expiry", { exp: true }],
  ["has a list as expiry", { exp: [now + hour] }],
  ["expired 15 s ago", { exp: now - 15 }],
  ["expired 16 s ago", { exp: now - 16 }],
  ["expired an hour ago", { exp: now - hour }],
  ["expired at the beginning of time", { exp: 0 }],
  ["is not valid for another 16 s", { exp: now + hour, nbf: now + 16 }],
  ["is not valid for another hour", { exp: now + 2 * hour, nbf: now + hour }],
  ["has a text as beginning", { exp: now + hour, nbf: String(now) }],
  ["has null as beginning", { exp: now + hour, nbf: null }],
  ["was issued an hour from now", { exp: now + 2 * hour, iat: now + hour }],
  ["has a text as time of issue", { exp: now + hour, iat: String(now) }],
  ["has null as time of issue", { exp: now + hour, iat: null }],
]

const accepted: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["expires in an hour", { exp: now + hour }],
  ["expires in 100 years", { exp: now + 100 * 365 * 24 * hour }],
  ["expires now", { exp: now }],
  ["expired 14 s ago", { exp: now - 14 }],
  ["is not valid for another 14 s", { exp: now + hour, nbf: now + 14 }],
  ["has been valid for an hour", { exp: now + hour, nbf: now - hour }],
  ["was issued a minute from now, by a server whose clock is fast", { exp: now + hour, iat: now + 60 }],
  ["was issued ten years ago", { exp: now + hour, iat: now - 10 * 365 * 24 * hour }],
]

describe("readClaims", () => {
  it.each(refused)("refuses a token that %s", (_what, claims) => {
    expect(() => readClaims(JSON.stringify(claims), now)).toThrow(/^the token /)
  })

  it.each(accepted)("accepts a token that %s", (_what, claims) => {
    expect(readClaims(JSON.stringify(claims), now)).toEqual(claims)
  })

  it.each([
    ["a list", "[]"],
    ["a list of claims", '[{"exp":4102444800}]'],
    ["null", "null"],
    ["a text", '"claims"'],
    ["a number", "4102444800"],
  ])("refuses %s in place of claims", (_what, plaintext) => {
    expect(() => readClaims(plaintext, now)).toThrow("the token holds no claims")
  })

  it.each([[""], ["{"], ["{exp:1}"], ['{"exp":1e999}']])("refuses the plaintext %j", (plaintext) => {
    expect(() => readClaims(plaintext, now)).toThrow()
  })

  it("never quotes the plaintext in an error", () => {
    const messageOf = (plaintext: string): string => {
      try {
        return JSON.stringify(readClaims(plaintext, now))
      } catch (error) {
        return (error as Error).message
      }
    }

    expect(messageOf("hunter2")).not.toContain("hunter2")
  })

  it("keeps a claim called __proto__ to itself", () => {
    const claims = readClaims(`{"exp":${now + hour},"__proto__":{"admin":true}}`, now)

    expect(claims["admin"]).toBeUndefined()
    expect(Object.getPrototypeOf(claims)).toBe(Object.prototype)
  })
})

describe.each(implementations)("a token of $name", ({ seal }) => {
  const secret = "secret"
  const salt = "authjs.session-token"
  afterEach(() => {
    jest.restoreAllMocks()
  })

  it.each(refused)("is refused when it %s", async (_what, claims) => {
    jest.spyOn(Date, "now").mockReturnValue(now * 1000)
    const token = await seal(JSON.stringify(claims), secret, salt)

    await expect(decode({ token, secret, salt })).rejects.toThrow(/^the token /)
    await expect(createKeyRing([secret]).unseal(token, salt, now)).rejects.toThrow(/^the token /)
  })

  it.each(accepted)("is accepted when it %s", async (_what, claims) => {
    jest.spyOn(Date, "now").mockReturnValue(now * 1000)
    const token = await seal(JSON.stringify(claims), secret, salt)

    expect(await decode({ token, secret, salt })).toEqual(claims)
    expect(await createKeyRing([secret]).unseal(token, salt, now)).toEqual(claims)
  })
})
