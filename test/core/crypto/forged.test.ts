import { createCipheriv, randomBytes } from "node:crypto"
import { deflateRawSync } from "node:zlib"
import { describe, expect, it } from "@jest/globals"
import { CompactEncrypt, SignJWT } from "jose"
import { authenticate, encodeHeader, sealWithHeader, type Header } from "./forge.js"
import { implementations } from "./implementations.js"
import { cbcToken, gcmToken, keys, salt, secret } from "./vectors.js"

const unreadable = new Error("the token could not be decrypted")
const { hex, kid } = keys["A256CBC-HS512"]
const key = Buffer.from(hex, "hex")
const ours = { alg: "dir", enc: "A256CBC-HS512", kid }

/** A token that is genuine in everything but its header. */
const under = (header: Header | string, plaintext: string | Buffer = "{}") => sealWithHeader(header, plaintext, hex)

type Parts = readonly [header: string, encryptedKey: string, iv: string, ciphertext: string, tag: string]
const split = (token: string) => token.split(".") as readonly string[] as Parts
const join = (...parts: readonly string[]) => parts.join(".")
const [header, , iv, ciphertext, tag] = split(cbcToken)

function withEncryptedKey(token: string): string {
  const [first, , ...rest] = split(token)
  return join(first, randomBytes(40).toString("base64url"), ...rest)
}

const pbes2 = { ...ours, alg: "PBES2-HS512+A256KW", p2s: "c2FsdHNhbHQ", p2c: 2 ** 31 - 1 }

const foreignAlgorithms: readonly (readonly [string, string])[] = [
  ["PBES2 with a count that would take minutes", withEncryptedKey(under(pbes2))],
  ["PBES2 without an encrypted key", under(pbes2)],
  ["A256KW", withEncryptedKey(under({ ...ours, alg: "A256KW" }))],
  ["RSA-OAEP", withEncryptedKey(under({ ...ours, alg: "RSA-OAEP" }))],
  ["ECDH-ES", under({ ...ours, alg: "ECDH-ES", epk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } })],
  ["none, as an encrypted token", under({ ...ours, alg: "none" })],
  ["none, as an unsecured token", join(encodeHeader({ alg: "none" }), encodeHeader({ sub: "42" }), "")],
  ["DIR in capitals", under({ ...ours, alg: "DIR" })],
  ["no algorithm", under({ enc: ours.enc, kid })],
  ["encryption A128GCM", sealWithHeader({ ...ours, enc: "A128GCM" }, "{}", keys.A256GCM.hex)],
  ["encryption A128CBC-HS256", under({ ...ours, enc: "A128CBC-HS256" })],
  ["encryption A192CBC-HS384", under({ ...ours, enc: "A192CBC-HS384" })],
  ["an encryption that is a member of every object", under({ ...ours, enc: "constructor" })],
  ["encryption __proto__", under({ ...ours, enc: "__proto__" })],
  ["no encryption", under({ alg: "dir", kid })],
  ["an encryption that is no text", under({ ...ours, enc: ["A256CBC-HS512"] })],
]

const foreignHeaders: readonly (readonly [string, string])[] = [
  ["has crit", under({ ...ours, crit: ["exp"], exp: 4102444800 })],
  ["has an empty crit", under({ ...ours, crit: [] })],
  ["has zip", under({ ...ours, zip: "DEF" }, deflateRawSync('{"sub":"42"}'))],
  ["has zip, over a bomb of 10 MB", under({ ...ours, zip: "DEF" }, deflateRawSync(Buffer.alloc(10_000_000, " ")))],
  ["has zip and no key id", under({ alg: "dir", enc: "A256CBC-HS512", zip: "DEF" }, deflateRawSync("{}"))],
  ["has an unknown zip", under({ ...ours, zip: "none" })],
  ["has a key id that is a number", under({ ...ours, kid: 1 })],
  ["has a key id that is null", under({ ...ours, kid: null })],
  ["is a list", under([ours] as unknown as Header)],
  ["is null", under("null")],
  ["is a number", under("1")],
  ["is no JSON", under("{alg:dir}")],
  ["is nothing but space", under(" ")],
  ["begins with a byte order mark", under(`\ufeff${JSON.stringify(ours)}`)],
  ["is not UTF-8", sealWithHeader(Buffer.from([0x22, 0xff, 0x22]), "{}", hex)],
]

