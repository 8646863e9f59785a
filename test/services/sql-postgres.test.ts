import { describe } from "@jest/globals"
import { openPostgresAt } from "../adapters/sql/server-databases.js"
import { testPgAdapterTables, testSqlStore } from "../adapters/sql/store-tests.js"

const address = process.env.LATCHKEY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/test"

describe("PostgreSQL:", () => {
  testSqlStore(openPostgresAt(address))
  testPgAdapterTables(openPostgresAt(address))
})
