/** What is in a database, whatever its tables are called and however it keeps dates. */

export const pgNames = { users: "users", accounts: "accounts", sessions: "sessions" }
export const kyselyNames = { users: "User", accounts: "Account", sessions: "Session" }
export const drizzleNames = { users: "user", accounts: "account", sessions: "session" }

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

export function userOf({ id, name, email, emailVerified, image }) {
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
export function accountOf(row) {
  const fields = accountFields.filter((field) => row[field] !== null && row[field] !== undefined)
  const expiresAt = row.expires_at ?? undefined
  return {
    userId: String(row.userId),
    ...Object.fromEntries(fields.map((field) => [field, row[field]])),
    ...(expiresAt === undefined ? {} : { expires_at: Number(expiresAt) }),
  }
}

export function sessionOf({ sessionToken, userId, expires }) {
  return { sessionToken, userId: String(userId), expires: new Date(expires) }
}
