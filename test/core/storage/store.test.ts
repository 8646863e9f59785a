/** The adapter as the core calls it: as methods, within a time limit, with one kind of error. */
import { describe, expect, it, jest } from "@jest/globals"
import type { Adapter } from "../../../src/adapters/contract.js"
import { MemoryAdapter } from "../../../src/adapters/memory.js"
import { AdapterError } from "../../../src/core/errors.js"
import { createStore, hasMethod, type Store } from "../../../src/core/storage/store.js"
import { recordingLogger } from "../../support/core-recording-logger.js"
import { outage, silences, type MethodName } from "../../support/database-adapter.js"

const user = { id: "1", name: "Ann", email: "ann@x.example", emailVerified: null }
const every = Object.keys(MemoryAdapter()) as MethodName[]

function storeOf(adapter: Adapter, timeout = 0.02) {
  const logger = recordingLogger()
  return { store: createStore(adapter, { timeout, logger }), logger }
}

/** Calls a method by its name, whatever it takes. */
function call(store: Store, name: MethodName, ...given: readonly unknown[]): unknown {
  return (store[name] as (...given: readonly unknown[]) => unknown)(...given)
}

class Users {
  readonly #users = new Map([[user.id, user]])
  protected readonly all = () => this.#users

  getUser(id: string) {
    return this.all().get(id) ?? null
  }
}

class UsersOfShop extends Users implements Adapter {
  calls = 0

  async createUser(given: typeof user) {
    this.calls += 1
    this.all().set(given.id, given)
    return given
  }

  getUserByEmail = (email: string) => [...this.all().values()].find((each) => each.email === email) ?? null
}

describe("an adapter", () => {
  it("may be a class: its methods, those that it inherits, and its private fields", async () => {
    const adapter = new UsersOfShop()
    const { store } = storeOf(adapter)

    expect(store.getUser("1")).toEqual(user)
    expect(await store.createUser({ ...user, id: "2", email: "bob@x.example" })).toMatchObject({ id: "2" })
    expect(store.getUserByEmail("bob@x.example")).toMatchObject({ id: "2" })
    expect(adapter.calls).toBe(1)
    const { getUser, createUser } = store
    expect(getUser("2")).toMatchObject({ id: "2" })
    await createUser({ ...user, id: "3" })
    expect(adapter.calls).toBe(2)
  })

  it("may be put together from others: their methods call each other on the whole", () => {
    const users: Adapter = {
      getUser: () => user,
      getUserByAccount() {
        return this.getUser?.("1") ?? null
      },
    }
    const { store } = storeOf({ ...users, getUser: () => ({ ...user, name: "Bob" }) })

    expect(store.getUserByAccount({ provider: "p", providerAccountId: "1" })).toMatchObject({ name: "Bob" })
  })

  it("may be a proxy, or frozen, and is never written to", () => {
    const asked: unknown[] = []
    const proxy = new Proxy(
      {},
      {
        get: (_, name) => (name === "getUser" ? (id: string) => asked.push(id) && user : undefined),
        set: () => {
          throw new Error("written")
        },
      },
    )

    expect(storeOf(proxy).store.getUser("1")).toEqual(user)
    expect(storeOf(Object.freeze({ getUser: () => user })).store.getUser("1")).toEqual(user)
    expect(asked).toEqual(["1"])
  })

  it("is called as it is then, not as it was", () => {
    const adapter: Adapter = {}
    const { store } = storeOf(adapter)
    expect(store.has("getUser")).toBe(false)

    adapter.getUser = () => user

    expect([store.has("getUser"), store.getUser("1")]).toEqual([true, user])
  })

  it("gets what the core gives, as it is", () => {
    const got: unknown[] = []
    const adapter = Object.fromEntries(
      every.map((name) => [name, (...given: unknown[]) => void got.push([name, given])]),
    )
    const { store } = storeOf(adapter)
    const one = { a: 1 }

    for (const name of every) call(store, name, one, "two", undefined)

    expect(got).toEqual(every.map((name) => [name, [one, "two", undefined]]))
    expect((got[0] as [string, unknown[]])[1][0]).toBe(one)
  })

  it("gives back what it gives, as it is: at once what is there at once, or a promise", async () => {
    for (const value of [user, null, undefined, [], 0, "", false]) {
      expect(storeOf({ getUser: () => value as typeof user }).store.getUser("1")).toBe(value)
      const later = storeOf({ getUser: async () => value as typeof user }).store.getUser("1")
      expect(later).toBeInstanceOf(Promise)
      expect(await later).toBe(value)
    }
  })

  it("may answer by anything that has a then", async () => {
    const thenable = { then: (resolve: (value: typeof user) => void) => resolve(user) }

    expect(await storeOf({ getUser: () => thenable as unknown as Promise<typeof user> }).store.getUser("1")).toEqual(
      user,
    )
  })
})

