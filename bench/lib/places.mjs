// @ts-check
// Places of our own in what others use too: each has a random name, and goes with everything in it when the process ends.
import { randomUUID } from "node:crypto"
import pg from "pg"
import { createClient } from "redis"
import { onLeave } from "./leave.mjs"
import { addresses } from "./services.mjs"

/** A pool, with the default settings of `pg`, whose connections see one PostgreSQL schema, an empty one. */
export async function createSchema() {
  const name = randomName()
  const connectionString = addresses.postgres
  const pool = new pg.Pool({ connectionString, options: `-c search_path=${name}` })
  await pool.query(`create schema ${name}`)
  onLeave(async () => {
    await pool.end()
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query(`drop schema ${name} cascade`)
    await client.end()
  })
  return pool
}

/** A Redis client, and a prefix for its keys that nobody else has. */
export async function createKeySpace() {
  const prefix = `${randomName()}:`
  const client = createClient({ url: addresses.redis })
  await client.connect()
  onLeave(async () => {
    for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) {
      if (keys.length > 0) await client.unlink(keys)
    }
    await client.close()
  })
  return { client, prefix }
}

function randomName() {
  return `latchkey_bench_${randomUUID().replaceAll("-", "")}`
}
