import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import { createClient, createClientPool } from "redis"
import type { Adapter, AdapterSession, AdapterUser } from "../../src/adapters/contract.js"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { RedisAdapter, type RedisClient } from "../../src/adapters/redis.js"
import { adapterContract, type AdapterMethod } from "../../src/testing/index.js"

const url = process.env.LATCHKEY_TEST_REDIS ?? "redis://127.0.0.1:6379"
const keyPrefix = `latchkey-test-${randomUUID()}:`
const hour = 60 * 60 * 1000

/** Its own client: commands of different connections meet in the server only. */
const connect = (RESP: 2 | 3) => createClient({ url, RESP, socket: { reconnectStrategy: false } })
const one = connect(2)
const other = connect(3)
const pool = createClientPool({ url, socket: { reconnectStrategy: false } })

const send = (...args: readonly string[]): Promise<unknown> => one.sendCommand([...args])
const keysLike = async (pattern: string): Promise<readonly string[]> =>
  ((await send("KEYS", `${keyPrefix}${pattern}`)) as string[]).map((key) => key.slice(keyPrefix.length)).sort()

beforeAll(async () => {
  await Promise.all([one.connect(), other.connect(), pool.connect()])
})

afterAll(async () => {
  const keys = await keysLike("*")
  if (keys.length > 0) await send("DEL", ...keys.map((key) => keyPrefix + key))
  await Promise.all([one.close(), other.close(), pool.close()])
})

/** Over memory, as an application composes it over its database. */
function compose(client: RedisClient = one, users: Adapter = MemoryAdapter()): Required<Adapter> {
  return { ...MemoryAdapter(), ...users, ...RedisAdapter(client, { keyPrefix }) }
}

async function signUp(adapter: Required<Adapter>): Promise<AdapterUser> {
  return adapter.createUser({ id: randomUUID(), email: `${randomUUID()}@example.com`, emailVerified: null })
}

function sessionOf(userId: string, expires = new Date(Date.now() + hour)): AdapterSession {
  return { sessionToken: randomUUID(), userId, expires }
}

const sessionKey = (sessionToken: string): string => `${keyPrefix}session:${JSON.stringify(sessionToken)}`
const indexKey = (userId: string): string => `${keyPrefix}user:${JSON.stringify(userId)}`
const expiryOf = (key: string): Promise<unknown> => send("PEXPIRETIME", key)

describe.each<[string, RedisClient]>([
  ["redis, protocol 2", one],
  ["redis, protocol 3", other],
  ["redis, in a pool", pool],
  ["ioredis", { call: (command, ...args) => one.sendCommand([command, ...args]) }],
])("over memory, with a client of %s, the Redis adapter keeps the contract:", (_, client) => {
  // What has expired in Redis is gone by itself, so the method is that of the adapter below, and counts what is there.
  const methods = Object.keys(compose()).filter((method) => method !== "deleteExpired") as AdapterMethod[]

  it.each(adapterContract({ methods, milliseconds: true }).map((check) => [check.name, check] as const))(
    "%s",
    async (_, { run }) => run(compose(client)),
  )
})

