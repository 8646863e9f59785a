import { describe, expect, it } from "@jest/globals"
import type { AdapterUser } from "../../../src/adapters/contract.js"
import { findNamesake, settle } from "../../../src/core/accounts/settle.js"
import { newUserId } from "../../../src/core/accounts/user-id.js"
import { AdapterError, OAuthAccountNotLinked } from "../../../src/core/errors.js"
import { answers, fails, losesAnswer, once } from "../../support/stored-faults.js"
import { account, caseOf, eventsOf, newcomer, secret, setUp } from "./setup.js"

describe("the facts", () => {
  it("of a known account need no look at the address", async () => {
    const { means, calls, add } = setUp()
    const user = add({ id: "1", email: "old@example.com" }, {})

    expect(await settle(await caseOf(), means)).toEqual({ user, isNewUser: false, events: [] })
    expect(calls).toEqual([["getUserByAccount", { provider: "idp", providerAccountId: "ada" }]])
  })

  it("of somebody who is signed in need none either", async () => {
    const { means, called, add } = setUp()
    const current = add({ id: "1" })
    add({ id: "2", email: "ada@example.com" })

    expect((await settle(await caseOf({ current }), means)).user).toEqual(current)
    expect(called()).toEqual(["getUserByAccount", "linkAccount"])
  })

  it.each([undefined, null, ""])("without an address have no namesake: %j", async (email) => {
    const { means, called } = setUp()
    const given = await newcomer()
    const user = { ...given.user, email } as AdapterUser

    await settle(await caseOf({ newcomer: { ...given, user } }), means)

    expect(called()).toEqual(["getUserByAccount", "createUser", "linkAccount"])
  })

  it.each(["getUserByAccount", "getUserByEmail"] as const)(
    "F-04, F-05: cannot be had when %s fails",
    async (method) => {
      const { means, faults, writes } = setUp()
      faults.set(method, fails)

      await expect(settle(await caseOf(), means)).rejects.toThrow(`${method} failed`)
      expect(writes()).toEqual([])
    },
  )
})

describe("F-24: a namesake", () => {
  it.each([{ email: "eve@example.com" }, { email: null }, { email: undefined }, { email: 7 }])(
    "with another address is none: %j",
    async (other) => {
      const { means, faults, writes } = setUp()
      faults.set("getUserByEmail", answers({ id: "1", ...other }))

      await expect(settle(await caseOf({ linksByEmail: true }), means)).rejects.toThrow(AdapterError)
      expect(writes()).toEqual([])
    },
  )

  it("may have the address as another library wrote it", async () => {
    const { means, faults } = setUp()
    const found = { id: "1", email: "Ada@Example.com" }
    faults.set("getUserByEmail", answers(found))

    expect(await findNamesake("ada@example.com", means.store)).toEqual(found)
  })
})

describe("A-063: linking by address", () => {
  const cases = [
    ["where the application opted in", {}, true],
    ["not where it did not", { linksByEmail: false }, false],
    ["when the provider verified the address", { claims: { email_verified: true } }, true],
    ["not when the provider did not", { claims: { email_verified: false } }, false],
    ["not when the provider says so in a text", { claims: { email_verified: "false" as never } }, false],
    ["when the provider wrote it in capitals", { statedEmail: "ADA@Example.com" }, true],
    ["not when it only looks the same", { statedEmail: "\uff41da@example.com" }, false],
    ["not when it has a final dot", { statedEmail: "ada@example.com." }, false],
  ] as const

  it.each(cases)("%s", async (_, given, isLinked) => {
    const { means, accounts, add } = setUp()
    const user = add({ id: "1", email: "ada@example.com" })
    const settling = settle(await caseOf({ linksByEmail: true, ...given }), means)

    if (isLinked) expect(await settling).toMatchObject({ user, isNewUser: false })
    else await expect(settling).rejects.toThrow(OAuthAccountNotLinked)
    expect(accounts.map(({ userId }) => userId)).toEqual(isLinked ? ["1"] : [])
  })

  it("not when it is not known how the provider wrote it", async () => {
    const { means, add } = setUp()
    add({ id: "1", email: "ada@example.com" })
    const settling = settle(await caseOf({ linksByEmail: true, statedEmail: undefined }), means)

    await expect(settling).rejects.toThrow(OAuthAccountNotLinked)
  })
})

