// @ts-check
import { join } from "node:path"
import { createFolder } from "../lib/folder.mjs"
import { tablesIn } from "../lib/tables.mjs"

/** Makes each of Latchkey's adapters, over an empty store. No process loads the driver of another one's store. */
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
    const { createSchema } = await import("../lib/places.mjs")
    const pool = await createSchema()
    await pool.query(tablesIn("postgres"))
    return PostgresAdapter(pool)
  },
  async redis() {
    const { RedisAdapter } = await import("../../dist/adapters/redis.js")
    const { createKeySpace } = await import("../lib/places.mjs")
    const { client, prefix } = await createKeySpace()
    return { ...(await adapters.sqlite()), ...RedisAdapter(client, { keyPrefix: prefix }) }
  },
}
