import { describe, expect, it } from "@jest/globals"
import { apply } from "../../../src/core/accounts/apply.js"
import { AccountNotLinked, AdapterError, OAuthAccountNotLinked } from "../../../src/core/errors.js"
import { answers, fails, losesAnswer } from "../../support/stored-faults.js"
import { account, eventsOf, newcomer, now, setUp } from "./setup.js"

const linkFailed = { type: "AdapterError", cause: { err: { message: expect.stringContaining("linkAccount failed") } } }
const refused = (reason: "account-taken" | "email-taken") => ({ kind: "refuse", reason }) as const

describe("a refusal", () => {
  it.each([
    ["oidc", OAuthAccountNotLinked],
    ["oauth", OAuthAccountNotLinked],
    ["webauthn", AccountNotLinked],
  ] as const)("of an account of type %s says so, and names the provider alone", async (type, Expected) => {
    const { means, calls } = setUp()
    const given = await newcomer({ type })

    for (const reason of ["account-taken", "email-taken"] as const) {
      const error: unknown = await apply(refused(reason), given, means).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Expected)
      expect(error).toMatchObject({ cause: { provider: "idp" } })
      expect((error as Error).message).not.toMatch(/ada/i)
    }
    expect(calls).toEqual([])
  })

  it("tells the two reasons apart in its message, which the log gets", async () => {
    const { means } = setUp()
    const given = await newcomer()
    const messages = (["account-taken", "email-taken"] as const).map((reason) =>
      apply(refused(reason), given, means).catch((thrown: unknown) => (thrown as Error).message),
    )

    expect(new Set(await Promise.all(messages)).size).toBe(2)
  })
})

describe("a sign-in", () => {
  it("writes nothing where accounts cannot be changed", async () => {
    const { means, calls, add } = setUp()
    const user = add({ id: "1" }, {})

    const admission = await apply({ kind: "sign-in", user }, await newcomer(), means)

    expect(admission).toEqual({ user, isNewUser: false, events: [] })
    expect(calls).toEqual([])
  })

  it("keeps the fresh tokens, without a word of whose account it is", async () => {
    const { means, calls, accounts, add } = setUp({ extras: ["updateAccount"] })
    const user = add({ id: "1" }, { access_token: "old", refresh_token: "kept" })

    await apply({ kind: "sign-in", user }, await newcomer({ access_token: "fresh" }), means)

    expect(calls).toEqual([["updateAccount", { ...account, access_token: "fresh" }]])
    expect(accounts).toEqual([{ ...account, userId: "1", access_token: "fresh", refresh_token: "kept" }])
  })

  it("does not depend on that: a failure is logged", async () => {
    const { means, faults, log, add } = setUp({ extras: ["updateAccount"] })
    const user = add({ id: "1" }, {})
    faults.set("updateAccount", fails)

    expect(await apply({ kind: "sign-in", user }, await newcomer(), means)).toMatchObject({ user })
    expect(log.types()).toEqual(["AdapterError"])
  })
})

describe("a proved address", () => {
  it("is written down with the moment, and told", async () => {
    const { means, calls, add } = setUp()
    const user = add({ id: "1", name: "Ada" })

    const admission = await apply({ kind: "verify", user }, await newcomer({ type: "email" }), means)

    const verified = { ...user, emailVerified: new Date(now) }
    const events = [{ name: "updateUser", message: { user: verified } }]
    expect(admission).toEqual({ user: verified, isNewUser: false, events })
    expect(calls).toEqual([["updateUser", { id: "1", emailVerified: new Date(now) }]])
  })

  it.each([undefined, null, {}, { id: "" }, true, "1"])("needs the user back: %j", async (answer) => {
    const { means, faults, add } = setUp()
    const user = add({ id: "1" })
    faults.set("updateUser", answers(answer))

    await expect(apply({ kind: "verify", user }, await newcomer({ type: "email" }), means)).rejects.toThrow(
      AdapterError,
    )
  })
})

