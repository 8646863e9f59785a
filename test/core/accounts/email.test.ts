import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { canonicalEmail, isEmail, isPlainEmail, isUnverified } from "../../../src/core/accounts/email.js"

describe("A-070: the form in which an address is stored and looked up", () => {
  it.each([
    ["ada@example.com", "ada@example.com"],
    ["ADA@EXAMPLE.COM", "ada@example.com"],
    ["Ada@Example.com.", "ada@example.com"],
    ["\ufb00@example.com", "ff@example.com"],
    ["\uff21da@example.com", "ada@example.com"],
    ["ada@example\u3002com", "ada@example.com"],
    ["ada@example\uff0ecom", "ada@example.com"],
    ["ada@ex\u00adample.com", "ada@example.com"],
    ["ada@b\u00fccher.example", "ada@xn--bcher-kva.example"],
    ["ada@bu\u0308cher.example", "ada@xn--bcher-kva.example"],
    ["ada@XN--BCHER-KVA.example", "ada@xn--bcher-kva.example"],
    ["\u00e9@example.com", "\u00e9@example.com"],
    ["e\u0301@example.com", "\u00e9@example.com"],
    ['"a@b"@Example.com', '"a@b"@example.com'],
    ["ada+news@example.com", "ada+news@example.com"],
    ["ada@[127.0.0.1]", "ada@[127.0.0.1]"],
    ["No Address", "no address"],
    ["ada@", "ada@"],
    ["@", "@"],
    ["", ""],
  ])("of %j is %j", (email, expected) => {
    expect(canonicalEmail(email)).toBe(expected)
  })

  it.each(["/", "?", "#", "\\", ":80", "%41", " ", "\t", "\n", "@evil.example"])(
    "takes nothing off a domain that goes on with %j",
    (rest) => {
      expect(canonicalEmail(`ada@example.com${rest}`)).toBe(`ada@example.com${rest.toLowerCase()}`)
    },
  )

  it.each(["ada@example.com..", "ada@example.com\u3002", "J\u030c@example.com"])(
    "is the form of itself: %j",
    (email) => {
      const canonical = canonicalEmail(email)

      expect(canonicalEmail(canonical)).toBe(canonical)
    },
  )

  it("stays the same when it is made again", () => {
    const piece = fc.constantFrom(
      ".",
      "\u3002",
      "a",
      "B",
      "J\u030c",
      "\ufb00",
      "\u00df",
      "\u0130",
      "xn--",
      "1",
      "\u00ad",
      "-",
    )
    const odd = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""))
    const name = fc.oneof(odd, fc.string({ unit: "binary", maxLength: 6 }))
    fc.assert(
      fc.property(name, name, (local, domain) => {
        const canonical = canonicalEmail(`${local}@${domain}`)
        expect(canonicalEmail(canonical)).toBe(canonical)
      }),
      { numRuns: 150 },
    )
  })

  it("keeps apart what ASCII keeps apart", () => {
    const address = fc.stringMatching(/^[a-z0-9._+-]{1,6}@[a-z][a-z0-9]{0,5}\.(?:com|example)$/)
    fc.assert(
      fc.property(address, address, (one, other) => {
        expect(canonicalEmail(one) === canonicalEmail(other)).toBe(one === other)
      }),
    )
  })
})

describe("what can be an address", () => {
  it.each(["a@b", "ada@example.com", "a.b+c@example.com", "ï@example.com", `${"a".repeat(240)}@example.com`])(
    "%s can",
    (email) => expect(isEmail(email)).toBe(true),
  )

  it.each(["", " ", "none", "@", "a@", "@b", "a b@", "a@b c", `${"a".repeat(250)}@example.com`, null, undefined, 7])(
    "%j cannot",
    (email) => expect(isEmail(email)).toBe(false),
  )

  it("is folded at once, however long it is", () => {
    const dots = `a@${".".repeat(250_000)}x`
    expect(canonicalEmail(dots)).toBe(dots)
  })
})

describe("an address that was not folded", () => {
  it.each(["ada@example.com", "ADA@Example.COM", "\u00e9@example.com"])("is one: %j", (email) => {
    expect(isPlainEmail(email)).toBe(true)
  })

  it.each([
    ["a ligature", "\ufb00@example.com"],
    ["a full-width letter", "\uff41da@example.com"],
    ["a Kelvin sign, whose lower case is k", "\u212aate@example.com"],
    ["a capital beyond ASCII", "\u00c9@example.com"],
    ["an accent of its own", "e\u0301@example.com"],
    ["an ideographic full stop", "ada@example\u3002com"],
    ["a soft hyphen in the domain", "ada@ex\u00adample.com"],
    ["a domain beyond ASCII", "ada@b\u00fccher.example"],
    ["a final dot", "ada@example.com."],
  ])("is not one with %s", (_, email) => {
    expect(isPlainEmail(email)).toBe(false)
  })

  it("is, of all that become the same, one alone", () => {
    const variants = [(text: string) => text.normalize("NFD"), (text: string) => text.normalize("NFKC")]
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), (name) => {
        const forms = [name, ...variants.map((vary) => vary(name)), name.toLowerCase()]
        const plain = forms.map((each) => `${each}@example.com`).filter(isPlainEmail)
        const lowered = plain.map((each) => each.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))
        const canonical = new Set(lowered.map(canonicalEmail))
        expect(new Set(lowered).size).toBe(canonical.size)
      }),
    )
  })
})

describe("A-063: what a provider says of an address", () => {
  it.each([true, "true", 1, "1", undefined])("is not against it: %j", (claim) => {
    expect(isUnverified({ email_verified: claim as boolean })).toBe(false)
  })

  it.each([false, "false", 0, "0", null, "", "TRUE", "yes", 2, {}, [], [true], "truee"])(
    "is that it was not verified: %j",
    (claim) => {
      expect(isUnverified({ email_verified: claim as boolean })).toBe(true)
    },
  )

  it("is nothing without a profile", () => {
    expect(isUnverified(undefined)).toBe(false)
    expect(isUnverified({})).toBe(false)
  })
})
