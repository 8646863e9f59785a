import { describe, expect, it } from "@jest/globals"
import { storeCredentialsUser } from "../../../src/core/accounts/credentials-user.js"
import { AccountNotLinked, AdapterError } from "../../../src/core/errors.js"
import type { User } from "../../../src/core/types.js"
import { answers, fails } from "../../support/stored-faults.js"
import { eventsOf, setUp } from "./setup.js"

const account = { provider: "credentials", providerAccountId: "42", type: "credentials" } as const
const ann: User = { id: "42", name: "Ann", email: "Ann@Example.com", image: null }

describe("whom a credentials provider lets in", () => {
  it("is found by id, and left as they are", async () => {
    const { means, calls, add } = setUp()
    const user = add({ id: "42", email: "old@example.com" })

    const admission = await storeCredentialsUser(ann, account, means)

    expect(admission).toEqual({ user, isNewUser: false, events: [] })
    expect(calls).toEqual([["getUser", "42"]])
  })

  it("is created under their id, with the address in its one form, not proved", async () => {
    const { means, calls } = setUp()

    const admission = await storeCredentialsUser(ann, account, means)

    const user = { id: "42", name: "Ann", email: "ann@example.com", image: null, emailVerified: null }
    expect(calls).toEqual([
      ["getUser", "42"],
      ["getUserByEmail", "ann@example.com"],
      ["createUser", user],
    ])
    expect(admission.events).toEqual([{ name: "createUser", message: { user } }])
  })

  it("cannot say that the address was proved", async () => {
    const { means, users } = setUp()

    await storeCredentialsUser({ ...ann, emailVerified: new Date() } as User, account, means)

    expect(users).toMatchObject([{ emailVerified: null }])
  })

  it.each([undefined, null, ""])("needs no address: %j", async (email) => {
    const { means, called, users } = setUp()

    await storeCredentialsUser({ ...ann, email }, account, means)

    expect(called()).toEqual(["getUser", "createUser"])
    expect(users).toHaveLength(1)
  })

  it("is refused where another user has the address", async () => {
    const { means, writes, add } = setUp()
    add({ id: "1", email: "ann@example.com" })

    const storing = storeCredentialsUser(ann, account, means)

    await expect(storing).rejects.toThrow(AccountNotLinked)
    await expect(storing).rejects.toMatchObject({ cause: { provider: "credentials" } })
    expect(writes()).toEqual([])
  })

  it("is refused, and gone again, where the store gives ids of its own", async () => {
    const { means, users } = setUp({ idFor: () => "own 1" })

    await expect(storeCredentialsUser(ann, account, means)).rejects.toThrow(AdapterError)
    expect(users).toEqual([])
  })

  it.each(["getUser", "getUserByEmail", "createUser"] as const)("is nobody when %s fails", async (method) => {
    const { means, faults, users } = setUp()
    faults.set(method, fails)

    await expect(storeCredentialsUser(ann, account, means)).rejects.toThrow(`${method} failed`)
    expect(users).toEqual([])
  })

  it.each([{}, { id: "" }, true, "42"])("is nobody when getUser answers %j", async (answer) => {
    const { means, faults, writes } = setUp()
    faults.set("getUser", answers(answer))

    await expect(storeCredentialsUser(ann, account, means)).rejects.toThrow(AdapterError)
    expect(writes()).toEqual([])
  })

  it("F-24: is nobody when the store comes with somebody else", async () => {
    const { means, faults, writes } = setUp()
    faults.set("getUserByEmail", answers({ id: "1", email: "eve@example.com" }))

    await expect(storeCredentialsUser(ann, account, means)).rejects.toThrow(AdapterError)
    expect(writes()).toEqual([])
  })
})

describe("F-02: two first sign-ins in two processes", () => {
  it("end with one user, and both signed in", async () => {
    const { means, faults, users, add } = setUp()
    faults.set("createUser", () => {
      add({ id: "42", email: "ann@example.com" })
      throw new Error("unique violation")
    })

    const admission = await storeCredentialsUser(ann, account, means)

    expect(eventsOf(admission)).toEqual([])
    expect(users).toHaveLength(1)
  })

  it("is found by the address when another server stores them between the two looks", async () => {
    const { means, faults, users, add } = setUp()
    faults.set("getUser", () => {
      add({ id: account.providerAccountId, email: "ann@example.com" })
      return Promise.resolve(null)
    })

    const { user, isNewUser } = await storeCredentialsUser(ann, account, means)

    expect({ id: user.id, isNewUser }).toEqual({ id: account.providerAccountId, isNewUser: false })
    expect(users).toHaveLength(1)
  })

  it("is refused when the address was taken meanwhile", async () => {
    const { means, faults, users, add } = setUp()
    faults.set("createUser", () => {
      add({ id: "1", email: "ann@example.com" })
      throw new Error("unique violation")
    })

    await expect(storeCredentialsUser(ann, account, means)).rejects.toThrow(AccountNotLinked)
    expect(users).toHaveLength(1)
  })
})
