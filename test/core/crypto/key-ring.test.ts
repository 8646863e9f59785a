import { describe, expect, it } from "@jest/globals"
import { createKeyRing } from "../../../src/core/crypto/key-ring.js"
import { cbcClaims, cbcToken, gcmClaims, gcmToken, salt, secret } from "./vectors.js"

const now = 1_700_000_000

describe("createKeyRing", () => {
  it("opens what Auth.js wrote", async () => {
    const ring = createKeyRing([secret])

    expect(await ring.unseal(cbcToken, salt, now)).toEqual(cbcClaims)
    expect(await ring.unseal(gcmToken, salt, now)).toEqual(gcmClaims)
  })

  it("derives the keys of a salt once, and then answers without waiting", async () => {
    const ring = createKeyRing([secret])

    expect(ring.open(cbcToken, salt)).toBeInstanceOf(Promise)
    await ring.open(cbcToken, salt)

    expect(ring.open(cbcToken, salt)).toBe(JSON.stringify(cbcClaims))
  })

  it("derives the keys of another salt for themselves", async () => {
    const ring = createKeyRing([secret])
    await ring.open(cbcToken, salt)

    const other = ring.open(cbcToken, "another")

    expect(other).toBeInstanceOf(Promise)
    await expect(other).rejects.toThrow(new Error("no matching decryption secret"))
  })

  it("serves calls that come while the keys are still being derived", async () => {
    const ring = createKeyRing(["new", secret])

    const opened = await Promise.all(Array.from({ length: 10 }, async () => ring.open(cbcToken, salt)))

    expect(new Set(opened)).toEqual(new Set([JSON.stringify(cbcClaims)]))
  })

  it("seals with the newest secret and opens with every one", async () => {
    const old = createKeyRing(["old"])
    const both = createKeyRing(["new", "old"])
    const sealedByOld = await old.seal({ sub: "42" }, salt, now, 60)
    const sealedByBoth = await both.seal({ sub: "42" }, salt, now, 60)

    expect((await both.unseal(sealedByOld, salt, now)).sub).toBe("42")
    expect((await createKeyRing(["new"]).unseal(sealedByBoth, salt, now)).sub).toBe("42")
    await expect(old.unseal(sealedByBoth, salt, now)).rejects.toThrow(new Error("no matching decryption secret"))
  })

  it("stamps what it seals, over what the claims say", async () => {
    const ring = createKeyRing([secret])
    const token = await ring.seal({ sub: "42", exp: 9e9, iat: 1, jti: "mine" }, salt, now, 60)

    const claims = await ring.unseal(token, salt, now)

    expect(claims).toEqual({ sub: "42", iat: now, exp: now + 60, jti: expect.any(String) })
    expect(claims.jti).not.toBe("mine")
  })

  it("opens an expired token, but does not unseal it", async () => {
    const ring = createKeyRing([secret])
    const token = await ring.seal({ sub: "42" }, salt, now, 60)

    expect(await ring.open(token, salt)).toContain('"sub":"42"')
    expect((await ring.unseal(token, salt, now + 74)).sub).toBe("42")
    await expect(ring.unseal(token, salt, now + 76)).rejects.toThrow("the token has expired")
  })

  it.each([
    ["no secret", []],
    ["an empty secret", [""]],
  ])("neither seals nor opens with %s, however often it is asked", async (_what, secrets) => {
    const ring = createKeyRing(secrets)

    for (const _attempt of [1, 2]) {
      await expect(ring.seal({}, salt, now, 60)).rejects.toThrow()
      await expect(async () => ring.open(cbcToken, salt)).rejects.toThrow()
    }
  })
})
