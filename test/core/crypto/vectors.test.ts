import { describe, expect, it } from "@jest/globals"
import { sha256Hex } from "../../../src/core/crypto/hash.node.js"
import { decode } from "../../../src/core/crypto/jwt.js"
import { implementations } from "./implementations.js"
import { cbcClaims, cbcToken, gcmClaims, gcmToken, keys, salt, secret } from "./vectors.js"

describe.each(implementations)("$name", ({ contentKey, open }) => {
  it.each(["A256CBC-HS512", "A256GCM"] as const)("derives the key and key id of Auth.js for %s", async (enc) => {
    expect(await contentKey(secret, salt, enc)).toEqual(keys[enc])
  })

  it("reads a session token that Auth.js wrote", async () => {
    expect(JSON.parse(await open(cbcToken, [secret], salt))).toEqual(cbcClaims)
  })

  it("reads an A256GCM token without a key id", async () => {
    expect(JSON.parse(await open(gcmToken, [secret], salt))).toEqual(gcmClaims)
  })
})

describe("decode", () => {
  it.each([
    ["A256CBC-HS512", cbcToken, cbcClaims],
    ["A256GCM", gcmToken, gcmClaims],
  ])("gives the claims of the %s token of Auth.js", async (_enc, token, claims) => {
    expect(await decode({ token, secret, salt })).toEqual(claims)
  })
})

describe("sha256Hex", () => {
  it.each([
    ["csrf token", "a".repeat(64) + secret, "903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c"],
    [
      "csrf token under two joined secrets",
      `${"a".repeat(64)}s1,s2`,
      "9484f13c9d7ad3100d58d51a22ad8ad9301a907d18d3434e585ce3202c15a098",
    ],
    ["e-mail token", `token123${secret}`, "3c67c1d078ec3e2633932e6e1723dc43590e62a63fe10ca71771c30c94760d2b"],
  ])("makes the hash of a %s that Auth.js makes", async (_what, text, hash) => {
    expect(await sha256Hex(text)).toBe(hash)
  })
})
