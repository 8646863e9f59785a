/** The published adapters, each on a database of its own with the tables that its documentation tells people to create. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DrizzleAdapter } from "@auth/drizzle-adapter"
import { KyselyAdapter } from "@auth/kysely-adapter"
import PostgresAdapter from "@auth/pg-adapter"
import { PrismaAdapter } from "@auth/prisma-adapter"
import { UnstorageAdapter } from "@auth/unstorage-adapter"
import { createClient } from "@libsql/client"
import { PrismaLibSql } from "@prisma/adapter-libsql"
import { drizzle } from "drizzle-orm/libsql"
import { Kysely, PostgresDialect, SqliteDialect } from "kysely"
import Database from "libsql"
import { createStorage } from "unstorage"
import fsDriver from "unstorage/drivers/fs"
import prismaClient from "../node_modules/.prisma-client/index.js"
import {
  drizzleSqliteSchema,
  kyselyPostgresSchema,
  kyselySqliteSchema,
  pgSchema,
  prismaSqliteSchema,
} from "./documented-schemas.mjs"
import { accountOf, drizzleNames, kyselyNames, pgNames, sessionOf, sqlRows, userOf } from "./sql-rows.mjs"

/**
 * `open` takes the test and the PostgreSQL server, and gives an adapter on an empty database, and `rows` to look into
 * it; SQL stores give what they were opened with as well (`pool`, `file`).
 */
export const published = {
  pg: {
    title: "@auth/pg-adapter on PostgreSQL",
    async open(t, postgres) {
      const pool = await postgres.pool(t, pgSchema)
      return { adapter: PostgresAdapter(pool), rows: sqlRows(runOn(pool), pgNames), pool }
    },
  },
  kyselyPostgres: {
    title: "@auth/kysely-adapter on PostgreSQL",
    async open(t, postgres) {
      const pool = await postgres.pool(t, kyselyPostgresSchema)
      const adapter = KyselyAdapter(new Kysely({ dialect: new PostgresDialect({ pool }) }))
      return { adapter, rows: sqlRows(runOn(pool), kyselyNames), pool }
    },
  },
  kyselySqlite: {
    title: "@auth/kysely-adapter on SQLite",
    open(t) {
      const { file, database } = openSqlite(t, kyselySqliteSchema)
      const adapter = KyselyAdapter(new Kysely({ dialect: new SqliteDialect({ database }) }))
      return { adapter, rows: sqlRows(runOnSqlite(database), kyselyNames), file }
    },
  },
  drizzle: {
    title: "@auth/drizzle-adapter on SQLite",
    open(t) {
      const { file, database } = openSqlite(t, drizzleSqliteSchema)
      const client = createClient({ url: `file:${file}` })
      t.after(() => client.close())
      const rows = sqlRows(runOnSqlite(database), drizzleNames, (date) => date.getTime())
      return { adapter: DrizzleAdapter(drizzle(client)), rows, file }
    },
  },
  prisma: {
    title: "@auth/prisma-adapter on SQLite",
    open(t) {
      const { file, database } = openSqlite(t, prismaSqliteSchema)
      const client = new prismaClient.PrismaClient({ adapter: new PrismaLibSql({ url: `file:${file}` }) })
      t.after(() => client.$disconnect())
      return { adapter: PrismaAdapter(client), rows: sqlRows(runOnSqlite(database), kyselyNames), file }
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

export function runOn(pool) {
  return async (statement) => (await pool.query(statement)).rows
}

export function runOnSqlite(database) {
  return (statement) => {
    const prepared = database.prepare(statement)
    return prepared.reader ? prepared.all() : prepared.run()
  }
}

/** An SQLite database with tables, which is there until the test is over. */
export function openSqlite(t, statements) {
  const file = join(openDirectory(t), "app.db")
  const database = new Database(file)
  t.after(() => database.close())
  database.exec(`pragma journal_mode = wal; ${statements}`)
  return { file, database }
}

function openDirectory(t) {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-compat-"))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** The adapter keeps a record under each name that it is looked up by. */
function unstorageRows(storage) {
  const records = async (prefix, isRecord) => {
    const items = await Promise.all((await storage.getKeys(prefix)).map((key) => storage.getItem(key)))
    return items.filter((item) => isRecord(item))
  }
  const sessions = "user:session"
  const isObject = (item) => typeof item === "object" && item !== null
  return {
    users: async () => (await records("user", (item) => isObject(item) && "email" in item)).map(userOf),
    accounts: async () => (await records("user", (item) => isObject(item) && "provider" in item)).map(accountOf),
    sessions: async () => (await records(sessions, isObject)).map(sessionOf),
    async expireAt(date) {
      for (const key of await storage.getKeys(sessions)) {
        const item = await storage.getItem(key)
        if (isObject(item)) await storage.setItem(key, { ...item, expires: date.toISOString() })
      }
    },
    async removeSessions() {
      for (const key of await storage.getKeys(sessions)) await storage.removeItem(key)
    },
  }
}
