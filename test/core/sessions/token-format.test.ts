import { describe, expect, it } from "@jest/globals"
import { decode, encode, type JWTDecodeParams, type JWTEncodeParams } from "../../../src/core/crypto/jwt.js"
import { createKeyRing, type KeyRing } from "../../../src/core/crypto/key-ring.js"
import { cookieSettings } from "../../../src/core/http/cookies.js"
import { createTokenFormat } from "../../../src/core/sessions/token-format.js"
import { cbcToken, cbcClaims, gcmClaims, gcmToken } from "../crypto/vectors.js"
import { at, issuedClaims, maxAge, sessionCookie, setting, setUp, start } from "./setup.js"

const plain = cookieSettings(false).sessionToken

/** A key ring that counts how often it opens a token. */
function countingKeys(): { readonly keys: KeyRing; readonly opened: readonly string[] } {
  const keys = createKeyRing(["secret"])
  const opened: string[] = []
  return {
    opened,
    keys: {
      ...keys,
      open: (token, salt) => {
        opened.push(token)
        return keys.open(token, salt)
      },
    },
  }
}

function format(keys: KeyRing, clock = { now: start * 1000 }) {
  return createTokenFormat({ keys, now: () => clock.now, jwt: { secret: "secret", maxAge: 60, encode, decode } })
}

describe("opened tokens", () => {
  it("are decrypted once", async () => {
    const { keys, opened } = countingKeys()
    const tokens = format(keys)
    const token = await tokens.seal({ sub: "1" }, "salt")

    const [first, second] = [await tokens.open(token, "salt"), await tokens.open(token, "salt")]

    expect(opened).toEqual([token])
    expect(second).toEqual(first)
  })

  it("expire all the same", async () => {
    const clock = { now: start * 1000 }
    const tokens = format(countingKeys().keys, clock)
    const token = await tokens.seal({ sub: "1" }, "salt")
    await tokens.open(token, "salt")

    clock.now = (start + 60 + 14) * 1000
    expect((await tokens.open(token, "salt")).claims.sub).toBe("1")
    clock.now = (start + 60 + 16) * 1000
    await expect(tokens.open(token, "salt")).rejects.toThrow("the token has expired")
    await expect(tokens.open(token, "salt")).rejects.toThrow("the token has expired")
  })

  it("are given as a new object each time, so that nobody writes into another's claims", async () => {
    const tokens = format(countingKeys().keys)
    const token = await tokens.seal({ sub: "1" }, "salt")
    const { claims } = await tokens.open(token, "salt")
    claims.sub = "2"

    expect((await tokens.open(token, "salt")).claims.sub).toBe("1")
  })

  it("are good for their own salt only, even after they were opened once", async () => {
    const tokens = format(countingKeys().keys)
    const token = await tokens.seal({ sub: "1" }, "salt")
    await tokens.open(token, "salt")

    await expect(tokens.open(token, "other")).rejects.toThrow("no matching decryption secret")
    expect((await tokens.open(token, "salt")).claims.sub).toBe("1")
  })

  it("that are refused are not remembered", async () => {
    const { keys, opened } = countingKeys()
    const tokens = format(keys)
    for (const _time of [1, 2]) await expect(tokens.open("x", "salt")).rejects.toThrow()

    expect(opened).toEqual(["x", "x"])
  })

  it("carry the text that they were written as", async () => {
    const tokens = format(countingKeys().keys)
    const { claims, plaintext } = await tokens.open(await tokens.seal({ sub: "1", n: null }, "salt"), "salt")

    expect(JSON.parse(plaintext)).toEqual(claims)
  })

  it("may be those of Auth.js", async () => {
    const tokens = format(countingKeys().keys)

    expect((await tokens.open(cbcToken, "authjs.session-token")).claims).toEqual(cbcClaims)
    expect((await tokens.open(gcmToken, "authjs.session-token")).claims).toEqual(gcmClaims)
  })

  it("may be those that encode of the public entry made, and the other way round", async () => {
    const clock = { now: Date.now() }
    const tokens = format(countingKeys().keys, clock)
    const theirs = await encode({ token: { sub: "1" }, secret: "secret", salt: "salt", maxAge: 3600 })

    expect((await tokens.open(theirs, "salt")).claims.sub).toBe("1")
    expect(
      await decode({ token: await tokens.seal({ sub: "2" }, "salt"), secret: "secret", salt: "salt" }),
    ).toMatchObject({ sub: "2" })
  })
})