describe("a link", () => {
  it("is one call, and one event whose account does not say the user", async () => {
    const { means, calls, add } = setUp()
    const user = add({ id: "1" })
    const given = await newcomer()

    const admission = await apply({ kind: "link", user, isNewUser: false }, given, means)

    const events = [{ name: "linkAccount", message: { user, account, profile: given.profile } }]
    expect(admission).toEqual({ user, isNewUser: false, events })
    expect(calls).toEqual([["linkAccount", { ...account, userId: "1" }]])
  })

  it("of a user whose creation had broken off tells of that too", async () => {
    const { means, add } = setUp()
    const user = add({ id: "1" })

    const admission = await apply({ kind: "link", user, isNewUser: true }, await newcomer(), means)

    expect(admission.isNewUser).toBe(true)
    expect(eventsOf(admission)).toEqual(["createUser", "linkAccount"])
  })

  it("that fails leaves the user alone", async () => {
    const { means, faults, users, called, add } = setUp()
    const user = add({ id: "1" })
    faults.set("linkAccount", fails)

    const linking = apply({ kind: "link", user, isNewUser: false }, await newcomer(), means)

    await expect(linking).rejects.toThrow(AdapterError)
    expect(users).toEqual([user])
    expect(called()).not.toContain("deleteUser")
  })
})

describe("a new user", () => {
  it("is created, then linked, where the adapter cannot do both at once", async () => {
    const { means, calls, users } = setUp()
    const given = await newcomer()

    const admission = await apply({ kind: "create" }, given, means)

    const events = [
      { name: "createUser", message: { user: given.user } },
      { name: "linkAccount", message: { user: given.user, account, profile: given.profile } },
    ]
    expect(admission).toEqual({ user: given.user, isNewUser: true, events })
    expect(calls).toEqual([
      ["createUser", given.user],
      ["linkAccount", { ...account, userId: given.user.id }],
    ])
    expect(users).toEqual([given.user])
  })

  it("goes by the id that the adapter gave", async () => {
    const { means, accounts } = setUp({ idFor: () => "own 1" })

    const { user } = await apply({ kind: "create" }, await newcomer(), means)

    expect(user.id).toBe("own 1")
    expect(accounts.map(({ userId }) => userId)).toEqual(["own 1"])
  })

  it("is created with the account where the adapter can do both", async () => {
    const { means, calls } = setUp({ extras: ["createUserWithAccount"] })
    const given = await newcomer()

    const admission = await apply({ kind: "create" }, given, means)

    expect(calls).toEqual([["createUserWithAccount", given.user, account]])
    expect(eventsOf(admission)).toEqual(["createUser", "linkAccount"])
  })

  it("is created step by step where the adapter will not vouch for both", async () => {
    const { means, faults, called } = setUp({ extras: ["createUserWithAccount"] })
    faults.set("createUserWithAccount", () => null)

    await apply({ kind: "create" }, await newcomer(), means)

    expect(called()).toEqual(["createUserWithAccount", "createUser", "linkAccount"])
  })

  it("of an e-mail sign-in has no account", async () => {
    const { means, called } = setUp({ extras: ["createUserWithAccount"] })

    const admission = await apply({ kind: "create" }, await newcomer({ type: "email" }), means)

    expect(called()).toEqual(["createUser"])
    expect(eventsOf(admission)).toEqual(["createUser"])
  })

  it("F-07: is deleted when the account cannot be linked, and nobody is admitted", async () => {
    const { means, faults, users, called } = setUp()
    faults.set("linkAccount", fails)

    await expect(apply({ kind: "create" }, await newcomer(), means)).rejects.toMatchObject({
      type: "AdapterError",
      cause: { method: "linkAccount" },
    })

    expect(users).toEqual([])
    expect(called()).toEqual(["createUser", "linkAccount", "getUserByAccount", "deleteUser"])
  })

  it("F-29: stays when the account was linked, and only the answer is lost", async () => {
    const { means, faults, users } = setUp()
    faults.set("linkAccount", losesAnswer)
    const given = await newcomer()

    const admission = await apply({ kind: "create" }, given, means)

    expect(admission).toMatchObject({ user: given.user, isNewUser: true })
    expect(users).toEqual([given.user])
    expect(eventsOf(admission)).toEqual(["createUser", "linkAccount"])
  })

  it("is deleted when the account turns out to be another user's", async () => {
    const { means, users, accounts, add } = setUp()
    const other = add({ id: "1" }, {})

    await expect(apply({ kind: "create" }, await newcomer(), means)).rejects.toThrow(AdapterError)

    expect(users).toEqual([other])
    expect(accounts.map(({ userId }) => userId)).toEqual(["1"])
  })

  it("that cannot be deleted is logged, and the first failure reported", async () => {
    const { means, faults, log } = setUp()
    faults.set("linkAccount", fails).set("deleteUser", fails)

    await expect(apply({ kind: "create" }, await newcomer(), means)).rejects.toMatchObject(linkFailed)
    expect(log.errors.map(({ message }) => message)).toEqual([expect.stringContaining("deleteUser failed")])
  })
})
