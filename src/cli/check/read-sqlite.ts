/** Reads the facts of an SQLite file, opened so that it cannot be written. */
import { closeSync, existsSync, openSync, readSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { loadDriver } from "./drivers.js"
import type { DatabaseFacts, IndexFacts, TableFacts } from "./facts.js"
import { bareName } from "./names.js"
import type { Reading } from "./reading.js"
import { assembleTables, indexFacts, type CatalogRows } from "./rows.js"

/** What `node:sqlite` and `libsql` have in common. */
interface Database {
  prepare(sql: string): { all(...values: readonly unknown[]): readonly unknown[] }
  close(): void
}

type Ask = (sql: string, ...values: readonly unknown[]) => readonly unknown[]

export async function readSqlite(path: string, { folder, candidates }: Reading): Promise<DatabaseFacts> {
  const open = builtinDriver() ?? (await libsqlDriver(folder))
  const database = open(readOnlyUrl(path))
  try {
    const tables = readTables((sql, ...values) => database.prepare(sql).all(...values), candidates)
    return { dialect: "sqlite", ignoresCase: { tables: true, columns: true }, tables }
  } finally {
    database.close()
  }
}

type Open = (url: URL) => Database

/** `node:sqlite`, in versions of Node where it takes the parameters of a URL: 22.15 and later. */
function builtinDriver(): Open | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  if (major < 22 || (major === 22 && minor < 15)) return undefined
  // The types of Node 20, which the package is written against, do not know it.
  const module = process.getBuiltinModule("node:sqlite") as unknown as
    { readonly DatabaseSync: new (url: URL, options: { readonly readOnly: true }) => Database } | undefined
  return module && ((url) => new module.DatabaseSync(url, { readOnly: true }))
}

async function libsqlDriver(folder: string): Promise<Open> {
  const purpose = "SQLite, on this version of Node,"
  const Libsql = (await loadDriver({ specifier: "libsql", name: "libsql", purpose }, folder)) as new (
    url: string,
  ) => Database
  return (url) => new Libsql(url.href)
}

/**
 * A database in WAL mode gets two further files from whoever opens it, even only to read it; they would belong to the
 * user of this command, and keep the application out. Nobody has it open where there is no such file, so it can be
 * read as it is (https://www.sqlite.org/uri.html, `immutable`).
 */
function readOnlyUrl(path: string): URL {
  const url = pathToFileURL(path)
  const isAtRest = isWal(path) && !existsSync(`${path}-wal`)
  url.search = isAtRest ? "?immutable=1" : "?mode=ro"
  return url
}

/** The file format version for reading, byte 19 of the file, is 2 for WAL (https://www.sqlite.org/fileformat.html). */
function isWal(path: string): boolean {
  const header = Buffer.alloc(20)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, header.length, 0)
  } finally {
    closeSync(file)
  }
  return header[19] === 2
}

function readTables(ask: Ask, candidates: readonly string[]): readonly TableFacts[] {
  const all = ask("select name from sqlite_master where type in ('table', 'view') order by name") as readonly {
    readonly name: string
  }[]
  const tables = all.map(({ name }) => name).filter((name) => candidates.includes(bareName(name)))
  return assembleTables({
    tables,
    columns: tables.flatMap((table) => readColumns(ask, table)),
    indexes: tables.flatMap((table) => readIndexes(ask, table)),
    foreignKeys: tables.flatMap((table) => readForeignKeys(ask, table)),
  })
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  /** Place in the primary key, from 1; 0 outside of it. */
  readonly pk: number
  readonly hidden: number
}

function columnRows(ask: Ask, table: string): readonly ColumnRow[] {
  return ask(
    `select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?)`,
    table,
  ) as readonly ColumnRow[]
}

function readColumns(ask: Ask, table: string): CatalogRows["columns"] {
  const rows = columnRows(ask, table)
  const keys = rows.filter(({ pk }) => pk > 0)
  return rows.map(({ name, type, notnull, dflt_value: given, pk, hidden }) => {
    // The rowid by another name, which SQLite gives; only this exact type makes it so.
    const isRowid = pk > 0 && keys.length === 1 && type.toUpperCase() === "INTEGER"
    return {
      table,
      name,
      type,
      base: type.toLowerCase(),
      maxLength: null,
      isNullable: notnull === 0,
      isFilled: isRowid || given !== null || hidden > 0,
      ignoresCase: false,
    }
  })
}

function readIndexes(ask: Ask, table: string): CatalogRows["indexes"] {
  const listed = ask(
    `select name, "unique" as isUnique from pragma_index_list(?) where partial = 0`,
    table,
  ) as readonly {
    readonly name: string
    readonly isUnique: number
  }[]
  const primary = [...columnRows(ask, table)].filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk)
  const own: IndexFacts = { columns: primary.map(({ name }) => name), isUnique: true }
  return [own, ...listed.map((index) => withColumns(ask, index))]
    .filter(({ columns }) => columns.length > 0)
    .map((index) => ({ table, ...index }))
}

function withColumns(ask: Ask, index: { readonly name: string; readonly isUnique: number }): IndexFacts {
  const rows = ask("select name from pragma_index_info(?) order by seqno", index.name) as readonly {
    readonly name: string | null
  }[]
  return indexFacts(
    rows.map(({ name }) => name),
    index.isUnique === 1,
  )
}

interface ForeignKeyRow {
  readonly id: number
  readonly target: string
  readonly from: string
  /** `null`: the primary key. */
  readonly to: string | null
  readonly rule: string
}

function readForeignKeys(ask: Ask, table: string): CatalogRows["foreignKeys"] {
  const sql = `select id, "table" as target, "from", "to", on_delete as rule from pragma_foreign_key_list(?) order by id, seq`
  const rows = ask(sql, table) as readonly ForeignKeyRow[]
  return [...new Set(rows.map(({ id }) => id))].map((id) => {
    const own = rows.filter((row) => row.id === id)
    return {
      table,
      name: null,
      columns: own.map(({ from }) => from),
      target: own[0]?.target ?? "",
      references: own.flatMap(({ to }) => to ?? []),
      onDelete: own[0]?.rule.toUpperCase() === "CASCADE" ? "cascade" : "other",
    }
  })
}
