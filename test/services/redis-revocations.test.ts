import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals"
import { createClient } from "redis"
import { RedisRevocations, type RedisClient } from "../../src/adapters/redis.js"

const url = process.env.LATCHKEY_TEST_REDIS ?? "redis://127.0.0.1:6379"
const keyPrefix = `latchkey-test-${randomUUID()}:`

const connect = (RESP: 2 | 3) => createClient({ url, RESP, socket: { reconnectStrategy: false } })
const one = connect(2)
const other = connect(3)

beforeAll(async () => {
  await Promise.all([one.connect(), other.connect()])
})

afterAll(async () => {
  const keys = await one.keys(`${keyPrefix}*`)
  if (keys.length > 0) await one.del(keys)
  await Promise.all([one.close(), other.close()])
})

describe.each<[string, RedisClient]>([
  ["redis, protocol 2", one],
  ["redis, protocol 3", other],
  ["ioredis", { call: (command, ...args) => one.sendCommand([command, ...args]) }],
])("RedisRevocations with a client of %s", (_, client) => {
  const revocations = RedisRevocations(client, { keyPrefix })
  const soon = new Date(Date.now() + 60_000)

  it("knows of nothing at first", async () => {
    expect(await revocations.revokedAt([randomUUID(), randomUUID()])).toBeNull()
    expect(await revocations.revokedAt([])).toBeNull()
  })

  it("tells every process the latest moment of all keys asked for", async () => {
    const [first, second] = [randomUUID(), randomUUID()]
    await revocations.revoke(first, new Date(1000), soon)
    await revocations.revoke(second, new Date(2000), soon)

    const elsewhere = RedisRevocations(other, { keyPrefix })
    expect(await elsewhere.revokedAt([first])).toEqual(new Date(1000))
    expect(await elsewhere.revokedAt([randomUUID(), second, first])).toEqual(new Date(2000))
  })

  it("lets an entry expire when it may", async () => {
    const key = randomUUID()
    await revocations.revoke(key, new Date(), soon)
    expect(await one.pExpireTime(`${keyPrefix}revoked:${key}`)).toBe(soon.getTime())

    await revocations.revoke(key, new Date(), new Date(Date.now() - 1))
    expect(await revocations.revokedAt([key])).toBeNull()
  })
})

describe("RedisRevocations, when Redis fails,", () => {
  it.each([undefined, "nonsense", 7, ["1"], "-1", ""])("takes %j for no answer", async (reply) => {
    const revocations = RedisRevocations({ sendCommand: async () => reply })
    await expect(revocations.revokedAt(["a"])).rejects.toThrow("something else than what is stored")
    await expect(revocations.revoke("a", new Date(), new Date())).rejects.toThrow("something else than what is stored")
  })

  it("passes its error on", async () => {
    const revocations = RedisRevocations({ sendCommand: () => Promise.reject(new Error("connect ECONNREFUSED")) })
    await expect(revocations.revokedAt(["a"])).rejects.toThrow("ECONNREFUSED")
    await expect(revocations.revoke("a", new Date(), new Date())).rejects.toThrow("ECONNREFUSED")
  })
})
