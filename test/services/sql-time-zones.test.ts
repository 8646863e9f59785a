import { describe, expect, it } from "@jest/globals"
import { runChild } from "../adapters/sql/children/run-child.js"
import { drizzleTables, kyselyTables } from "../adapters/sql/existing-tables.js"
import { openMysqlAt, openPostgresAt } from "../adapters/sql/server-databases.js"
import { runAll, type OpenDatabase, type TestDatabase } from "../adapters/sql/test-database.js"

const postgres = process.env.LATCHKEY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/test"
const mysql = process.env.LATCHKEY_TEST_MYSQL ?? "mysql://root@127.0.0.1:3306/test"

const env = { TZ: "America/New_York" }

/** On the night on which clocks there are turned back, in the hour that comes twice. */
const twice = "2026-11-01T06:30:00.123Z"
const summer = "2026-07-01T06:30:00.123Z"

async function withDatabase(open: OpenDatabase, work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await open()
  try {
    await work(database)
  } finally {
    await database.close()
  }
}

describe("a process in another time zone", () => {
  it("writes UTC into a timestamp of PostgreSQL, and reads it back", () =>
    withDatabase(openPostgresAt(postgres), async (database) => {
      await runAll(database, drizzleTables("postgres"))
      const [{ schema } = {}] = await database.query("select current_schema() as schema")
      const url = new URL(postgres)
      url.searchParams.set("options", `-c search_path=${String(schema)}`)
      const args = ["postgres", url.href, '{"tables":"drizzle"}', twice]
      expect((await runChild("write-a-date.ts", { args, env })).trim()).toBe(twice)
      const rows = await database.query('select "emailVerified"::text as moment from "user"')
      expect(rows).toEqual([{ moment: "2026-11-01 06:30:00.123" }])
    }))

  it.each([
    ["drizzle", "user", drizzleTables("mysql"), twice, "2026-11-01 06:30:00.123"],
    // In its own time, as @auth/kysely-adapter does.
    ["kysely", "User", kyselyTables("mysql"), summer, "2026-07-01 02:30:00.123"],
  ])("writes into tables of %s in MySQL what other programs read", (tables, table, statements, moment, stored) =>
    withDatabase(openMysqlAt(mysql), async (database) => {
      await runAll(database, statements)
      const [{ name } = {}] = await database.query("select database() as name")
      const url = new URL(mysql)
      url.pathname = `/${String(name)}`
      const args = ["mysql", url.href, JSON.stringify({ tables }), moment]
      expect((await runChild("write-a-date.ts", { args, env })).trim()).toBe(moment)
      const rows = await database.query(`select cast(emailVerified as char) as moment from ${table}`)
      expect(rows).toEqual([{ moment: stored }])
    }),
  )
})