const lists = ["listAccountsByUserId", "listSessionsByUserId"] as const

describe("F-48: a user whose creation broke off before the account was linked", () => {
  async function orphan(extras: readonly (typeof lists)[number][] = lists, changes: Partial<AdapterUser> = {}) {
    const given = setUp({ extras })
    const user = given.add({ id: await newUserId(secret, account), email: "ada@example.com", ...changes })
    return { ...given, user }
  }

  it("gets it, and counts as new", async () => {
    const { means, accounts, user } = await orphan()

    const admission = await settle(await caseOf(), means)

    expect(admission).toMatchObject({ user, isNewUser: true })
    expect(accounts.map(({ userId }) => userId)).toEqual([user.id])
    expect(eventsOf(admission)).toEqual(["createUser", "linkAccount"])
  })

  it("gets it whatever the provider says of the address, as it is the same account", async () => {
    const { means, user } = await orphan()
    const given = await caseOf({ claims: { email_verified: false }, statedEmail: "Ada@example.com." })

    expect((await settle(given, means)).user).toEqual(user)
  })

  it("is known after the secret was rotated", async () => {
    const { means, user } = await orphan()

    expect((await settle(await caseOf({ secrets: ["newer", secret] }), means)).user).toEqual(user)
  })

  it("is known without a list of sessions", async () => {
    const { means, user } = await orphan(["listAccountsByUserId"])

    expect((await settle(await caseOf(), means)).user).toEqual(user)
  })

  it("is not known where the adapter cannot tell whether they have accounts", async () => {
    const { means } = await orphan(["listSessionsByUserId"])

    await expect(settle(await caseOf(), means)).rejects.toThrow(OAuthAccountNotLinked)
  })

  it("is not known where they may have a password, of which the store does not tell", async () => {
    const { means } = await orphan()

    await expect(settle(await caseOf({ mayHavePassword: true }), means)).rejects.toThrow(OAuthAccountNotLinked)
  })

  it("is not known by another secret", async () => {
    const { means } = await orphan()

    await expect(settle(await caseOf({ secrets: ["another"] }), means)).rejects.toThrow(OAuthAccountNotLinked)
  })

  it("is not known to have broken off once the address was proved", async () => {
    const { means } = await orphan(lists, { emailVerified: new Date(0) })

    await expect(settle(await caseOf(), means)).rejects.toThrow(OAuthAccountNotLinked)
  })

  it("is not known by another account", async () => {
    const { means, writes } = await orphan()
    const given = await caseOf({ newcomer: await newcomer({ providerAccountId: "eve" }) })

    await expect(settle(given, means)).rejects.toThrow(OAuthAccountNotLinked)
    expect(writes()).toEqual([])
  })

  it("is not one who has another account: they may have unlinked this one", async () => {
    const { means, accounts, user } = await orphan()
    accounts.push({ ...account, provider: "other", userId: user.id })

    await expect(settle(await caseOf(), means)).rejects.toThrow(OAuthAccountNotLinked)
  })

  it("is not one who is signed in", async () => {
    const { means, sessions, user } = await orphan()
    sessions.push({ sessionToken: "s", userId: user.id, expires: new Date(0) })

    await expect(settle(await caseOf(), means)).rejects.toThrow(OAuthAccountNotLinked)
  })

  it.each(lists)("cannot be told when %s fails", async (method) => {
    const { means, faults, writes } = await orphan()
    faults.set(method, fails)

    await expect(settle(await caseOf(), means)).rejects.toThrow(AdapterError)
    expect(writes()).toEqual([])
  })
})

