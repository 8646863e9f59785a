/**
 * The published adapters, each on a database of its own with the tables that its documentation tells people to create;
 * and Latchkey's, on tables of its own.
 */
import process from "node:process"
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { KyselyAdapter } from "@auth/kysely-adapter"
import AuthJsPostgresAdapter from "@auth/pg-adapter"
import { PrismaAdapter } from "@auth/prisma-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { createClient } from "@libsql/client"
import { PrismaLibSql } from "@prisma/adapter-libsql"
import { drizzle as drizzleOnLibsql } from "drizzle-orm/libsql"
import { drizzle as drizzleOnPg } from "drizzle-orm/node-postgres"
import { Kysely, PostgresDialect, SqliteDialect } from "kysely"
import { PostgresAdapter, SqlAdapter, SqliteAdapter } from "latchkey/adapters/sql"
import { createStorage } from "unstorage"
import fsDriver from "unstorage/drivers/fs"
import prismaClient from "../node_modules/.prisma-client/index.js"
import {
  drizzlePostgresSchema,
  drizzleSqliteSchema,
  kyselyPostgresSchema,
  kyselySqliteSchema,
  pgSchema,
  prismaSqliteSchema,
} from "./documented-schemas.mjs"
import { latchkeySchema } from "./latchkey-schema.mjs"
import { runOnPool, runOnSqlite, sqlRows, unstorageRows } from "./rows.mjs"
import { openDirectory, openSqlite } from "./sqlite.mjs"

// Nowhere may the local time be taken for UTC.
process.env.TZ = "America/St_Johns"

const kyselyNames = { users: "User", accounts: "Account", sessions: "Session" }
const drizzleNames = { users: "user", accounts: "account", sessions: "session" }
const pgNames = { users: "users", accounts: "accounts", sessions: "sessions" }

/**
 * `open` takes the test and the PostgreSQL server, and gives an adapter on an empty database, `rows` to look into it, and
 * for SQL `ours`: Latchkey's adapter on the same database. `keepsIds`: a new user has the id that `createUser` is given.
 */
export const published = {
  pg: {
    title: "@auth/pg-adapter on PostgreSQL",
    async open(t, postgres) {
      const pool = await postgres.pool(t, pgSchema)
      const ours = () => PostgresAdapter(pool, { ids: "integer" })
      return { adapter: AuthJsPostgresAdapter(pool), rows: sqlRows(runOnPool(pool), pgNames), ours }
    },
  },
  kyselyOnPostgres: {
    title: "@auth/kysely-adapter on PostgreSQL",
    async open(t, postgres) {
      const pool = await postgres.pool(t, kyselyPostgresSchema)
      const db = new Kysely({ dialect: new PostgresDialect({ pool }) })
      const ours = () => PostgresAdapter(pool, { tables: "kysely", ids: "uuid" })
      return { adapter: KyselyAdapter(db), rows: sqlRows(runOnPool(pool), kyselyNames), ours }
    },
  },
  kyselyOnSqlite: {
    title: "@auth/kysely-adapter on SQLite",
    open(t) {
      const { database } = openSqlite(t, kyselySqliteSchema)
      const db = new Kysely({ dialect: new SqliteDialect({ database }) })
      const ours = () => SqlAdapter(db, { tables: "kysely" })
      return { adapter: KyselyAdapter(db), rows: sqlRows(runOnSqlite(database), kyselyNames), ours }
    },
  },
  drizzleOnPostgres: {
    title: "@auth/drizzle-adapter on PostgreSQL",
    async open(t, postgres) {
      const pool = await postgres.pool(t, drizzlePostgresSchema)
      const ours = () => PostgresAdapter(pool, { tables: "drizzle" })
      return { adapter: DrizzleAdapter(drizzleOnPg(pool)), rows: sqlRows(runOnPool(pool), drizzleNames), ours }
    },
  },
  drizzleOnSqlite: {
    title: "@auth/drizzle-adapter on SQLite",
    open(t) {
      const { file, database } = openSqlite(t, drizzleSqliteSchema)
      const client = createClient({ url: `file:${file}` })
      t.after(() => client.close())
      const rows = sqlRows(runOnSqlite(database), drizzleNames, (date) => date.getTime())
      const ours = () => openOurs(t, file, { tables: "drizzle", dates: "milliseconds" })
      return { adapter: DrizzleAdapter(drizzleOnLibsql(client)), rows, ours }
    },
  },
  prisma: {
    title: "@auth/prisma-adapter on SQLite",
    open(t) {
      const { file, database } = openSqlite(t, prismaSqliteSchema)
      const client = new prismaClient.PrismaClient({ adapter: new PrismaLibSql({ url: `file:${file}` }) })
      t.after(() => client.$disconnect())
      const ours = () => openOurs(t, file, { tables: "prisma" })
      return { adapter: PrismaAdapter(client), rows: sqlRows(runOnSqlite(database), kyselyNames), ours }
    },
  },
  unstorage: {
    title: "@auth/unstorage-adapter on files",
    open(t) {
      const storage = createStorage({ driver: fsDriver({ base: openDirectory(t) }) })
      return { adapter: UnstorageAdapter(storage), rows: unstorageRows(storage) }
    },
  },
}

const own = {
  postgres: {
    title: "PostgresAdapter",
    keepsIds: true,
    async open(t, postgres) {
      const pool = await postgres.pool(t, latchkeySchema("postgres"))
      return { adapter: PostgresAdapter(pool), rows: sqlRows(runOnPool(pool), pgNames) }
    },
  },
  sqlite: {
    title: "SqliteAdapter",
    keepsIds: true,
    open(t) {
      const { file, database } = openSqlite(t)
      return { adapter: openOurs(t, file), rows: sqlRows(runOnSqlite(database), pgNames) }
    },
  },
}

export const stores = [...Object.values(published), ...Object.values(own)]

function openOurs(t, file, options) {
  const adapter = SqliteAdapter(file, options)
  t.after(() => adapter.close())
  return adapter
}
