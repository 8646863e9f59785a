import { describe, expect, it } from "@jest/globals"
import { implementations } from "./implementations.js"
import { sealWithHeader } from "./forge.js"
import { gcmToken } from "./vectors.js"

const salt = "authjs.session-token"
const noSuchSecret = new Error("no matching decryption secret")

describe.each(implementations)("$name", ({ seal, open, contentKey }) => {
  it("opens a token of an older secret while that is still listed", async () => {
    const token = await seal("old", "first", salt)

    expect(await open(token, ["third", "second", "first"], salt)).toBe("old")
  })

  it("says that no secret matches when its own is no longer listed", async () => {
    const token = await seal("old", "first", salt)

    await expect(open(token, ["third", "second"], salt)).rejects.toThrow(noSuchSecret)
  })

  it("says that no secret matches when there is none", async () => {
    await expect(open(await seal("x", "first", salt), [], salt)).rejects.toThrow(noSuchSecret)
    await expect(open(gcmToken, [], salt)).rejects.toThrow(noSuchSecret)
  })

  it("refuses a token that was sealed under another salt", async () => {
    const token = await seal("x", "secret", "authjs.session-token")

    await expect(open(token, ["secret"], "__Secure-authjs.session-token")).rejects.toThrow(noSuchSecret)
  })

  it("tries only the secret that the key id names", async () => {
    const { kid } = await contentKey("second", salt, "A256CBC-HS512")
    const header = { alg: "dir", enc: "A256CBC-HS512", kid }
    const token = sealWithHeader(header, "x", (await contentKey("first", salt, "A256CBC-HS512")).hex)

    await expect(open(token, ["first", "second"], salt)).rejects.toThrow("the token could not be decrypted")
  })

  it.each(["A256CBC-HS512", "A256GCM"] as const)("tries every secret for an %s token without key id", async (enc) => {
    const { hex } = await contentKey("third", salt, enc)
    const token = sealWithHeader({ alg: "dir", enc }, "found", hex)

    expect(await open(token, ["first", "second", "third"], salt)).toBe("found")
    expect(await open(token, ["third", "first"], salt)).toBe("found")
    await expect(open(token, ["first", "second"], salt)).rejects.toThrow("the token could not be decrypted")
  })

  it("finds the secret of an A256GCM token by its key id", async () => {
    const { hex, kid } = await contentKey("second", salt, "A256GCM")
    const token = sealWithHeader({ alg: "dir", enc: "A256GCM", kid }, "found", hex)

    expect(await open(token, ["first", "second"], salt)).toBe("found")
    await expect(open(token, ["first"], salt)).rejects.toThrow(noSuchSecret)
  })

  it("takes the key id of the other encryption for none of its own", async () => {
    const cbc = await contentKey("first", salt, "A256CBC-HS512")
    const gcm = await contentKey("first", salt, "A256GCM")

    for (const token of [
      sealWithHeader({ alg: "dir", enc: "A256GCM", kid: cbc.kid }, "x", gcm.hex),
      sealWithHeader({ alg: "dir", enc: "A256CBC-HS512", kid: gcm.kid }, "x", cbc.hex),
    ]) {
      await expect(open(token, ["first"], salt)).rejects.toThrow(noSuchSecret)
    }
  })
})
