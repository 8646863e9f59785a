/** Storage in an SQL database: SQLite, PostgreSQL, MySQL or MariaDB. */
import { Kysely, MysqlDialect, type MysqlPool } from "kysely"
import type { Adapter } from "./contract.js"
import { checkOptions, requireMethod } from "./sql/arguments.js"
import { createStatements } from "./sql/ddl.js"
import { dialectOf, type KyselyInstance } from "./sql/dialect-of.js"
import { createKyselyStore, type AnyKysely } from "./sql/kysely-store.js"
import { createMethods } from "./sql/methods.js"
import { createMysqlStore } from "./sql/mysql-store.js"
import { openSqlite } from "./sql/open-sqlite.js"
import { createPostgresStore, type PgPool } from "./sql/postgres-store.js"
import type { Dialect } from "./sql/schema.js"
import { createSqliteStore, type SqliteDatabase } from "./sql/sqlite-store.js"
import type { TableOptions } from "./sql/tables.js"

export type { KyselyInstance, MysqlPool, PgPool, SqliteDatabase }

/**
 * `tables` and `columns` tell what the tables and columns are called, `ids` and `dates` how ids and dates are kept.
 * Columns beyond those of the contract become part of users, accounts and sessions, and what is given for them is stored.
 */
export type SqlAdapterOptions = TableOptions

export interface SqliteAdapterOptions extends SqlAdapterOptions {
  /** Whether tables and indexes that are missing are created. Default `true`. */
  readonly createTables?: boolean | undefined
}

export interface EmbeddedAdapter extends Required<Adapter> {
  /** Closes the database, also one that was given. */
  close(): void
}

/**
 * Storage in a SQLite file: `SqliteAdapter("app.db")`. It is created where it is missing, readable by its owner only, and
 * what was acknowledged survives a crash. Several processes of one machine may share it.
 * @param database The path of a file, `:memory:`, or an open database of `better-sqlite3`, `libsql` or `node:sqlite`,
 * whose settings are left alone.
 * @throws Error when the file cannot be opened, or there is no driver: Node before 22.13 needs `npm install libsql`.
 */
export function SqliteAdapter(database: string | SqliteDatabase, options: SqliteAdapterOptions = {}): EmbeddedAdapter {
  checkOptions(options)
  if (typeof database !== "string") {
    requireMethod(database, "prepare", "SqliteAdapter needs the path of a file, :memory:, or an open SQLite database")
  }
  const open = typeof database === "string" ? openSqlite(database) : database
  const store = createSqliteStore(open)
  if (options.createTables ?? true) {
    const dates = options.dates === "driver" ? undefined : options.dates
    store.exec(createStatements({ ...options, dates, dialect: "sqlite" }))
  }
  return { ...createMethods(store, options), close: store.close }
}

/**
 * Storage in PostgreSQL. By default it uses the tables of `@auth/pg-adapter`, also as that left them:
 * `npx latchkey schema --dialect postgres` prints those of a new database.
 * @param pool A `Pool` of `pg`, or one that has the same methods. It stays yours to close.
 */
export function PostgresAdapter(pool: PgPool, options: SqlAdapterOptions = {}): Required<Adapter> {
  checkOptions(options)
  requireMethod(pool, "connect", "PostgresAdapter needs a pool: new pg.Pool({ connectionString }) of pg")
  return createMethods(createPostgresStore(pool), options)
}

/**
 * Storage in MySQL or MariaDB; `npx latchkey schema --dialect mysql` prints the tables.
 * @param pool A pool of `mysql2`, or one of `mysql2/promise`. It stays yours to close.
 */
export function MysqlAdapter(
  pool: MysqlPool | { readonly pool: MysqlPool },
  options: SqlAdapterOptions = {},
): Required<Adapter> {
  checkOptions(options)
  requireMethod(pool, "getConnection", "MysqlAdapter needs a pool: createPool(address) of mysql2")
  const dialect = new MysqlDialect({ pool: "pool" in pool ? pool.pool : pool })
  return createMethods(createMysqlStore(new Kysely({ dialect })), options)
}

/**
 * Storage through any Kysely instance; `npx latchkey schema` prints the tables. Its plugins are not used: `columns` tells
 * names that differ.
 * @throws TypeError when the dialect is none of the three, or cannot be told.
 */
export function SqlAdapter(
  kysely: KyselyInstance,
  options: SqlAdapterOptions & { readonly dialect?: Dialect | undefined } = {},
): Required<Adapter> {
  checkOptions(options)
  requireMethod(kysely, "withoutPlugins", "SqlAdapter needs a Kysely instance: new Kysely({ dialect })")
  // The application's types say what its own queries may use.
  const plain = kysely.withoutPlugins() as AnyKysely
  const dialect = options.dialect ?? dialectOf(kysely)
  return createMethods(dialect === "mysql" ? createMysqlStore(plain) : createKyselyStore(plain, dialect), options)
}
