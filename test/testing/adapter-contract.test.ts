import { describe, expect, it } from "@jest/globals"
import type { Adapter, VerificationToken } from "../../src/adapters/contract.js"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { adapterContract, type AdapterCheck, type AdapterMethod } from "../../src/testing/index.js"
import { accountsDefects } from "./adapter-contract/accounts.js"
import { authenticatorsDefects } from "./adapter-contract/authenticators.js"
import { after, before, type Breaks } from "./adapter-contract/breaking.js"
import { extrasDefects } from "./adapter-contract/extras.js"
import { hostileDefects } from "./adapter-contract/hostile.js"
import { missingDefects } from "./adapter-contract/missing.js"
import { sessionsDefects } from "./adapter-contract/sessions.js"
import { uniqueDefects } from "./adapter-contract/unique.js"
import { usersDefects } from "./adapter-contract/users.js"
import { verificationDefects } from "./adapter-contract/verification.js"

const defects = [
  ...missingDefects,
  ...usersDefects,
  ...accountsDefects,
  ...sessionsDefects,
  ...verificationDefects,
  ...authenticatorsDefects,
  ...extrasDefects,
  ...hostileDefects,
  ...uniqueDefects,
]

const methods = Object.keys(MemoryAdapter()) as AdapterMethod[]
const required: readonly AdapterMethod[] = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
]

/** Replacing `createUser` or `linkAccount` alone must not change what `createUserWithAccount` does. */
function broken(breaks: Breaks): Adapter {
  const good = MemoryAdapter()
  return { ...good, createUserWithAccount: good.createUserWithAccount.bind(good), ...breaks(good) }
}

async function failuresOf(checks: readonly AdapterCheck[], open: () => Adapter): Promise<readonly string[]> {
  const failures: string[] = []
  for (const { name, run } of checks) await run(open()).catch(() => failures.push(name))
  return failures
}

describe("a check of what an adapter need not have", () => {
  const bare = Object.fromEntries(required.map((name) => [name, MemoryAdapter()[name]])) as Adapter

  it("says that it does not apply, and does nothing", async () => {
    const idle = adapterContract().filter(({ appliesTo }) => !appliesTo(bare))
    expect(idle.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^updateAccount/))
    expect(idle.map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/^(?:getUser|createSession)\b/))
    expect(await failuresOf(idle, () => bare)).toEqual([])
  })

  it("applies where the method is said to be there", () => {
    expect(adapterContract({ methods }).every(({ appliesTo }) => appliesTo(bare))).toBe(true)
  })
})

describe("the adapter contract suite", () => {
  const checks = adapterContract({ methods })

  it("has a name of its own for each check", () => {
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  })

  it.each(defects.map((defect) => [defect.name, defect] as const))("notices that %s", async (_, defect) => {
    expect(await failuresOf(checks, () => broken(defect.breaks))).toEqual(defect.fails)
  })

  it("has no check that cannot fail", () => {
    const failing = new Set(defects.flatMap(({ fails }) => fails))
    expect(checks.map(({ name }) => name).filter((name) => !failing.has(name))).toEqual([])
  })

  it("needs no empty store: all checks pass on one, and pass on it again", async () => {
    const shared = MemoryAdapter()
    expect(await failuresOf(checks, () => shared)).toEqual([])
    expect(await failuresOf(checks, () => shared)).toEqual([])
  })

  it("says what is wanted and what came", async () => {
    const adapter = broken(after("getUser", (user) => user && { ...user, emailVerified: "2026-01-01", admin: true }))
    const check = checks.find(({ name }) => name === "getUser gives emailVerified as the Date it was")
    await expect(check?.run(adapter)).rejects.toThrow(
      /^getUser: emailVerified should be Date \d{4}-\S+Z, but is "2026-01-01"; admin should not be there, but is true$/,
    )
  })
})