describe("a session of a plain address", () => {
  it("is none under the secure name, even after it was opened under its own", async () => {
    const given = setUp()
    const token = await given.keys.seal({ sub: "1", name: "Ann" }, plain.name, start, maxAge)
    const visit = { kind: "visit" } as const

    expect((await given.sessions.read(at({ [plain.name]: token }, plain), visit)).session?.user?.name).toBe("Ann")
    expect((await given.sessions.read(at({ [setting.name]: token }), visit)).session).toBeNull()
    expect((await given.sessions.read(at({ [plain.name]: token }), visit)).session).toBeNull()
    expect(given.logger.errors).toHaveLength(1)
  })
})

describe("jwt.encode and jwt.decode of the application", () => {
  interface Calls {
    readonly encoded: JWTEncodeParams[]
    readonly decoded: JWTDecodeParams[]
  }

  function custom() {
    const calls: Calls = { encoded: [], decoded: [] }
    const own = {
      maxAge: 60,
      secret: ["for tokens"],
      encode: (params: JWTEncodeParams) => {
        calls.encoded.push(params)
        return JSON.stringify(params.token)
      },
      decode: (params: JWTDecodeParams) => {
        calls.decoded.push(params)
        return JSON.parse(params.token ?? "null") as Record<string, unknown> | null
      },
    }
    return { calls, own }
  }

  it("get the options of jwt beside token and salt", async () => {
    const { calls, own } = custom()
    const given = setUp({ jwt: own })
    const token = '{"sub":"1","name":"Ann"}'

    const { session, cookies } = await given.sessions.read(at({ [setting.name]: token }), { kind: "touch" })

    expect(session?.user?.name).toBe("Ann")
    expect(calls.decoded).toEqual([{ ...own, token, salt: setting.name }])
    expect(calls.encoded).toEqual([{ ...own, token: { sub: "1", name: "Ann" }, salt: setting.name }])
    expect(cookies).toMatchObject([{ name: setting.name, value: token }])
  })

  it("may be one without the other", async () => {
    const { own } = custom()
    const given = setUp({ jwt: { encode: own.encode } })

    const { session, cookies } = await given.sessions.read(at(await sessionCookie(given)), { kind: "touch" })

    expect(session?.user?.name).toBe("Ann")
    expect(JSON.parse(cookies[0]?.value ?? "")).toMatchObject({ sub: "1", name: "Ann" })

    const other = setUp({ jwt: { decode: own.decode } })
    const read = await other.sessions.read(at({ [setting.name]: '{"sub":"2"}' }), { kind: "touch" })
    expect(await issuedClaims(other, read.cookies)).toMatchObject({ sub: "2" })
  })

  it("are asked at every read: nothing is remembered of what they said", async () => {
    const { calls, own } = custom()
    const given = setUp({ jwt: own })
    const cookies = { [setting.name]: '{"sub":"1"}' }
    await given.sessions.read(at(cookies), { kind: "visit" })
    await given.sessions.read(at(cookies), { kind: "visit" })

    expect(calls.decoded).toHaveLength(2)
  })

  it.each<readonly [string, () => null]>([
    ["returns null", () => null],
    [
      "throws",
      () => {
        throw new Error("no such token")
      },
    ],
  ])("that %s for a token means that nobody is signed in", async (_how, decodeNothing) => {
    const given = setUp({ jwt: { decode: decodeNothing } })

    const read = await given.sessions.read(at({ [setting.name]: "x" }), { kind: "visit" })

    expect(read).toMatchObject({ session: null, cookies: [{ name: setting.name, value: "", options: { maxAge: 0 } }] })
    expect(given.logger.errors).toHaveLength(1)
  })

  it("take part in signing out", async () => {
    const { own } = custom()
    const given = setUp({ jwt: own })

    expect(await given.sessions.end(at({ [setting.name]: '{"sub":"1"}' }))).toMatchObject({
      event: { token: { sub: "1" } },
    })
  })
})
