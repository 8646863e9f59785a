import { afterAll, describe, it } from "@jest/globals"
import { startEmbeddedPostgres } from "./embedded-postgres.js"
import { openPostgresAt } from "./server-databases.js"
import { testPgAdapterTables, testSqlStoreBriefly } from "./store-tests.js"

const server = await startEmbeddedPostgres()

if ("address" in server) {
  describe("PostgreSQL, embedded:", () => {
    testSqlStoreBriefly(openPostgresAt(server.address))
    testPgAdapterTables(openPostgresAt(server.address))
  })
  afterAll(server.stop)
} else {
  if (process.env.CI) throw new Error(`PostgreSQL, embedded, cannot start: ${server.whyNot}`)
  console.warn(`PostgreSQL, embedded, cannot start here, so it is not tested: ${server.whyNot}`)
  it.skip("PostgreSQL, embedded", () => undefined)
}
