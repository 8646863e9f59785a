import { hkdfSync } from "node:crypto"
import { beforeAll, describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { calculateJwkThumbprint, EncryptJWT, jwtDecrypt, type JWTPayload } from "jose"
import { decode, encode } from "../../../src/core/crypto/jwt.js"
import { implementations, nodeImplementation, webImplementation } from "./implementations.js"

const secret = "correct horse battery staple"
const salt = "__Secure-authjs.session-token"

const anyText = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }))
const anyClaims = fc.dictionary(
  anyText.filter((name) => name !== "__proto__"),
  fc.jsonValue(),
)

describe.each([
  { writer: nodeImplementation, reader: webImplementation },
  { writer: webImplementation, reader: nodeImplementation },
  { writer: nodeImplementation, reader: nodeImplementation },
  { writer: webImplementation, reader: webImplementation },
])("what $writer.name wrote", ({ writer, reader }) => {
  it(`is read by ${reader.name}, whatever the claims`, async () => {
    await fc.assert(
      fc.asyncProperty(anyClaims, async (claims) => {
        const plaintext = JSON.stringify(claims)
        expect(await reader.open(await writer.seal(plaintext, secret, salt), [secret], salt)).toBe(plaintext)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ["an empty one", ""],
    ["one with a NUL", "\u0000"],
    ["one with letters of many bytes", "ü🦊"],
    ["one that begins with a byte order mark", "\ufeff{}"],
  ])(`is read by ${reader.name} to the letter: %s`, async (_what, plaintext) => {
    expect(await reader.open(await writer.seal(plaintext, secret, salt), [secret], salt)).toBe(plaintext)
  })

  it("is read under any secret and salt that are the same on both sides", async () => {
    const anySecret = anyText.filter((text) => text !== "")
    await fc.assert(
      fc.asyncProperty(anySecret, anyText, async (someSecret, someSalt) => {
        const token = await writer.seal("{}", someSecret, someSalt)
        expect(await reader.open(token, [someSecret], someSalt)).toBe("{}")
      }),
      { numRuns: 30 },
    )
  })
})

describe.each(implementations)("$name", ({ seal }) => {
  it("never writes the same token twice", async () => {
    expect(await seal("{}", secret, salt)).not.toBe(await seal("{}", secret, salt))
  })

  it("writes the header of the contract, member for member", async () => {
    const [header = ""] = (await seal("{}", secret, salt)).split(".")

    expect(Buffer.from(header, "base64url").toString()).toMatch(
      /^\{"alg":"dir","enc":"A256CBC-HS512","kid":"[\w-]{86}"\}$/,
    )
  })
})

describe("jose", () => {
  const info = `Auth.js Generated Encryption Key (${salt})`
  const key = new Uint8Array(hkdfSync("sha256", secret, salt, info, 64))
  let kid: string
  beforeAll(async () => {
    kid = await calculateJwkThumbprint({ kty: "oct", k: Buffer.from(key).toString("base64url") }, "sha512")
  })

  it("reads what encode wrote", async () => {
    const token = await encode({ token: { sub: "42", name: "Ünïcødé 🦊" }, secret, salt, maxAge: 60 })

    const { payload, protectedHeader } = await jwtDecrypt(token, key)

    expect(protectedHeader).toEqual({ alg: "dir", enc: "A256CBC-HS512", kid })
    expect(payload).toEqual({
      sub: "42",
      name: "Ünïcødé 🦊",
      iat: expect.any(Number),
      exp: expect.any(Number),
      jti: expect.any(String),
    })
  })

  it.each(implementations)("reads what $name wrote, whatever the claims", async ({ seal }) => {
    await fc.assert(
      fc.asyncProperty(anyClaims, async (claims) => {
        const timeless = Object.fromEntries(Object.entries(claims).filter(([name]) => !/^(exp|nbf|iat)$/.test(name)))
        const { payload } = await jwtDecrypt(await seal(JSON.stringify(timeless), secret, salt), key)
        expect(JSON.stringify(payload)).toBe(JSON.stringify(timeless))
      }),
      { numRuns: 40 },
    )
  })

  it.each([
    ["with a key id", true],
    ["without one", false],
  ])("writes tokens that decode reads, %s", async (_form, named) => {
    const claims: JWTPayload = { sub: "42", name: "Ann", nested: { list: [1, null, "x"] } }
    const header = { alg: "dir", enc: "A256CBC-HS512", ...(named ? { kid } : {}) }
    const token = await new EncryptJWT(claims).setProtectedHeader(header).setExpirationTime(4102444800).encrypt(key)

    expect(await decode({ token, secret, salt })).toEqual({ ...claims, exp: 4102444800 })
  })

  it.each(implementations)("writes tokens that $name reads", async ({ open }) => {
    const token = await new EncryptJWT({ sub: "42" })
      .setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512", kid })
      .encrypt(key)

    expect(await open(token, [secret], salt)).toBe('{"sub":"42"}')
  })
})