describe("a store", () => {
  it("knows all methods of the contract, and those beyond it, even where the adapter has none", () => {
    const { store } = storeOf({})

    expect(every).toHaveLength(25)
    for (const name of every) {
      expect(store.has(name)).toBe(false)
      expect(() => call(store, name)).toThrow(AdapterError)
    }
  })

  it("says which method is missing when it is met", () => {
    const { store } = storeOf({ getUser: "text" as never })

    expect(() => store.getUser("1")).toThrow(
      expect.objectContaining({
        type: "AdapterError",
        message: expect.stringMatching(/^The adapter's getUser failed\./),
        cause: { method: "getUser", err: new Error("the adapter has no such method") },
      }),
    )
  })

  it.each([
    [{ getUser: () => user }, true],
    [new UsersOfShop(), true],
    [Object.create(new UsersOfShop()) as Adapter, true],
    [{}, false],
    [{ getUser: null as never }, false],
    [{ getUser: {} as never }, false],
  ])("tells whether there is a method: case %#", (adapter: Adapter, expected) => {
    expect(hasMethod(adapter, "getUser")).toBe(expected)
    expect(storeOf(adapter).store.has("getUser")).toBe(expected)
  })

  describe.each(silences)("whose adapter %s", (how, fault) => {
    it("throws AdapterError, with the method and the cause, at every method", async () => {
      const adapter = Object.fromEntries(every.map((name) => [name, () => fault(() => undefined, [])])) as Adapter
      const { store } = storeOf(adapter)

      const failures = await Promise.all(
        every.map(async (name) => {
          try {
            return await call(store, name, {})
          } catch (error) {
            return error
          }
        }),
      )

      expect(failures).toMatchObject(
        every.map((method) => ({
          type: "AdapterError",
          status: 500,
          expose: false,
          message: `The adapter's ${method} failed. Read more at https://errors.authjs.dev#adaptererror`,
          cause: { method, err: expect.any(Error) },
        })),
      )
      const expected = how.endsWith("an error") ? outage : undefined
      if (expected) expect((failures[0] as AdapterError).cause?.err).toBe(expected)
    })
  })

  it("says how long it waited", async () => {
    const { store } = storeOf({ getUser: () => new Promise(() => undefined) }, 0.001)

    await expect(store.getUser("1")).rejects.toMatchObject({ cause: { err: { message: "no answer within 0.001 s" } } })
  })

  it.each([true, false])("does not care for what comes too late, good or bad: %s (F-26)", async (isGood) => {
    let answer = (): void => undefined
    const late = new Promise<typeof user>(
      (resolve, reject) => (answer = () => (isGood ? resolve(user) : reject(outage))),
    )
    const { store } = storeOf({ getUser: () => late }, 0.001)
    const asked = store.getUser("1")
    await expect(asked).rejects.toBeInstanceOf(AdapterError)

    answer()
    await new Promise(setImmediate)

    // Jest fails a test that leaves a rejection to the process.
    await expect(asked).rejects.toBeInstanceOf(AdapterError)
  })

  it("waits for nothing any more once there is an answer", async () => {
    jest.useFakeTimers()
    try {
      const later: Pick<Adapter, "getUser" | "getUserByEmail"> = {
        getUser: async () => user,
        getUserByEmail: () => Promise.reject(outage),
      }
      const { store } = storeOf(later, 1000)
      const asked = [store.getUser("1"), store.getUserByEmail("x")].map(async (asked) => asked)
      expect(jest.getTimerCount()).toBe(2)

      await Promise.allSettled(asked)

      expect(jest.getTimerCount()).toBe(0)
    } finally {
      jest.useRealTimers()
    }
  })

  it("fails like any other, and waits no longer, where the promise itself throws", async () => {
    const broken = {
      then: () => {
        throw outage
      },
    }
    const { store } = storeOf({ getUser: () => broken })

    await expect(async () => store.getUser("1")).rejects.toMatchObject({ type: "AdapterError", cause: { err: outage } })
  })

  it("tells the log which methods are called, and nothing of what they are given or give", async () => {
    const secret = "the-session-token-of-ann"
    const { store, logger } = storeOf({
      getSessionAndUser: async () => ({ session: { sessionToken: secret, userId: "1", expires: new Date() }, user }),
      createSession: (session) => session,
    })

    await store.getSessionAndUser(secret)
    store.createSession({ sessionToken: secret, userId: "1", expires: new Date() })

    expect(logger.messages).toEqual([
      ["adapter_getSessionAndUser", undefined],
      ["adapter_createSession", undefined],
    ])
    expect(logger.errors).toEqual([])
  })
})
