import { describe, expect, it } from "@jest/globals"
import type { Adapter, AdapterSession, VerificationToken } from "../../src/adapters/contract.js"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { RedisAdapter, type RedisClient } from "../../src/adapters/redis.js"

const expires = new Date(Date.now() + 60 * 60 * 1000)
const session: AdapterSession = { sessionToken: "session-secret", userId: "ada", expires }
const token: VerificationToken = { identifier: "ada@example.com", token: "token-secret", expires }

/** Each method, called as Latchkey calls it. */
const calls: readonly (readonly [method: string, call: (adapter: Required<Adapter>) => unknown])[] = [
  ["createSession", (adapter) => adapter.createSession(session)],
  ["getSessionAndUser", (adapter) => adapter.getSessionAndUser(session.sessionToken)],
  ["updateSession", (adapter) => adapter.updateSession(session)],
  ["deleteSession", (adapter) => adapter.deleteSession(session.sessionToken)],
  ["listSessionsByUserId", (adapter) => adapter.listSessionsByUserId("ada")],
  ["deleteSessionsByUserId", (adapter) => adapter.deleteSessionsByUserId("ada")],
  ["createVerificationToken", (adapter) => adapter.createVerificationToken(token)],
  ["useVerificationToken", (adapter) => adapter.useVerificationToken(token)],
]

/** A client whose server, or connection, does as it pleases. */
function open(answer: (args: readonly string[]) => unknown): Required<Adapter> {
  const client: RedisClient = { sendCommand: async (args) => answer(args) }
  return { ...MemoryAdapter(), ...RedisAdapter(client) }
}

async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return { gave: await call() }
  } catch (error) {
    return error
  }
}

describe.each(calls)("when Redis fails, %s", (method, call) => {
  it.each<[string, () => unknown]>([
    ["the client rejects", () => Promise.reject(new Error("connect ECONNREFUSED"))],
    [
      "the client throws at once",
      () => {
        throw new Error("connect ECONNREFUSED")
      },
    ],
  ])("passes the error on: %s", async (_, sendCommand) => {
    const adapter = { ...MemoryAdapter(), ...RedisAdapter({ sendCommand: () => sendCommand() as Promise<unknown> }) }
    await expect(Promise.resolve().then(() => call(adapter))).rejects.toThrow("connect ECONNREFUSED")
  })

  it("does not answer before Redis does", async () => {
    const adapter = open(() => new Promise(() => undefined))
    const first = await Promise.race([call(adapter), new Promise((resolve) => setImmediate(resolve, "nothing yet"))])
    expect(first).toBe("nothing yet")
  })

  const nonsense: readonly unknown[] = [undefined, true, "nonsense", "", Symbol("x"), [1, 2], ["odd"], [["a", "b"]]]
  const foreign: readonly unknown[] = [{ a: 1 }, new Map([["a", 1]]), Buffer.from("OK")]
  // Each is what some other command may answer.
  const misplaced: Readonly<Record<string, readonly unknown[]>> = {
    createSession: ["OK", null, [], {}],
    getSessionAndUser: ["OK", null, 1, '["ada@example.com","token-secret","@1"]'],
    updateSession: ["OK", null, 1],
    deleteSession: ["OK", null, 1, {}],
    listSessionsByUserId: ["OK", null, 1, {}],
    deleteSessionsByUserId: ["OK", null, [], "one"],
    createVerificationToken: [null, 1, [], {}, "QUEUED"],
    useVerificationToken: ["OK", 1, [], {}],
  }

  it.each([...nonsense, ...foreign, ...(misplaced[method] ?? [])].map((reply) => [typeof reply, reply] as const))(
    "takes no nonsense for an answer: %s %p",
    async (_, reply) => {
      const outcome = await outcomeOf(() => call(open(() => reply)))
      expect(outcome).toBeInstanceOf(Error)
      expect(String(outcome)).not.toMatch(/secret|ada@/)
    },
  )
})

describe("the reply to somebody else", () => {
  const grace = ["sessionToken", '"grace-secret"', "userId", '"grace"', "expires", `@${expires.getTime()}`]

  it.each(["getSessionAndUser", "updateSession", "deleteSession"])("is not taken by %s", async (method) => {
    const call = calls.find(([name]) => name === method)?.[1]
    const reply = method === "deleteSession" ? ['"grace-secret"', grace] : grace
    const outcome = await outcomeOf(() => call?.(open(() => reply)))
    expect(String(outcome)).toBe("Error: Redis answered with something else than what is stored under this key")
  })

  it.each(['["grace@example.com","token-secret","@1"]', '["ada@example.com","grace-secret","@1"]'])(
    "is not taken by useVerificationToken: %s",
    async (reply) => {
      const outcome = await outcomeOf(() => open(() => reply).useVerificationToken(token))
      expect(String(outcome)).toBe("Error: Redis answered with something else than what is stored under this key")
    },
  )
})

describe("a client or a composition that is none", () => {
  it.each([{}, { call: 1 }, { sendCommand: "x" }])("is refused at once: %j", (client) => {
    expect(() => RedisAdapter(client as unknown as RedisClient)).toThrow("RedisAdapter needs a client")
  })

  it("is named: no users below", async () => {
    const adapter: Adapter = RedisAdapter({ sendCommand: () => Promise.resolve([]) })
    await expect(Promise.resolve().then(() => adapter.getSessionAndUser?.("any"))).rejects.toThrow(
      "spread it over an adapter that has users, as in { ...PostgresAdapter(pool), ...RedisAdapter(client) }",
    )
  })

  it("leaves deleteExpired to the adapter below", () => {
    const below = MemoryAdapter()
    const adapter = { ...below, ...RedisAdapter({ sendCommand: () => Promise.resolve(null) }) }
    expect(adapter.deleteExpired).toBe(below.deleteExpired)
  })
})

describe("a date that is none", () => {
  const invalid = new Date(Number.NaN)

  it.each<[string, (adapter: Required<Adapter>) => unknown]>([
    ["createSession", (adapter) => adapter.createSession({ ...session, expires: invalid })],
    ["updateSession", (adapter) => adapter.updateSession({ ...session, expires: invalid })],
    ["createVerificationToken", (adapter) => adapter.createVerificationToken({ ...token, expires: invalid })],
  ])("is not sent to Redis by %s", async (_, call) => {
    const sent: unknown[] = []
    const adapter = open((args) => sent.push(args))
    await expect(Promise.resolve().then(() => call(adapter))).rejects.toThrow("not valid")
    expect(sent).toEqual([])
  })
})

describe("commands", () => {
  it("may be answered with numbers as texts, as ioredis does when it is told to", async () => {
    expect(await open(() => "2").deleteSessionsByUserId("ada")).toBe(2)
    await expect(Promise.resolve(open(() => "0").createSession(session))).rejects.toThrow("exists already")
  })

  it("reach both kinds of client alike, one command for each call", async () => {
    const sent: (readonly string[])[] = []
    const record = async (...args: readonly string[]) => {
      sent.push(args)
      return args[0] === "SET" ? "OK" : args[0] === "EVAL" ? 1 : null
    }
    const node = RedisAdapter({ sendCommand: async (args) => record(...args) })
    const io = RedisAdapter({ call: record })
    for (const adapter of [node, io]) {
      await adapter.createSession(session)
      await adapter.createVerificationToken(token)
      await adapter.useVerificationToken(token)
    }
    expect(sent.map(([command]) => command)).toEqual(["EVAL", "SET", "GETDEL", "EVAL", "SET", "GETDEL"])
    expect(sent.slice(0, 3)).toEqual(sent.slice(3))
  })
})
