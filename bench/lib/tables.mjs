// @ts-check
import { createStatements } from "../../dist/adapters/sql/ddl.js"

/**
 * Creates Latchkey's tables in PostgreSQL, under the names that `@auth/pg-adapter` uses too, and with the indexes that
 * its documentation leaves out.
 *
 * @param {import("pg").Pool} pool
 */
export async function createTables(pool) {
  for (const statement of createStatements({ dialect: "postgres" })) await pool.query(statement)
}
