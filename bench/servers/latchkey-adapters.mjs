// @ts-check
import { join } from "node:path"
import { createFolder, createKeySpace, createSchema } from "../lib/places.mjs"
import { tablesIn } from "../lib/tables.mjs"

/** Makes each of Latchkey's adapters, over an empty store. */
export const adapters = {
  async memory() {
    const { MemoryAdapter } = await import("../../dist/adapters/memory.js")
    return MemoryAdapter()
  },
  async sqlite() {
    const { SqliteAdapter } = await import("../../dist/adapters/sql.js")
    return SqliteAdapter(join(await createFolder(), "bench.db"))
  },
  async postgres() {
    const { PostgresAdapter } = await import("../../dist/adapters/sql.js")
    const pool = await createSchema()
    await pool.query(tablesIn("postgres"))
    return PostgresAdapter(pool)
  },
  async redis() {
    const { RedisAdapter } = await import("../../dist/adapters/redis.js")
    const { client, prefix } = await createKeySpace()
    return { ...(await adapters.sqlite()), ...RedisAdapter(client, { keyPrefix: prefix }) }
  },
}