describe("what Redis keeps", () => {
  it("expires when the session does", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const session = sessionOf(id)
    await adapter.createSession(session)
    expect(await expiryOf(sessionKey(session.sessionToken))).toBe(session.expires.getTime())
    for (const hours of [9, 5]) {
      const expires = new Date(Date.now() + hours * hour)
      await adapter.updateSession({ sessionToken: session.sessionToken, expires })
      expect(await expiryOf(sessionKey(session.sessionToken))).toBe(expires.getTime())
      expect(await expiryOf(indexKey(id))).toBe(expires.getTime())
    }
  })

  it("expires when the verification token does", async () => {
    const token = { identifier: `${randomUUID()}@example.com`, token: "hash", expires: new Date(Date.now() + hour) }
    await compose().createVerificationToken(token)
    const key = `verification:${JSON.stringify([token.identifier, token.token])}`
    expect(await keysLike(`verification:*${token.identifier}*`)).toEqual([key])
    expect(await expiryOf(keyPrefix + key)).toBe(token.expires.getTime())
  })

  it("is nothing for what has expired already", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const before = await keysLike("*")
    for (const expires of [new Date(Date.now() - 1), new Date(0), new Date(-1)]) {
      await adapter.createSession(sessionOf(id, expires))
      await adapter.createVerificationToken({ identifier: "ada@example.com", token: "hash", expires })
    }
    expect(await keysLike("*")).toEqual(before)
  })

  it("is gone when a session is set to have expired", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const { sessionToken } = await adapter.createSession(sessionOf(id))
    await adapter.updateSession({ sessionToken, expires: new Date(0) })
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await keysLike(`*${sessionToken}*`)).toEqual([])
    expect(await send("EXISTS", indexKey(id))).toBe(0)
  })

  it("are keys under the prefix alone, and nobody else's", async () => {
    const keyPrefix = `latchkey-test-${randomUUID()}:`
    const elsewhere = { ...MemoryAdapter(), ...RedisAdapter(one, { keyPrefix }) }
    const { id } = await signUp(elsewhere)
    const { sessionToken } = await elsewhere.createSession(sessionOf(id))
    expect(await compose(one, elsewhere).getSessionAndUser(sessionToken)).toBeNull()
    expect(await send("DEL", `${keyPrefix}session:"${sessionToken}"`, `${keyPrefix}user:"${id}"`)).toBe(2)
    expect(await send("KEYS", `${keyPrefix}*`)).toEqual([])
  })

  it("are keys under the prefix of the client, too, where it has one", async () => {
    const own = `${keyPrefix}own:`
    // As ioredis does: before what the command takes for keys.
    const isKey = (command: string, index: number) => (command === "EVAL" ? index === 2 || index === 3 : index === 0)
    const call = (command: string, ...args: readonly string[]) =>
      send(command, ...args.map((arg, index) => (isKey(command, index) ? own + arg : arg)))
    const adapter = { ...MemoryAdapter(), ...RedisAdapter({ call }) }
    const { id } = await signUp(adapter)
    const session = sessionOf(id)
    await adapter.createSession(session)
    expect(await keysLike("own:*")).toEqual([
      `own:latchkey:session:"${session.sessionToken}"`,
      `own:latchkey:user:"${id}"`,
    ])
    expect(await adapter.listSessionsByUserId(id)).toEqual([session])
    expect(await adapter.deleteSessionsByUserId(id)).toBe(1)
    expect(await keysLike("own:*")).toEqual([])
  })

  it("begins with latchkey: by default", async () => {
    const expires = new Date(Date.now() + hour)
    const token = { identifier: `${randomUUID()}@example.com`, token: "hash", expires }
    await RedisAdapter(one).createVerificationToken(token)
    expect(await send("DEL", `latchkey:verification:${JSON.stringify([token.identifier, token.token])}`)).toBe(1)
  })
})

describe("the sessions of a user", () => {
  it("are forgotten with the last of them", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const [short, long] = [sessionOf(id), sessionOf(id, new Date(Date.now() + 2 * hour))]
    for (const session of [short, long]) await adapter.createSession(session)
    expect(await expiryOf(indexKey(id))).toBe(long.expires.getTime())
    for (const { sessionToken } of [long, short]) await adapter.deleteSession(sessionToken)
    expect(await send("EXISTS", indexKey(id))).toBe(0)
  })

  it("are not counted for ever: each write drops those that have expired", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const session = sessionOf(id)
    await adapter.createSession(session)
    const writes = [
      () => adapter.createSession(sessionOf(id)),
      () => adapter.updateSession({ sessionToken: session.sessionToken, expires: session.expires }),
    ]
    for (const write of writes) {
      const expired = Array.from({ length: 20 }, (_, index) => [
        String(Date.now() - 1 - index),
        JSON.stringify(randomUUID()),
      ]).flat()
      await send("ZADD", indexKey(id), ...expired)
      await write()
      expect(await send("ZCARD", indexKey(id))).toBe(2)
    }
  })

  it("leave out those that Redis has evicted", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const [evicted, kept] = [sessionOf(id), sessionOf(id)]
    for (const session of [evicted, kept]) await adapter.createSession(session)
    await send("DEL", sessionKey(evicted.sessionToken))
    expect(await adapter.listSessionsByUserId(id)).toEqual([kept])
    expect(await adapter.deleteSessionsByUserId(id)).toBe(1)
    expect(await send("EXISTS", indexKey(id))).toBe(0)
  })

  it("move with a session that is given to another user", async () => {
    const adapter = compose()
    const [former, next] = [await signUp(adapter), await signUp(adapter)]
    const session = sessionOf(former.id)
    await adapter.createSession(session)
    await adapter.updateSession({ sessionToken: session.sessionToken, userId: next.id })
    expect(await adapter.listSessionsByUserId(former.id)).toEqual([])
    expect(await adapter.deleteSessionsByUserId(former.id)).toBe(0)
    expect(await send("EXISTS", indexKey(former.id))).toBe(0)
    expect(await adapter.listSessionsByUserId(next.id)).toEqual([{ ...session, userId: next.id }])
  })

  it("are found for an adapter with numbers for ids as well", async () => {
    const adapter = compose(one, { getUser: (id) => ({ id, email: "ada@example.com", emailVerified: null }) })
    const text = String(Date.now())
    const id = Number(text) as unknown as string
    const session = sessionOf(id)
    await adapter.createSession(session)
    expect((await adapter.getSessionAndUser(session.sessionToken))?.user.id).toBe(text)
    expect(await adapter.listSessionsByUserId(id)).toHaveLength(1)
    expect(await adapter.deleteSessionsByUserId(text)).toBe(1)
  })
})

