/** What the comparison of one table knows. */
import type { DatabaseFacts, TableFacts } from "./facts.js"
import type { SchemaOptions, TableNeed } from "./needs.js"

export interface Subject {
  /** The whole database. */
  readonly facts: DatabaseFacts
  /** The table that is there. */
  readonly table: TableFacts
  /** What it must be. */
  readonly need: TableNeed
  /** What every table must be. */
  readonly needs: readonly TableNeed[]
  readonly options: SchemaOptions
}