const lastOf = (text: string) => text.slice(-1)
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const flip = (character: string, bit: number) => alphabet.charAt(alphabet.indexOf(character) ^ bit)

/** The same bytes, written another way: the last character has bits that stand for nothing. */
const spareBits = (text: string) => text.slice(0, -1) + flip(lastOf(text), 1)
const spaced = (text: string, space: string) => text.slice(0, 4) + space + text.slice(4)

const otherForms: readonly (readonly [string, string])[] = [
  ["an empty text", ""],
  ["one word", "token"],
  ["a hundred dots", ".".repeat(100)],
  ["four segments", join(header, "", iv, ciphertext)],
  ["six segments", `${cbcToken}.${tag}`],
  ["a dot at its end", `${cbcToken}.`],
  ["a dot at its start", `.${cbcToken}`],
  ["its segments twice", `${cbcToken}.${cbcToken}`],
  ["its ciphertext twice", join(header, "", iv, ciphertext, ciphertext, tag)],
  ["an encrypted key", withEncryptedKey(cbcToken)],
  ["the IV in place of the encrypted key", join(header, iv, iv, ciphertext, tag)],
  ["no header", join("", "", iv, ciphertext, tag)],
  ["no IV", join(header, "", "", ciphertext, tag)],
  ["no ciphertext", join(header, "", iv, "", tag)],
  ["no tag", join(header, "", iv, ciphertext, "")],
  ["half a tag", join(header, "", iv, ciphertext, tag.slice(0, 22))],
  ["a tag that is too long", join(header, "", iv, ciphertext, tag + "AAAA")],
  ["an IV of 12 bytes", join(header, "", iv.slice(0, 16), ciphertext, tag)],
  ["its last block cut off", join(header, "", iv, ciphertext.slice(0, -22), tag)],
  ["IV and tag swapped", join(header, "", tag, ciphertext, iv)],
  ["the header of a token without key id", join(encodeHeader({ alg: "dir", enc: ours.enc }), "", iv, ciphertext, tag)],
  ["non-ASCII characters", join(header, "", iv, `é${ciphertext.slice(1)}`, tag)],
  ["base64 in place of base64url", join(header, "", iv, ciphertext.replace("-", "+"), tag)],
  ["a percent sign", join(header, "", iv, `%${ciphertext.slice(1)}`, tag)],
  ["a NUL", `${cbcToken}\u0000`],
]

const looseEncodings: readonly (readonly [string, string])[] = [
  ["padding after the tag", `${cbcToken}=`],
  ["padding after the IV", join(header, "", `${iv}==`, ciphertext, tag)],
  ["padding after the header", join(`${header}=`, "", iv, ciphertext, tag)],
  ["a line break after the tag", `${cbcToken}\n`],
  ["a space before the header", ` ${cbcToken}`],
  ["a space in the IV", join(header, "", spaced(iv, " "), ciphertext, tag)],
  ["a line break in the ciphertext", join(header, "", iv, spaced(ciphertext, "\r\n"), tag)],
  ["a tab in the tag", join(header, "", iv, ciphertext, spaced(tag, "\t"))],
  ["spare bits set in the IV", join(header, "", spareBits(iv), ciphertext, tag)],
  ["spare bits set in the tag", join(header, "", iv, ciphertext, spareBits(tag))],
]

