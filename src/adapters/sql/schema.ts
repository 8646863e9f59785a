/** The five tables as data: what every SQL store of Latchkey must have, and what the tables and columns are called. */

export type Dialect = "sqlite" | "postgres" | "mysql"

/** How the ids of users are kept: as text, as the database's own UUID type, or numbered by the database. */
export type IdKind = "text" | "uuid" | "integer"

/** How SQLite, which has no dates, keeps them: ISO 8601 text, or integer milliseconds since the epoch. */
export type SqliteDates = "text" | "milliseconds"

export type TableKey = "users" | "accounts" | "sessions" | "verificationTokens" | "authenticators"

/**
 * `id` is the id of a user and `userId` refers to it; `key` is a text that is looked up, `text` one that is not;
 * `integer` has 64 bits.
 */
export type ColumnType = "id" | "userId" | "key" | "text" | "date" | "boolean" | "integer"

export interface ColumnDefinition {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
}

export interface ForeignKey {
  readonly column: string
  readonly references: { readonly table: TableKey; readonly column: string }
  readonly onDelete: "cascade"
}

export interface TableDefinition {
  readonly columns: readonly ColumnDefinition[]
  readonly primaryKey: readonly string[]
  /** Each a list of columns. */
  readonly uniques: readonly (readonly string[])[]
  readonly foreignKeys: readonly ForeignKey[]
  /** What lookups need beyond the primary key and the unique constraints; each a list of columns. */
  readonly indexes: readonly (readonly string[])[]
}

export type Schema = Readonly<Record<TableKey, TableDefinition>>

const required = (name: string, type: ColumnType): ColumnDefinition => ({ name, type, nullable: false })
const optional = (name: string, type: ColumnType): ColumnDefinition => ({ name, type, nullable: true })

const ownedByUser: ForeignKey = {
  column: "userId",
  references: { table: "users", column: "id" },
  onDelete: "cascade",
}

/** The schema, under the names that the contract gives to the fields. */
export const schema: Schema = {
  users: {
    columns: [
      required("id", "id"),
      optional("name", "text"),
      optional("email", "key"),
      optional("emailVerified", "date"),
      optional("image", "text"),
    ],
    primaryKey: ["id"],
    uniques: [["email"]],
    foreignKeys: [],
    indexes: [],
  },
  accounts: {
    columns: [
      required("userId", "userId"),
      required("type", "text"),
      required("provider", "key"),
      required("providerAccountId", "key"),
      optional("refresh_token", "text"),
      optional("access_token", "text"),
      optional("expires_at", "integer"),
      optional("token_type", "text"),
      optional("scope", "text"),
      optional("id_token", "text"),
      optional("session_state", "text"),
    ],
    primaryKey: ["provider", "providerAccountId"],
    uniques: [],
    foreignKeys: [ownedByUser],
    indexes: [["userId"]],
  },
  sessions: {
    columns: [required("sessionToken", "key"), required("userId", "userId"), required("expires", "date")],
    primaryKey: ["sessionToken"],
    uniques: [],
    foreignKeys: [ownedByUser],
    indexes: [["userId"], ["expires"]],
  },
  verificationTokens: {
    columns: [required("identifier", "key"), required("token", "key"), required("expires", "date")],
    primaryKey: ["identifier", "token"],
    uniques: [],
    foreignKeys: [],
    indexes: [["expires"]],
  },
  authenticators: {
    columns: [
      required("credentialID", "key"),
      required("userId", "userId"),
      required("providerAccountId", "text"),
      required("credentialPublicKey", "text"),
      required("counter", "integer"),
      required("credentialDeviceType", "text"),
      required("credentialBackedUp", "boolean"),
      optional("transports", "text"),
    ],
    primaryKey: ["userId", "credentialID"],
    uniques: [["credentialID"]],
    foreignKeys: [ownedByUser],
    indexes: [],
  },
}

/** In an order in which they can be created: a table comes after those that it refers to. */
export const tableKeys: readonly TableKey[] = ["users", "accounts", "sessions", "verificationTokens", "authenticators"]

export type Preset = "pg" | "kysely" | "drizzle" | "prisma"

export type TableNames = Readonly<Record<TableKey, string>>

/** The table names of each of Auth.js's SQL adapters. Their columns have the same names. */
export const presets: Readonly<Record<Preset, TableNames>> = {
  pg: tableNames("users", "accounts", "sessions", "verification_token", "authenticators"),
  kysely: tableNames("User", "Account", "Session", "VerificationToken", "Authenticator"),
  drizzle: tableNames("user", "account", "session", "verificationToken", "authenticator"),
  prisma: tableNames("User", "Account", "Session", "VerificationToken", "Authenticator"),
}

function tableNames(
  users: string,
  accounts: string,
  sessions: string,
  verificationTokens: string,
  authenticators: string,
): TableNames {
  return { users, accounts, sessions, verificationTokens, authenticators }
}
