import { expect, it } from "@jest/globals"
import { MysqlAdapter, PostgresAdapter, SqlAdapter, SqliteAdapter } from "../../../src/adapters/sql.js"

it.each<[string, () => unknown, string]>([
  ["an address for a pool", () => PostgresAdapter("postgres://localhost/app" as never), "new pg.Pool"],
  ["an address for a pool of MySQL", () => MysqlAdapter("mysql://localhost/app" as never), "createPool"],
  ["nothing for a file", () => SqliteAdapter(undefined as never), "path of a file"],
  ["an object for a Kysely", () => SqlAdapter({} as never), "new Kysely"],
  ["an option that there is not", () => SqliteAdapter(":memory:", { table: "users" } as never), "no option table"],
  ["a kind of ids that there is not", () => SqliteAdapter(":memory:", { ids: "int" as never }), '"integer"'],
  ["dates that there are not", () => SqliteAdapter(":memory:", { dates: "ms" as never }), '"milliseconds"'],
])("%s is refused at once, with what is wanted", (_, open, wanted) => {
  expect(open).toThrow(wanted)
})