describe("a second look, after the store has failed", () => {
  it("F-02: finds that somebody else was faster with the same account", async () => {
    const { means, faults, users, add } = setUp()
    faults.set("createUser", () => {
      add({ id: "1", email: "ada@example.com" }, {})
      throw new Error("unique violation")
    })

    expect(await settle(await caseOf(), means)).toEqual({ user: users[0], isNewUser: false, events: [] })
    expect(users).toHaveLength(1)
  })

  it("F-02: finds that somebody else was faster with the address", async () => {
    const { means, faults, users, add } = setUp()
    faults.set("createUser", () => {
      add({ id: "1", email: "ada@example.com" }, { provider: "other" })
      throw new Error("unique violation")
    })

    await expect(settle(await caseOf(), means)).rejects.toThrow(OAuthAccountNotLinked)
    expect(users).toHaveLength(1)
  })

  it.each([
    ["the same user: it is theirs", "1"],
    ["another user: refused", "2"],
  ])("F-08: finds that the account was linked meanwhile, to %s", async (_, owner) => {
    const { means, faults, accounts, add } = setUp()
    const current = add({ id: "1" })
    add({ id: "2" })
    faults.set("linkAccount", () => {
      accounts.push({ ...account, userId: owner })
      throw new Error("unique violation")
    })
    const settling = settle(await caseOf({ current }), means)

    if (owner === "1") expect((await settling).user).toEqual(current)
    else await expect(settling).rejects.toThrow(OAuthAccountNotLinked)
    expect(accounts).toHaveLength(1)
  })

  it.each(["linkAccount", "createUserWithAccount"] as const)(
    "F-29: finds what %s has written, though its answer was lost",
    async (method) => {
      const { means, faults, users, accounts } = setUp({ extras: ["createUserWithAccount"] })
      if (method === "linkAccount") faults.set("createUserWithAccount", () => null)
      faults.set(method, losesAnswer)

      expect((await settle(await caseOf(), means)).user).toEqual(users[0])
      expect([users.length, accounts.length]).toEqual([1, 1])
    },
  )

  it("F-29: knows a user of its own making, whose creation is still to be told", async () => {
    const { means, faults } = setUp({ extras: ["createUserWithAccount"] })
    faults.set("createUserWithAccount", losesAnswer)

    const admission = await settle(await caseOf(), means)

    expect(admission.isNewUser).toBe(true)
    expect(eventsOf(admission)).toEqual(["createUser", "linkAccount"])
  })

  it("is one: a failure that stays is reported as it was", async () => {
    const { means, faults, called } = setUp({ extras: ["createUserWithAccount"] })
    faults.set("createUserWithAccount", fails)

    await expect(settle(await caseOf(), means)).rejects.toThrow("createUserWithAccount failed")
    expect(called()).toEqual([
      ...["getUserByAccount", "getUserByEmail", "createUserWithAccount"],
      ...["getUserByAccount", "getUserByEmail"],
    ])
  })

  it("that fails itself reports the first failure", async () => {
    const { means, faults } = setUp()
    faults.set("createUser", () => {
      faults.set("getUserByAccount", fails)
      throw new Error("first")
    })

    await expect(settle(await caseOf(), means)).rejects.toThrow("createUser failed")
  })

  it("is not taken after a refusal", async () => {
    const { means, called, add } = setUp()
    add({ id: "1", email: "ada@example.com" })

    await expect(settle(await caseOf(), means)).rejects.toThrow(OAuthAccountNotLinked)
    expect(called()).toEqual(["getUserByAccount", "getUserByEmail"])
  })
})

describe("F-07: an adapter that can neither link nor delete for a moment", () => {
  it("is reported as failing, not as an address that is taken", async () => {
    const { means, faults } = setUp({ lacks: ["deleteUser"] })
    faults.set("linkAccount", fails)

    await expect(settle(await caseOf(), means)).rejects.toThrow(AdapterError)
  })

  it("locks nobody out when the user that it created is the one of this very sign-in", async () => {
    const { means, faults, accounts } = setUp({ lacks: ["deleteUser"] })
    faults.set("linkAccount", once(fails))

    await settle(await caseOf(), means)

    expect(accounts).toHaveLength(1)
  })

  it("locks nobody out when createUser has written, and its answer is lost", async () => {
    const { means, faults, accounts } = setUp()
    faults.set("createUser", once(losesAnswer))

    await settle(await caseOf(), means)

    expect(accounts).toHaveLength(1)
  })

  it("takes nobody for its own whose id the store has given again, after it was free", async () => {
    const { means, faults, users, add } = setUp({ idFor: () => "5" })
    faults.set("linkAccount", once(fails))
    faults.set("deleteUser", async (work) => {
      await work()
      add({ id: "5", email: "ada@example.com" }, { provider: "other" })
    })

    await expect(settle(await caseOf(), means)).rejects.toThrow()

    expect(users).toHaveLength(1)
  })
})
