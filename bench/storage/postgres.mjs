// @ts-check
import { PostgresAdapter } from "../../dist/adapters/sql.js"
import { createSchema } from "../lib/places.mjs"
import { tablesIn } from "../lib/tables.mjs"
import { secondsToExpiry } from "./rows.mjs"

/** @typedef {import("./measure.mjs").Site} Site */
/** @typedef {import("./rows.mjs").Size} Size */

/**
 * A PostgreSQL schema with so many rows.
 *
 * @param {Size} size
 * @returns {Promise<Site>}
 */
export async function createPostgresSite(size) {
  const pool = await createSchema()
  await pool.query(tablesIn("postgres"))
  await fill(pool, size)
  return { adapter: PostgresAdapter(pool), explain: (use) => explain(pool, use) }
}

/**
 * @param {import("pg").Pool} pool
 * @param {Size} size
 */
async function fill(pool, { sessions, users }) {
  const userOf = `md5('user ' || n % ${users})::uuid::text`
  const expires = `now() + interval '1 second' * (${secondsToExpiry.least} + n % ${secondsToExpiry.range})`
  const insert = (/** @type {string} */ table, /** @type {number} */ count, /** @type {string} */ values) =>
    pool.query(`insert into ${table} select ${values} from generate_series(0, ${count - 1}) as n`)

  await insert("users (id, name, email)", users, `${userOf}, 'Ada Lovelace', n || '@example.com'`)
  await insert(
    `accounts ("userId", type, provider, "providerAccountId")`,
    users,
    `${userOf}, 'oidc', 'example', n::text`,
  )
  await insert(
    `authenticators ("credentialID", "userId", "providerAccountId", "credentialPublicKey", counter,
      "credentialDeviceType", "credentialBackedUp")`,
    users,
    `n::text, ${userOf}, n::text, 'key', 0, 'multiDevice', true`,
  )
  await insert(
    "verification_token (identifier, token, expires)",
    users,
    `n || '@example.com', md5('token ' || n)::uuid::text, ${expires}`,
  )
  await insert(
    `sessions ("sessionToken", "userId", expires)`,
    sessions,
    `md5('session ' || n)::uuid::text, ${userOf}, ${expires}`,
  )
  // As autovacuum would before long: new rows are marked when they are first read.
  for (const table of ["users", "accounts", "authenticators", "verification_token", "sessions"]) {
    await pool.query(`vacuum analyze ${table}`)
  }
  await pool.query("checkpoint").catch(() => undefined)
}

/**
 * @param {import("pg").Pool} pool
 * @param {Parameters<Site["explain"]>[0]} use
 */
async function explain(pool, use) {
  /** @type {Map<string, readonly unknown[]>} */
  const statements = new Map()
  await use(PostgresAdapter(recording(pool, (sql, values) => statements.set(sql, values))))
  const plans = []
  for (const [sql, values] of statements) {
    if (!/^\s*(?:select|insert|update|delete)/.test(sql)) continue
    const { rows } = await pool.query(`explain ${sql}`, [...values])
    plans.push({ sql, lines: rows.map((row) => `${row["QUERY PLAN"]}`) })
  }
  return plans
}

/**
 * A pool that tells of each statement.
 *
 * @param {import("pg").Pool} pool
 * @param {(sql: string, values: readonly unknown[]) => void} tell
 * @returns {import("../../dist/adapters/sql.js").PgPool}
 */
function recording(pool, tell) {
  /** @type {any} The overloads of a client for cursors are not needed here. */
  const recorded = {
    query(/** @type {{ text: string, values: unknown[] }} */ query) {
      tell(query.text, query.values)
      return pool.query(query)
    },
    async connect() {
      const client = await pool.connect()
      const query = (/** @type {string} */ sql, /** @type {readonly unknown[]} */ values = []) => {
        tell(sql, values)
        return client.query(sql, [...values])
      }
      return { query, release: () => client.release() }
    },
    end: () => pool.end(),
  }
  return recorded
}
