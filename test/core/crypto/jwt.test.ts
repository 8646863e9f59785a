import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { decode, defaultMaxAge, encode, secretList, stampClaims } from "../../../src/core/crypto/jwt.js"
import { cbcToken } from "./vectors.js"

const now = 1_700_000_000
const secret = "secret"
const salt = "authjs.session-token"
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

beforeEach(() => {
  jest.spyOn(Date, "now").mockReturnValue(now * 1000 + 999)
})
afterEach(() => {
  jest.restoreAllMocks()
})

describe("encode", () => {
  it("adds time of issue, expiry and a random id", async () => {
    const token = await encode({ token: { sub: "42" }, secret, salt, maxAge: 60 })

    expect(await decode({ token, secret, salt })).toEqual({
      sub: "42",
      iat: now,
      exp: now + 60,
      jti: expect.stringMatching(uuid),
    })
  })

  it("overwrites times and id that the caller gave", async () => {
    const given = { sub: "42", iat: 1, exp: 9e9, jti: "mine" }
    const token = await encode({ token: given, secret, salt, maxAge: 60 })

    expect(await decode({ token, secret, salt })).toEqual({
      sub: "42",
      iat: now,
      exp: now + 60,
      jti: expect.stringMatching(uuid),
    })
  })

  it("leaves the caller's claims as they were", async () => {
    const given = Object.freeze({ sub: "42", exp: 1 })
    await encode({ token: given, secret, salt })

    expect(given).toEqual({ sub: "42", exp: 1 })
  })

  it("makes tokens that last 30 days when nothing else is said", async () => {
    const claims = await decode({ token: await encode({ secret, salt }), secret, salt })

    expect(claims?.exp).toBe(now + 30 * 24 * 60 * 60)
    expect(defaultMaxAge).toBe(2592000)
  })

  it("gives every token an id of its own", async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await decode({ token: await encode({ secret, salt }), secret, salt }))?.jti),
    )

    expect(ids[0]).not.toBe(ids[1])
  })

  it("encrypts with the first secret of a list", async () => {
    const token = await encode({ token: { sub: "42" }, secret: ["new", "old"], salt })

    expect((await decode({ token, secret: "new", salt }))?.sub).toBe("42")
    await expect(decode({ token, secret: "old", salt })).rejects.toThrow(new Error("no matching decryption secret"))
  })

  it.each([
    ["an empty secret", ""],
    ["an empty list of secrets", []],
    ["a list whose first secret is empty", ["", "old"]],
  ])("refuses %s", async (_what, empty) => {
    await expect(encode({ token: {}, secret: empty, salt })).rejects.toThrow()
  })
})

describe("decode", () => {
  it.each([undefined, ""])("gives null for no token (%j), whatever the secret", async (token) => {
    expect(await decode({ token, secret, salt })).toBeNull()
    expect(await decode({ token, secret: [], salt })).toBeNull()
  })

  it("tries every secret of a list", async () => {
    const token = await encode({ token: { sub: "42" }, secret: "old", salt })

    expect((await decode({ token, secret: ["newest", "new", "old"], salt }))?.sub).toBe("42")
  })

  it("refuses a token of another purpose", async () => {
    const token = await encode({ token: { sub: "42" }, secret, salt: "authjs.state" })

    await expect(decode({ token, secret, salt })).rejects.toThrow(new Error("no matching decryption secret"))
  })

  it.each([["an empty secret", ""] as const, ["a list with an empty secret", ["secret", ""]] as const])(
    "refuses %s",
    async (_what, empty) => {
      await expect(decode({ token: cbcToken, secret: empty, salt })).rejects.toThrow()
    },
  )

  it("says that no secret matches an empty list", async () => {
    await expect(decode({ token: cbcToken, secret: [], salt })).rejects.toThrow(
      new Error("no matching decryption secret"),
    )
  })
})

describe("stampClaims", () => {
  it("keeps every other claim, in order", () => {
    const stamped = stampClaims({ role: "admin", exp: 1, sub: "42" }, 100, 50)

    expect(Object.keys(stamped)).toEqual(["role", "exp", "sub", "iat", "jti"])
    expect(stamped).toEqual({ role: "admin", sub: "42", iat: 100, exp: 150, jti: expect.stringMatching(uuid) })
  })
})

describe("secretList", () => {
  it("makes a list of one secret, and leaves a list alone", () => {
    expect(secretList("a")).toEqual(["a"])
    expect(secretList(["b", "a"])).toEqual(["b", "a"])
  })
})
