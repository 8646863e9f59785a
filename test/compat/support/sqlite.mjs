/** SQLite databases in files, which are there until the test is over. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Database from "libsql"

/** @param statements Run before anybody else opens the file. */
export function openSqlite(t, statements = "") {
  const file = join(openDirectory(t), "app.db")
  const database = new Database(file)
  t.after(() => database.close())
  database.exec(`pragma journal_mode = wal; ${statements}`)
  return { file, database }
}

export function openDirectory(t) {
  const directory = mkdtempSync(join(tmpdir(), "latchkey-compat-"))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
