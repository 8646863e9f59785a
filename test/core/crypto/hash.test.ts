import { createHash } from "node:crypto"
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import * as onNode from "../../../src/core/crypto/hash.node.js"
import * as onTheWeb from "../../../src/core/crypto/hash.web.js"
import { timingSafeEqual } from "../../../src/core/crypto/timing-safe-equal.js"

describe.each([
  ["on Node", onNode],
  ["elsewhere", onTheWeb],
])("%s", (_where, { randomHex, sha256Hex }) => {
  describe("sha256Hex", () => {
    it("is SHA-256 over UTF-8, in lower-case hexadecimal characters", async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
          expect(await sha256Hex(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"))
        }),
        { numRuns: 50 },
      )
    })
  })

  describe("randomHex", () => {
    it.each([1, 5, 16, 32, 5000])("gives two characters for each of %d bytes", (length) => {
      expect(randomHex(length)).toMatch(new RegExp(`^[0-9a-f]{${length * 2}}$`))
    })

    it("does not repeat itself", () => {
      expect(new Set(Array.from({ length: 1000 }, () => randomHex(16))).size).toBe(1000)
    })
  })
})

describe("timingSafeEqual", () => {
  it("agrees with plain comparison", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(timingSafeEqual(a, b)).toBe(a === b)
        expect(timingSafeEqual(a, a)).toBe(true)
      }),
    )
  })

  it.each([
    ["the last character differs", "abcdef", "abcdeg"],
    ["the first character differs", "abcdef", "bbcdef"],
    ["one is longer", "abcdef", "abcdefg"],
    ["one is empty", "", "a"],
    ["characters differ above the first byte", "\u0141", "A"],
  ])("is false when %s", (_what, a, b) => {
    expect(timingSafeEqual(a, b)).toBe(false)
    expect(timingSafeEqual(b, a)).toBe(false)
  })

  it("is true for two empty texts", () => {
    expect(timingSafeEqual("", "")).toBe(true)
  })
})
