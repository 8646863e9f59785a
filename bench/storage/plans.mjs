// @ts-check
import { uuidOf } from "./rows.mjs"

/** @typedef {import("./measure.mjs").Adapter} Adapter */

/**
 * @typedef {object} Plan How a database goes about a statement.
 * @property {string} sql
 * @property {readonly string[]} lines As it describes them itself.
 */

/**
 * @typedef {object} Lookup
 * @property {string} statement Shortened.
 * @property {readonly string[]} indexes Those that it is found through.
 * @property {boolean} isIndexed Whether no table is read from its beginning to its end.
 */

/**
 * Uses every method that looks something up.
 *
 * @param {Adapter} adapter
 */
export async function useAll(adapter) {
  const [id, sessionToken] = [uuidOf("user", -1), uuidOf("session", -1)]
  const email = "somebody@example.com"
  const key = { provider: "example", providerAccountId: "somebody" }
  const expires = new Date(Date.now() + 86_400_000)
  const user = { id, name: "Somebody", email, emailVerified: null }
  await adapter.createUserWithAccount(user, { ...key, type: "oidc" })
  await adapter.createSession({ sessionToken, userId: id, expires })
  await adapter.createVerificationToken({ identifier: email, token: "somebody", expires })
  await adapter.createAuthenticator({
    credentialID: "somebody",
    userId: id,
    providerAccountId: "somebody",
    credentialPublicKey: "key",
    counter: 0,
    credentialDeviceType: "multiDevice",
    credentialBackedUp: true,
    transports: null,
  })

  await adapter.getSessionAndUser(sessionToken)
  await adapter.updateSession({ sessionToken, expires })
  await adapter.listSessionsByUserId(id)
  await adapter.getUser(id)
  await adapter.getUserByEmail(email)
  await adapter.getUserByAccount(key)
  await adapter.updateUser({ id, name: "Someone" })
  await adapter.getAccount(key.providerAccountId, key.provider)
  await adapter.listAccountsByUserId(id)
  await adapter.updateAccount({ ...key, scope: "openid" }, { refresh_token: null })
  await adapter.getAuthenticator("somebody")
  await adapter.listAuthenticatorsByUserId(id)
  await adapter.updateAuthenticatorCounter("somebody", 1)
  await adapter.useVerificationToken({ identifier: email, token: "somebody" })
  await adapter.deleteExpired()
  await adapter.deleteSession(sessionToken)
  await adapter.deleteSessionsByUserId(id)
  await adapter.unlinkAccount(key)
  await adapter.deleteUser(id)
}

/**
 * What the plans say, without those that look nothing up in our tables.
 *
 * @param {readonly Plan[]} plans
 * @returns {Lookup[]}
 */
export function readPlans(plans) {
  const own = plans.filter(({ sql }) => !/^\s*insert|pragma_table_xinfo|pg_attribute|pg_advisory_xact_lock/.test(sql))
  return own.map(({ sql, lines }) => {
    const indexes = [...new Set(lines.flatMap(indexesIn))]
    return { statement: shorten(sql), indexes, isIndexed: indexes.length > 0 && !lines.some(isScan) }
  })
}

/** @param {string} line */
function indexesIn(line) {
  // A table WITHOUT ROWID is found through its primary key, which has no index of its own.
  const sqlite = /USING (?:COVERING )?INDEX (\S+)/
  const primaryKey = /^SEARCH (\S+) USING PRIMARY KEY/
  const postgres = /(?:Index (?:Only )?Scan(?: Backward)? using|Bitmap Index Scan on) (\S+)/
  const table = primaryKey.exec(line)?.[1]
  if (table !== undefined) return [`primary key of ${table}`]
  const name = sqlite.exec(line)?.[1] ?? postgres.exec(line)?.[1]
  return name === undefined ? [] : [name.replaceAll('"', "")]
}

/** @param {string} line */
function isScan(line) {
  return /^SCAN\b|Seq Scan/.test(line)
}

/**
 * Names may be long, columns are many.
 *
 * @param {string} sql
 */
function shorten(sql) {
  return sql
    .replace(/\s+/g, " ")
    .trim()
    .replace(/ returning .*$/, "")
    .replace(/^select .*? from (?!\()/, "select … from ")
    .replace(/ set .*? where /, " set … where ")
    .replaceAll('"', "")
}
