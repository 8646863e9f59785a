/** SQLite files of a test's own, through each driver that this Node can load. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Libsql from "libsql"
import { SqliteAdapter, type SqliteDatabase } from "../../../src/adapters/sql.js"
import type { OpenDatabase, Rows } from "./test-database.js"

export type OpenFile = (path: string) => SqliteDatabase

type GetBuiltin = (id: string) => { readonly DatabaseSync: new (path: string) => SqliteDatabase } | undefined

function openNodeSqlite(): OpenFile | undefined {
  const { getBuiltinModule } = process as { getBuiltinModule?: GetBuiltin }
  const sqlite = getBuiltinModule?.("node:sqlite")
  return sqlite && ((path) => new sqlite.DatabaseSync(path))
}

/** Only drivers that are there, by name. */
export const sqliteDrivers: ReadonlyMap<string, OpenFile> = new Map(
  Object.entries({
    libsql: (path: string): SqliteDatabase => new Libsql(path),
    "node:sqlite": openNodeSqlite(),
  }).flatMap(([name, open]) => (open ? [[name, open] as const] : [])),
)

export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "latchkey-sql-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Each adapter has a connection of its own to one file. */
export function openSqliteWith(openFile: OpenFile): OpenDatabase {
  return async () => {
    const folder = temporaryFolder()
    const path = join(folder.path, "app.db")
    const connect = (): SqliteDatabase => {
      const database = openFile(path)
      for (const setting of ["busy_timeout = 5000", "journal_mode = wal", "synchronous = off", "foreign_keys = on"])
        database.exec(`pragma ${setting}`)
      return database
    }
    const own = connect()
    const opened = [own]
    return {
      dialect: "sqlite",
      query: async (sql) => {
        if (/^\s*select\b/i.test(sql)) return own.prepare(sql).all() as Rows
        own.exec(sql)
        return []
      },
      open: (options) => {
        const database = connect()
        opened.push(database)
        return SqliteAdapter(database, { ...options, createTables: false })
      },
      close: async () => {
        for (const database of opened) database.close()
        folder.remove()
      },
    }
  }
}
