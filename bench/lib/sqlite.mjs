// @ts-check
import { createRequire } from "node:module"

/**
 * @typedef {object} Database What `node:sqlite` and `libsql` have in common.
 * @property {(sql: string) => unknown} exec
 * @property {(sql: string) => { run(...values: unknown[]): unknown, all(...values: unknown[]): unknown[] }} prepare
 * @property {() => unknown} close
 */

/** Those of Latchkey's SqliteAdapter, so that whatever else is measured on SQLite has the same. */
const settings = [
  "busy_timeout = 2000",
  "journal_mode = wal",
  "synchronous = full",
  "foreign_keys = on",
  `mmap_size = ${2 ** 30}`,
]

/**
 * Opens a SQLite file with the driver that Latchkey uses on this Node.
 *
 * @param {string} path
 * @returns {Database}
 */
export function openSqlite(path) {
  const Database = loadDriver()
  const database = new Database(path)
  for (const setting of settings) database.exec(`pragma ${setting}`)
  return database
}

/** @returns {new (path: string) => Database} */
function loadDriver() {
  const major = Number(process.versions.node.split(".")[0])
  const require = createRequire(import.meta.url)
  return major >= 22 ? require("node:sqlite").DatabaseSync : require("libsql")
}
