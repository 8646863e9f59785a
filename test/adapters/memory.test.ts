import { randomUUID } from "node:crypto"
import { describe, expect, it } from "@jest/globals"
import type { AdapterSession, AdapterUser } from "../../src/adapters/contract.js"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { adapterContract, type AdapterMethod } from "../../src/testing/index.js"

const methods = Object.keys(MemoryAdapter()) as AdapterMethod[]

describe("the memory adapter keeps the contract:", () => {
  it("all of its methods", () => {
    expect(methods).toHaveLength(25)
  })

  it.each(adapterContract({ methods, milliseconds: true }).map((check) => [check.name, check] as const))(
    "%s",
    async (_, { run }) => run(MemoryAdapter()),
  )
})

describe("the memory adapter", () => {
  const expires = new Date(Date.now() + 60_000)
  const newUser = (fields?: Partial<AdapterUser>): AdapterUser => ({
    id: randomUUID(),
    email: `${randomUUID()}@example.com`,
    emailVerified: null,
    ...fields,
  })
  const newAccount = () => ({ type: "oidc", provider: "acme", providerAccountId: randomUUID() }) as const

  it("answers at once", () => {
    const adapter = MemoryAdapter()
    const user = newUser()
    expect(adapter.createUser(user)).toEqual(user)
    expect(adapter.getUser(user.id)).toEqual(user)
    expect(adapter.getUser("unknown")).toBeNull()
  })

  it("shares nothing with another", async () => {
    const user = await MemoryAdapter().createUser(newUser())
    expect(await MemoryAdapter().getUser(user.id)).toBeNull()
  })

  it("has emailVerified null where it is not told", async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(newUser({ emailVerified: undefined }))
    expect((await adapter.getUser(id))?.emailVerified).toBeNull()
  })

  it("takes undefined in a change for: leave it", async () => {
    const adapter = MemoryAdapter()
    const user = await adapter.createUser(newUser({ name: "Ada" }))
    expect(await adapter.updateUser({ id: user.id, name: undefined, email: undefined })).toEqual(user)
    expect(await adapter.getUserByEmail(user.email)).toEqual(user)
    const session = await adapter.createSession({ sessionToken: randomUUID(), userId: user.id, expires })
    expect(await adapter.updateSession({ ...session, userId: undefined, expires: undefined })).toEqual(session)
  })

  it("copies lists and objects in further fields, however deep", async () => {
    const adapter = MemoryAdapter()
    const { id: userId } = await adapter.createUser(newUser())
    const device = { names: ["phone"], seen: { first: new Date(0) } }
    const given = { sessionToken: randomUUID(), userId, expires, device } as AdapterSession & { device: typeof device }
    await adapter.createSession(given)
    given.device.names.push("changed")
    given.device.seen.first.setTime(1)
    const [found] = (await adapter.listSessionsByUserId(userId)) as (typeof given)[]
    expect(found?.device).toEqual({ names: ["phone"], seen: { first: new Date(0) } })
    found?.device.names.push("changed")
    expect(await adapter.listSessionsByUserId(userId)).toMatchObject([{ device: { names: ["phone"] } }])
  })

  it("lets nothing belong to a user who is not there", async () => {
    const adapter = MemoryAdapter()
    const { id } = await adapter.createUser(newUser())
    const account = { ...newAccount(), userId: id }
    const session = { sessionToken: randomUUID(), userId: id, expires }
    await adapter.linkAccount(account)
    await adapter.createSession(session)
    const passkey = {
      credentialID: "id",
      credentialPublicKey: "key",
      counter: 0,
      credentialDeviceType: "singleDevice",
      credentialBackedUp: false,
      providerAccountId: "id",
    }
    const userId = "unknown"
    const attempts = [
      () => adapter.linkAccount({ ...newAccount(), userId }),
      () => adapter.updateAccount({ ...account, userId }),
      () => adapter.createSession({ sessionToken: randomUUID(), userId, expires }),
      () => adapter.updateSession({ ...session, userId }),
      () => adapter.createAuthenticator({ ...passkey, userId }),
    ]
    for (const attempt of attempts) expect(attempt).toThrow("There is no user with this id")
    expect(await adapter.listAccountsByUserId(id)).toEqual([account])
    expect(await adapter.listSessionsByUserId(id)).toEqual([session])
  })

  it("keeps nothing of a deleted user, so that the same id can be created anew", async () => {
    const adapter = MemoryAdapter()
    const user = newUser()
    await adapter.createUser(user)
    await adapter.linkAccount({ ...newAccount(), userId: user.id })
    await adapter.createSession({ sessionToken: randomUUID(), userId: user.id, expires })
    expect(await adapter.deleteUser(user.id)).toEqual(user)
    expect(await adapter.deleteUser(user.id)).toBeNull()
    await adapter.createUser(user)
    expect(await adapter.listAccountsByUserId(user.id)).toEqual([])
    expect(await adapter.listSessionsByUserId(user.id)).toEqual([])
  })

  it.each(["createUser", "linkAccount"] as const)(
    "does not vouch for both in one step where an application has its own %s",
    async (method) => {
      const memory = MemoryAdapter()
      const adapter = { ...memory, [method]: (...args: [never]) => memory[method](...args) }
      const [user, account] = [newUser(), newAccount()]
      expect(await adapter.createUserWithAccount(user, account)).toBeNull()
      expect(await adapter.getUser(user.id)).toBeNull()
      expect(await { ...memory }.createUserWithAccount(user, account)).toEqual(user)
    },
  )

  it("says what it refuses without a word of the record", () => {
    const adapter = MemoryAdapter()
    const user = newUser()
    adapter.createUser(user)
    expect(() => adapter.createUser(user)).toThrow(/^This user exists already$/)
    expect(() => adapter.createUser({ ...user, id: "other" })).toThrow(/^Another user has this e-mail address$/)
    expect(() => adapter.updateUser({ id: "unknown" })).toThrow(/^There is no user with this id$/)
  })
})
