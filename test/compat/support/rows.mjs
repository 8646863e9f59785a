/** What is in a database, whatever its tables are called and however it keeps dates. */
import pg from "pg"

/**
 * @param run Runs a statement, and gives its rows.
 * @param names Names of the tables.
 * @param writeDate A date as the database keeps it, as a literal. Default: an ISO 8601 text.
 */
export function sqlRows(run, names, writeDate = (date) => `'${date.toISOString()}'`) {
  const all = (table) => run(`select * from "${names[table]}"`)
  return {
    users: async () => (await all("users")).map(userOf),
    accounts: async () => (await all("accounts")).map(accountOf),
    sessions: async () => (await all("sessions")).map(sessionOf),
    /** Sets the expiry of every session. */
    expireAt: (date) => run(`update "${names.sessions}" set expires = ${writeDate(date)}`),
    removeSessions: () => run(`delete from "${names.sessions}"`),
  }
}

export function runOnPool(pool) {
  return async (text) => (await pool.query({ text, types })).rows
}

/** `timestamp` has no zone, and `pg` would take it for local time. */
const types = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.TIMESTAMP
      ? (text) => new Date(`${text.replace(" ", "T")}Z`)
      : pg.types.getTypeParser(oid, format),
}

export function runOnSqlite(database) {
  return async (statement) => {
    const prepared = database.prepare(statement)
    return prepared.reader ? prepared.all() : prepared.run()
  }
}

const sessionsOfUnstorage = "user:session"

/** What `@auth/unstorage-adapter` keeps: a record under each name that it is looked up by, and the names of records. */
export function unstorageRows(storage) {
  const records = async (prefix) => {
    const items = await Promise.all((await storage.getKeys(prefix)).map((key) => storage.getItem(key)))
    return items.filter(isObject)
  }
  return {
    users: async () => (await records("user")).filter((item) => "email" in item).map(userOf),
    accounts: async () => (await records("user:account")).map(accountOf),
    sessions: async () => (await records(sessionsOfUnstorage)).map(sessionOf),
    async expireAt(date) {
      for (const key of await storage.getKeys(sessionsOfUnstorage)) {
        const item = await storage.getItem(key)
        if (isObject(item)) await storage.setItem(key, { ...item, expires: date.toISOString() })
      }
    },
    async removeSessions() {
      for (const key of await storage.getKeys(sessionsOfUnstorage)) await storage.removeItem(key)
    },
  }
}

function isObject(item) {
  return typeof item === "object" && item !== null
}

function userOf({ id, name, email, emailVerified, image }) {
  return { id: String(id), name, email, emailVerified: emailVerified === null ? null : new Date(emailVerified), image }
}

const accountFields = [
  "type",
  "provider",
  "providerAccountId",
  "refresh_token",
  "access_token",
  "token_type",
  "scope",
  "id_token",
  "session_state",
]

/** Tokens that there are not are left out. */
function accountOf(row) {
  const fields = accountFields.filter((field) => row[field] !== null && row[field] !== undefined)
  const expiresAt = row.expires_at ?? undefined
  return {
    userId: String(row.userId),
    ...Object.fromEntries(fields.map((field) => [field, row[field]])),
    ...(expiresAt === undefined ? {} : { expires_at: Number(expiresAt) }),
  }
}

function sessionOf({ sessionToken, userId, expires }) {
  return { sessionToken, userId: String(userId), expires: new Date(expires) }
}