describe("fields beyond the contract's", () => {
  it("come back as they were", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const extra = {
      userAgent: 'curl "\\ 🚀',
      count: 1.5,
      large: Number.MAX_SAFE_INTEGER,
      isNew: false,
      nothing: null,
      list: [],
      nested: { list: [1, null, {}], map: {} },
      seenAt: new Date(1_700_000_000_123),
      looksLikeDate: "2026-01-01T00:00:00.000Z",
      looksEncoded: "@1700000000123",
    }
    const session = { ...sessionOf(id), ...extra }
    const change = { count: 2 }
    await adapter.createSession({ ...session, left: undefined } as AdapterSession)
    expect((await adapter.getSessionAndUser(session.sessionToken))?.session).toStrictEqual(session)
    const updated = await adapter.updateSession({ ...change, sessionToken: session.sessionToken })
    expect(updated).toStrictEqual({ ...session, count: 2 })
    expect(await adapter.listSessionsByUserId(id)).toStrictEqual([{ ...session, count: 2 }])
    expect(await adapter.deleteSession(session.sessionToken)).toStrictEqual({ ...session, count: 2 })
  })
})

describe("a user who is gone", () => {
  it("takes the session along when it is read", async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const { sessionToken } = await adapter.createSession(sessionOf(id))
    await adapter.deleteUser(id)
    expect(await adapter.getSessionAndUser(sessionToken)).toBeNull()
    expect(await keysLike(`*${sessionToken}*`)).toEqual([])
    expect(await send("EXISTS", indexKey(id))).toBe(0)
  })

  it("is not one who could not be read: the error is passed on, and the session stays", async () => {
    const broken = compose(one, { getUser: () => Promise.reject(new Error("connection refused")) })
    const { sessionToken } = await broken.createSession(sessionOf(randomUUID()))
    await expect(broken.getSessionAndUser(sessionToken)).rejects.toThrow("connection refused")
    expect(await send("EXISTS", sessionKey(sessionToken))).toBe(1)
  })

  it("is asked for as a method of the composed adapter, of a class as well", async () => {
    class Users {
      readonly #email = "ada@example.com"
      getUser(id: string) {
        return { id, email: this.#email, emailVerified: null }
      }
    }
    const adapter = Object.assign(new Users(), RedisAdapter(one, { keyPrefix }))
    const session = sessionOf(randomUUID())
    await adapter.createSession(session)
    expect(await adapter.getSessionAndUser(session.sessionToken)).toEqual({
      session,
      user: { id: session.userId, email: "ada@example.com", emailVerified: null },
    })
  })
})

