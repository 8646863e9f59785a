// @ts-check
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { SqliteAdapter } from "../../dist/adapters/sql.js"
import { createFolder } from "../lib/folder.mjs"
import { openSqlite } from "../lib/sqlite.mjs"
import { tablesIn } from "../lib/tables.mjs"
import { expiryOf, uuidOf } from "./rows.mjs"

/** @typedef {import("./measure.mjs").Site} Site */
/** @typedef {import("./rows.mjs").Size} Size */

/**
 * A SQLite file with so many rows.
 *
 * @param {Size} size
 * @returns {Promise<Site>}
 */
export async function createSqliteSite(size) {
  const path = join(await createFolder(), "bench.db")
  await fill(path, size)
  return { adapter: SqliteAdapter(path), explain: (use) => explain(path, use) }
}

/** For a file that nobody else has open yet, and that may as well be lost. The adapter sets its own. */
const fastSettings = ["synchronous = off", "cache_size = -1000000", "foreign_keys = off", "temp_store = memory"]

/**
 * @param {string} path
 * @param {Size} size
 */
async function fill(path, { sessions, users }) {
  const userOf = (/** @type {number} */ index) => uuidOf("user", index % users)
  const expires = (/** @type {number} */ index) => expiryOf(index).toISOString()
  const database = openSqlite(path)
  for (const setting of fastSettings) database.exec(`pragma ${setting}`)
  database.exec(tablesIn("sqlite"))

  /** @type {(table: string, count: number, valuesOf: (index: number) => readonly unknown[]) => Promise<void>} */
  const insert = async (table, count, valuesOf) => {
    const statement = database.prepare(`insert into ${table} values (${valuesOf(0).map(() => "?")})`)
    for (let index = 0; index < count; index++) {
      statement.run(...valuesOf(index))
      // Lets the process hear that it was interrupted.
      if (index % 10_000 === 0) await setImmediate()
    }
  }
  database.exec("begin")
  await insert("users (id, name, email)", users, (index) => [userOf(index), "Ada Lovelace", `${index}@example.com`])
  await insert(`accounts ("userId", type, provider, "providerAccountId")`, users, (index) => [
    userOf(index),
    "oidc",
    "example",
    `${index}`,
  ])
  await insert(
    `authenticators ("credentialID", "userId", "providerAccountId", "credentialPublicKey", counter,
      "credentialDeviceType", "credentialBackedUp")`,
    users,
    (index) => [`${index}`, userOf(index), `${index}`, "key", 0, "multiDevice", 1],
  )
  await insert("verification_token (identifier, token, expires)", users, (index) => [
    `${index}@example.com`,
    uuidOf("token", index),
    expires(index),
  ])
  await insert(`sessions ("sessionToken", "userId", expires)`, sessions, (index) => [
    uuidOf("session", index),
    userOf(index),
    expires(index),
  ])
  database.exec("commit")
  database.exec("analyze")
  database.close()
}

/**
 * @param {string} path
 * @param {Parameters<Site["explain"]>[0]} use
 */
async function explain(path, use) {
  const database = openSqlite(path)
  /** @type {Set<string>} */
  const statements = new Set()
  const prepare = (/** @type {string} */ sql) => {
    statements.add(sql)
    return database.prepare(sql)
  }
  const exec = (/** @type {string} */ sql) => database.exec(sql)
  /** @type {any} Statements of this driver have what the adapter looks for, and more. */
  const recorded = { prepare, exec, close: () => database.close() }
  await use(SqliteAdapter(recorded))
  const plans = [...statements].map((sql) => {
    const rows = /** @type {{ detail: string }[]} */ (database.prepare(`explain query plan ${sql}`).all())
    return { sql, lines: rows.map(({ detail }) => detail) }
  })
  database.close()
  return plans
}
