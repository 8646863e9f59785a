/** An empty database of a test's own. */
import type { Adapter } from "../../../src/adapters/contract.js"
import type { SqlAdapterOptions } from "../../../src/adapters/sql.js"
import type { Dialect } from "../../../src/adapters/sql/schema.js"

export type Rows = readonly Readonly<Record<string, unknown>>[]

export interface TestDatabase {
  readonly dialect: Dialect
  /** Runs one statement, without parameters. */
  query(sql: string): Promise<Rows>
  /** An adapter over a connection, or a pool, of its own. */
  open(options?: SqlAdapterOptions): Required<Adapter>
  close(): Promise<void>
}

export type OpenDatabase = () => Promise<TestDatabase>

export async function runAll({ query }: TestDatabase, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await query(statement)
}
