import { describe, expect, it } from "@jest/globals"
import fc from "fast-check"
import { isUserIdOf, newUserId } from "../../../src/core/accounts/user-id.js"

const account = { provider: "idp", providerAccountId: "ada" }
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const secret = "a secret"

describe("the id of a new user", () => {
  it("is a random UUID to whoever looks at it", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => newUserId(secret, account)))

    for (const id of ids) expect(id).toMatch(uuid)
    expect(new Set(ids.map((id) => id.slice(0, 18))).size).toBe(50)
    expect(new Set(ids.map((id) => id.slice(19))).size).toBe(50)
  })

  it("tells the account that it was made for", async () => {
    expect(await isUserIdOf([secret], account, await newUserId(secret, account))).toBe(true)
  })

  it("never passes for that of another account", async () => {
    const accountOf = fc.record({ provider: fc.string(), providerAccountId: fc.string() })
    await fc.assert(
      fc.asyncProperty(accountOf, accountOf, async (one, other) => {
        const isSame = one.provider === other.provider && one.providerAccountId === other.providerAccountId
        expect(await isUserIdOf([secret], other, await newUserId(secret, one))).toBe(isSame)
      }),
    )
  })

  it.each([
    [{ provider: "id", providerAccountId: "pada" }],
    [{ provider: "idpada", providerAccountId: "" }],
    [{ provider: "", providerAccountId: "idpada" }],
    [{ provider: 'idp","ada', providerAccountId: "" }],
    [{ provider: "ada", providerAccountId: "idp" }],
    [{ provider: "idp", providerAccountId: "Ada" }],
    [{ provider: "idp", providerAccountId: "ada " }],
  ])("does not run into that of %j", async (other) => {
    expect(await isUserIdOf([secret], other, await newUserId(secret, account))).toBe(false)
  })

  it("is known with every secret of a rotation, and made with the first", async () => {
    const old = await newUserId("old", account)

    expect(await isUserIdOf(["new", "old"], account, old)).toBe(true)
    expect(await isUserIdOf(["new"], account, old)).toBe(false)
    expect(await isUserIdOf([], account, old)).toBe(false)
  })

  it("cannot be made without the secret", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uuid({ version: 4 }), async (id) => {
        expect(await isUserIdOf([secret], account, id)).toBe(false)
      }),
    )
  })

  it("stands as a whole: no digit of it can be changed", async () => {
    const id = await newUserId(secret, account)
    for (const index of Array.from(id, (_, position) => position).filter((position) => id[position] !== "-")) {
      const changed = id.slice(0, index) + (id[index] === "0" ? "1" : "0") + id.slice(index + 1)
      expect(await isUserIdOf([secret], account, changed)).toBe(false)
    }
  })

  it.each([
    undefined,
    null,
    7,
    "",
    "ada",
    {},
    ["00000000-0000-4000-8000-000000000000"],
    "0".repeat(36),
    "-".repeat(36),
    "0".repeat(35),
    "0".repeat(100_000),
  ])("is none of ours: %j", async (id) => {
    expect(await isUserIdOf([secret], account, id)).toBe(false)
  })
})
