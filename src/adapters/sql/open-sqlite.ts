/** Opens a SQLite file: with `node:sqlite` where Node has it, else with `libsql`. Neither needs a compiler. */
import { closeSync, openSync } from "node:fs"
import { createRequire } from "node:module"
import { asError } from "../../core/thrown.js"
import type { SqliteDatabase } from "./sqlite-store.js"

type Open = (path: string) => SqliteDatabase

/**
 * Milliseconds that a writer waits for another process to finish writing. The wait is synchronous: all of this process
 * stands still meanwhile, so that it must be short, though longer than any write of ours.
 */
const busyTimeout = 2000

/** A write is on the disk when it is acknowledged: `synchronous=full`, since WAL alone may lose the last ones with the power. */
const settings = [
  `pragma busy_timeout = ${busyTimeout}`,
  "pragma journal_mode = wal",
  "pragma synchronous = full",
  "pragma foreign_keys = on",
  // Bytes of the file that are read without a system call each.
  `pragma mmap_size = ${2 ** 30}`,
]

/** @throws Error when the file cannot be opened, or Node is too old for `node:sqlite` and `libsql` is not installed. */
export function openSqlite(path: string): SqliteDatabase {
  const open = nodeSqlite() ?? libsql()
  try {
    const file = fileToCreate(path)
    if (file !== undefined) createPrivately(file)
    const database = open(path)
    for (const setting of settings) database.exec(setting)
    return database
  } catch (thrown) {
    throw new Error(`SqliteAdapter could not open ${path}: ${asError(thrown).message}`, { cause: thrown })
  }
}

const addressParts = /^file:(?:\/\/(?:localhost)?(?=\/))?([^?#]*)(?:\?([^#]*))?/

/** The file that a path or a `file:` address (SQLite, "URI Filenames") stands for; none where SQLite will create none. */
function fileToCreate(path: string): string | undefined {
  const [isAddress, name = "", query] = addressParts.exec(path) ?? []
  const file = isAddress === undefined ? path : decodeURIComponent(name)
  const parameters = new URLSearchParams(query)
  const isElsewhere = /^(?:memory|ro|rw)$/.test(parameters.get("mode") ?? "") || parameters.get("vfs") === "memdb"
  return file === ":memory:" || isElsewhere || (isAddress !== undefined && file === "") ? undefined : file
}

/** Whoever can read the file can sign in as anybody: a new one is for its owner alone. */
function createPrivately(path: string): void {
  closeSync(openSync(path, "a", 0o600))
}

/** Asked for in this way, a module that an older Node lacks is no error. */
function nodeSqlite(): Open | undefined {
  const [major] = process.versions.node.split(".").map(Number)
  const getBuiltin = (process as { getBuiltinModule?: (id: string) => unknown }).getBuiltinModule
  const sqlite = major !== undefined && major >= 22 ? getBuiltin?.("node:sqlite") : undefined
  if (typeof sqlite !== "object" || sqlite === null || !("DatabaseSync" in sqlite)) return undefined
  const DatabaseSync = sqlite.DatabaseSync as new (path: string) => SqliteDatabase
  return (path) => new DatabaseSync(path)
}

function libsql(): Open {
  const Database = loadLibsql()
  return (path) => new Database(path)
}

function loadLibsql(): new (path: string) => SqliteDatabase {
  try {
    return createRequire(import.meta.url)("libsql") as new (path: string) => SqliteDatabase
  } catch (cause) {
    const problem = "SqliteAdapter needs Node 22.13 or later, or the package libsql: npm install libsql"
    throw new Error(problem, { cause })
  }
}
