/** Every row of the wire contract, section 7.2, and the rules that the design adds to it. */
import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import type { AdapterUser } from "../../../src/adapters/contract.js"
import { decide, isSameUser, type AccountFacts, type Decision } from "../../../src/core/accounts/decide.js"

function user(id: string | number): AdapterUser {
  return { id: id as string, email: `${id}@example.com`, emailVerified: null }
}

const x = user("x")
const y = user("y")
const u = user("u")

const keeps = (owner: AdapterUser): Decision => ({ kind: "sign-in", user: owner })
const links = (to: AdapterUser, isNewUser = false): Decision => ({ kind: "link", user: to, isNewUser })
const accountTaken: Decision = { kind: "refuse", reason: "account-taken" }
const emailTaken: Decision = { kind: "refuse", reason: "email-taken" }
const creates: Decision = { kind: "create" }

type Row = readonly [row: string, facts: Partial<AccountFacts>, decision: Decision]

const signedOut = { current: null, owner: null, namesake: null, trust: "none" } as const

describe("decide, by e-mail", () => {
  it("email | any | not called | found U: U has proved the address", () => {
    expect(decide({ kind: "email", namesake: u })).toEqual({ kind: "verify", user: u })
  })

  it("email | any | not called | none: a new user", () => {
    expect(decide({ kind: "email", namesake: null })).toEqual(creates)
  })
})

describe.each(["oauth/oidc", "webauthn"])("decide, by an account: %s", (type) => {
  const rows: readonly Row[] = [
    ["X | X (same) | –: nothing, X goes on", { current: x, owner: x }, keeps(x)],
    ["X | Y ≠ X | –: refused", { current: x, owner: y }, accountTaken],
    ["none | Y | –: Y signs in", { owner: y }, keeps(y)],
    ["X | none | –: linked to X", { current: x }, links(x)],
    ["none | none | found U: refused", { namesake: u }, emailTaken],
    ["none | none | none (or no email): a new user", {}, creates],
  ]

  it.each(rows)(`${type} | %s`, (_, facts, decision) => {
    expect(decide({ kind: "account", ...signedOut, ...facts })).toEqual(decision)
  })
})

describe("decide, by an account whose address is trusted", () => {
  const rows: readonly Row[] = [
    [
      "oauth/oidc | none | none | found U, flag on: linked to U, who is not new",
      { namesake: u, trust: "opted-in" },
      links(u),
    ],
    [
      "a user left without this account by a crash gets it, and is new",
      { namesake: u, trust: "unfinished" },
      links(u, true),
    ],
    [
      "the owner of the account comes before whoever has the address",
      { owner: y, namesake: u, trust: "opted-in" },
      keeps(y),
    ],
    [
      "whoever is signed in comes before whoever has the address",
      { current: x, namesake: u, trust: "opted-in" },
      links(x),
    ],
    ["trust does not give away an account", { current: x, owner: y, namesake: x, trust: "opted-in" }, accountTaken],
    ["trust in an address that nobody has creates a user", { trust: "opted-in" }, creates],
  ]

  it.each(rows)("%s", (_, facts, decision) => {
    expect(decide({ kind: "account", ...signedOut, ...facts })).toEqual(decision)
  })
})

describe("decide", () => {
  it("takes a number for the same id as its text, as adapters give one and tokens the other", () => {
    expect(decide({ kind: "account", ...signedOut, current: user(7), owner: user("7") })).toEqual(keeps(user("7")))
    expect(isSameUser({ id: "7" }, { id: 7 as never })).toBe(true)
    expect(isSameUser({ id: "7" }, { id: "8" })).toBe(false)
  })

  const someone = fc.option(fc.constantFrom("x", "y", "u").map(user), { nil: null })
  const facts = fc.record({
    kind: fc.constant("account" as const),
    current: someone,
    owner: someone,
    namesake: someone,
    trust: fc.constantFrom("none", "opted-in", "unfinished"),
  })

  it("never signs in anybody but the owner of an account that has one", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const decision = decide(given)
        const admitted = "user" in decision ? decision.user.id : undefined
        if (given.owner) expect([undefined, given.owner.id]).toContain(admitted)
      }),
    )
  })

  it("never gives an account to whom only the address belongs, unless that is trusted", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const decision = decide({ ...given, trust: "none" })
        const admitted = "user" in decision ? decision.user.id : undefined
        expect([undefined, given.owner?.id, given.current?.id]).toContain(admitted)
      }),
    )
  })

  it("changes nothing that it was given, and says the same each time", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const frozen = Object.freeze({ ...given })
        expect(decide(frozen)).toEqual(decide(frozen))
      }),
    )
  })
})