describe.each(implementations)("$name", ({ open }) => {
  const refuses = async (token: string) => {
    await expect(open(token, [secret], salt)).rejects.toThrow(unreadable)
  }

  it("opens the tokens that the forged ones are made of", async () => {
    expect(await open(under(ours), [secret], salt)).toBe("{}")
    expect(await open(under({ alg: "dir", enc: "A256CBC-HS512" }), [secret], salt)).toBe("{}")
    expect(await open(under({ ...ours, typ: "JWT" }), [secret], salt)).toBe("{}")
  })

  it.each(foreignAlgorithms)("refuses a token with %s", (_what, token) => refuses(token))

  it.each(foreignHeaders)("refuses a token whose header %s", (_what, token) => refuses(token))

  it.each(otherForms)("refuses a token with %s", (_what, token) => refuses(token))

  it.each(looseEncodings)("refuses a token with %s", (_what, token) => refuses(token))

  // RFC 7516, section 4: a parser may reject it; taking the last one would let two readers see different tokens.
  it("refuses a token whose header has a member twice", () =>
    refuses(under(`{"alg":"none","alg":"dir","enc":"A256CBC-HS512","kid":"${kid}"}`)))

  it("refuses a signed token that was made with the same secret", async () => {
    const signed = await new SignJWT({ sub: "42" })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(secret))

    await refuses(signed)
  })

  it("refuses a token whose key was wrapped with the same key", async () => {
    const wrapped = await new CompactEncrypt(Buffer.from("{}"))
      .setProtectedHeader({ alg: "A256KW", enc: "A256CBC-HS512", kid })
      .encrypt(new Uint8Array(Buffer.from(keys.A256GCM.hex, "hex")))

    await refuses(wrapped)
  })

  it("refuses a token whose padding is broken with the same words", async () => {
    const cipher = createCipheriv("aes-256-cbc", key.subarray(32), Buffer.alloc(16)).setAutoPadding(false)
    const unpadded = Buffer.concat([cipher.update(Buffer.alloc(32)), cipher.final()])

    await refuses(authenticate(encodeHeader(ours), Buffer.alloc(16), unpadded, key))
    await refuses(authenticate(encodeHeader(ours), Buffer.alloc(16), unpadded.subarray(1), key))
  })

  it.each([12, 15, 17, 32])("refuses a token with an IV of %d bytes that its tag was made for", async (length) => {
    await refuses(authenticate(encodeHeader(ours), Buffer.alloc(length), Buffer.alloc(32), key))
  })

  it.each([
    ["IV", 2],
    ["ciphertext", 3],
    ["tag", 4],
  ])("refuses a token with any one character of its %s changed", async (_part, part) => {
    for (const token of [cbcToken, gcmToken]) {
      const parts = token.split(".")
      const text = parts[part] ?? ""
      for (let index = 0; index < text.length; index++) {
        const changed = text.slice(0, index) + flip(text.charAt(index), 32) + text.slice(index + 1)
        await refuses(parts.with(part, changed).join("."))
      }
    }
  })

  it("refuses a token with any one character of its header changed", async () => {
    for (let index = 0; index < header.length; index++) {
      const changed = header.slice(0, index) + flip(header.charAt(index), 32) + header.slice(index + 1)
      await expect(open(join(changed, "", iv, ciphertext, tag), [secret], salt)).rejects.toThrow(
        /^(the token could not be decrypted|no matching decryption secret)$/,
      )
    }
  })

  it("refuses an A256GCM token with half its tag", async () => {
    const parts = split(gcmToken)

    await refuses(parts.with(4, parts[4].slice(0, 11)).join("."))
  })

  it("says nothing of the token in its error", async () => {
    const error: unknown = await open(`${cbcToken}x`, [secret], salt).catch((thrown: unknown) => thrown)

    expect(error).toBeInstanceOf(Error)
    expect(String((error as Error).stack)).not.toContain(ciphertext.slice(0, 20))
    expect((error as Error).cause).toBeUndefined()
  })
})