describe("between processes", () => {
  const pair = () => {
    const users = MemoryAdapter()
    return [compose(one, users), compose(other, users)] as const
  }

  it("of 50 uses of a verification token exactly one wins", async () => {
    const adapters = pair()
    const token = { identifier: `${randomUUID()}@example.com`, token: "hash", expires: new Date(Date.now() + hour) }
    await adapters[0].createVerificationToken(token)
    const uses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => adapters[index % 2 === 0 ? 0 : 1].useVerificationToken(token)),
    )
    expect(uses.filter((used) => used !== null)).toEqual([token])
  })

  it("of 20 sessions with one token exactly one is created", async () => {
    const adapters = pair()
    const sessionToken = randomUUID()
    const creations = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, index) =>
        adapters[index % 2 === 0 ? 0 : 1].createSession({ ...sessionOf(`user ${index}`), sessionToken }),
      ),
    )
    expect(creations.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    const [refusal] = creations.flatMap((each) => (each.status === "rejected" ? [String(each.reason)] : []))
    expect(refusal).toBe("Error: This session exists already")
  })

  it("a session that is ended while it is prolonged stays ended", async () => {
    const [here, there] = pair()
    const { id } = await signUp(here)
    const expires = new Date(Date.now() + 2 * hour)
    const rounds = Array.from({ length: 50 }, async () => {
      const { sessionToken } = await here.createSession(sessionOf(id))
      await Promise.all([
        there.updateSession({ sessionToken, expires }),
        here.deleteSession(sessionToken),
        there.updateSession({ sessionToken, expires }),
      ])
      return here.getSessionAndUser(sessionToken)
    })
    expect((await Promise.all(rounds)).filter((found) => found !== null)).toEqual([])
    expect(await send("EXISTS", indexKey(id))).toBe(0)
  })

  it("a session that is created while all are ended is ended, or listed to be ended next", async () => {
    const [here, there] = pair()
    const { id } = await signUp(here)
    const sessions = Array.from({ length: 50 }, () => sessionOf(id))
    await Promise.all(
      sessions.map(async (session, index) => {
        await here.createSession(session)
        if (index % 10 === 5) await there.deleteSessionsByUserId(id)
      }),
    )
    const found = await Promise.all(sessions.map(async ({ sessionToken }) => here.getSessionAndUser(sessionToken)))
    const live = found.flatMap((each) => each?.session.sessionToken ?? []).sort()
    const listed = (await there.listSessionsByUserId(id)).map(({ sessionToken }) => sessionToken).sort()
    expect(listed).toEqual(live)
    expect(await there.deleteSessionsByUserId(id)).toBe(live.length)
  })

  it("two changes of one session are both kept", async () => {
    const [here, there] = pair()
    const { id } = await signUp(here)
    const { sessionToken } = await here.createSession(sessionOf(id))
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (index % 2 === 0 ? here : there).updateSession({ sessionToken, [`field${index}`]: index }),
      ),
    )
    const found = await here.getSessionAndUser(sessionToken)
    expect(Object.keys(found?.session ?? {}).filter((field) => field.startsWith("field"))).toHaveLength(20)
  })
})

describe("what is not what was stored", () => {
  const create = async () => {
    const adapter = compose()
    const { id } = await signUp(adapter)
    const session = sessionOf(id)
    await adapter.createSession(session)
    return { adapter, session, key: sessionKey(session.sessionToken) }
  }

  it.each<[string, ...string[]]>([
    ["expires", "nonsense"],
    ["expires", "@nonsense"],
    ["expires", '"2026-01-01T00:00:00.000Z"'],
    ["expires", "null"],
    ["userId", "5"],
    ["userId", "{"],
    ["sessionToken", '"another"'],
    ["extra", "secret-without-quotes"],
  ])("is an error, not a visitor who is signed out: %s is %s", async (field, text) => {
    const { adapter, session, key } = await create()
    await send("HSET", key, field, text)
    const reading = adapter.getSessionAndUser(session.sessionToken)
    await expect(reading).rejects.toThrow("Redis answered with something else than what is stored under this key")
    await expect(reading).rejects.not.toThrow(text)
    expect(await send("EXISTS", key)).toBe(1)
  })

  it.each(["expires", "userId", "sessionToken"])("is an error: %s is missing", async (field) => {
    const { adapter, session, key } = await create()
    await send("HDEL", key, field)
    await expect(adapter.getSessionAndUser(session.sessionToken)).rejects.toThrow("something else")
  })

  it("is an error: another kind of value", async () => {
    const { adapter, session, key } = await create()
    await send("SET", key, "text")
    await expect(adapter.getSessionAndUser(session.sessionToken)).rejects.toThrow("WRONGTYPE")
  })

  it("can be ended all the same", async () => {
    const { adapter, session, key } = await create()
    await send("HSET", key, "expires", "nonsense")
    expect(await adapter.deleteSession(session.sessionToken)).toBeNull()
    expect(await adapter.getSessionAndUser(session.sessionToken)).toBeNull()
    expect(await send("EXISTS", indexKey(session.userId))).toBe(0)
  })

  it.each([
    "",
    "nonsense",
    "null",
    "[]",
    '["ada@example.com","hash"]',
    '["ada@example.com","hash","@x"]',
    '["a","b","@1"]',
  ])("signs nobody in by e-mail: %j", async (text) => {
    await send("SET", `${keyPrefix}verification:["ada@example.com","hash"]`, text)
    await expect(compose().useVerificationToken({ identifier: "ada@example.com", token: "hash" })).rejects.toThrow(
      "something else",
    )
  })
})