describe("the methods that are checked", () => {
  const without = (...left: readonly AdapterMethod[]): Adapter => ({
    ...MemoryAdapter(),
    ...Object.fromEntries(left.map((method) => [method, undefined])),
  })

  it("are by default those that are there", async () => {
    const optional = methods.filter((method) => !required.includes(method))
    expect(optional).toHaveLength(methods.length - 14)
    expect(await failuresOf(adapterContract(), () => without(...optional))).toEqual([])
    const defect = after("getAccount", (account) => account ?? undefined)
    expect(await failuresOf(adapterContract(), () => broken(defect))).toContain(
      "getAccount gives null unless provider and providerAccountId both match",
    )
  })

  it.each(required)("are never fewer than Auth.js requires: %s", async (method) => {
    const [first] = adapterContract()
    await expect(first?.run(without(method))).rejects.toThrow(`The adapter should have these methods, too: ${method}`)
  })

  it("can be named: all of these must be there, and no other is looked at", async () => {
    const named = adapterContract({ methods: ["createVerificationToken", "useVerificationToken"] })
    expect(named.length).toBeGreaterThan(10)
    const { createVerificationToken, useVerificationToken } = MemoryAdapter()
    expect(await failuresOf(named, () => ({ createVerificationToken, useVerificationToken }))).toEqual([])
    expect(await failuresOf(named, () => ({ createVerificationToken }))).toHaveLength(named.length)
  })

  it("may be those of a class", async () => {
    class ByClass {
      readonly #tokens = new Map<string, VerificationToken>()
      createVerificationToken(token: VerificationToken): void {
        this.#tokens.set(JSON.stringify([token.identifier, token.token]), token)
      }
      useVerificationToken({ identifier, token }: { identifier: string; token: string }): VerificationToken | null {
        const key = JSON.stringify([identifier, token])
        const found = this.#tokens.get(key)
        this.#tokens.delete(key)
        return found ?? null
      }
    }
    const named = adapterContract({ methods: ["createVerificationToken", "useVerificationToken"] })
    expect(await failuresOf(named, () => new ByClass())).toEqual([])
  })
})

describe("an adapter of its own kind", () => {
  it("need not keep everything unique, if it says so", async () => {
    const careless = uniqueDefects.find(({ name }) => name === "linkAccount says nothing of a taken account")
    const open = () => broken(careless?.breaks ?? (() => ({})))
    expect(await failuresOf(adapterContract({ methods }), open)).toHaveLength(2)
    expect(await failuresOf(adapterContract({ methods, unique: ["email"] }), open)).toEqual([])
  })

  it("may have fields of its own, and must then keep them", async () => {
    const fields = { user: { role: "admin" }, account: { tenant: "acme" }, session: { userAgent: "curl" } }
    const checks = adapterContract({ methods, fields })
    expect(await failuresOf(checks, MemoryAdapter)).toEqual([])
    const forgetful: readonly Breaks[] = [
      before("createUser", (user) => [{ ...user, role: undefined }]),
      before("linkAccount", (account) => [{ ...account, tenant: undefined }]),
      before("createSession", (session) => [{ ...session, userAgent: undefined }]),
    ]
    for (const breaks of forgetful) expect(await failuresOf(checks, () => broken(breaks))).not.toEqual([])
  })

  it("may fill in fields of its own, if it says which", async () => {
    const stamps = after("getUser", (user) => user && { ...user, createdAt: new Date() })
    expect(await failuresOf(adapterContract({ methods }), () => broken(stamps))).not.toEqual([])
    expect(await failuresOf(adapterContract({ methods, generated: ["createdAt"] }), () => broken(stamps))).toEqual([])
  })

  it("may keep dates to the second, unless it promises more", async () => {
    const coarse = before("createSession", (session) => [
      { ...session, expires: new Date(Math.floor(session.expires.getTime() / 1000) * 1000) },
    ])
    expect(await failuresOf(adapterContract({ methods }), () => broken(coarse))).toEqual([])
    expect(await failuresOf(adapterContract({ methods, milliseconds: true }), () => broken(coarse))).not.toEqual([])
  })

  it("may be asynchronous and slow", async () => {
    const good = MemoryAdapter()
    const slow = Object.fromEntries(
      Object.entries(good).map(([method, call]) => [
        method,
        async (...args: unknown[]) => {
          await new Promise((resolve) => setImmediate(resolve))
          return Reflect.apply(call, good, args) as unknown
        },
      ]),
    )
    expect(await failuresOf(adapterContract({ methods }), () => slow)).toEqual([])
  })
})
