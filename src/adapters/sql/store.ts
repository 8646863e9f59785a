/** What the adapter needs of a database: to read, to write, and to write several things that take effect together. */
import type { RawBuilder } from "kysely"
import type { Awaitable } from "../../core/types.js"
import type { Dialect } from "./schema.js"

/** A statement, or a part of one. */
export type Sql = RawBuilder<unknown>

/** A statement as a driver takes it. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type Row = Readonly<Record<string, unknown>>

export interface Result {
  readonly rows: readonly Row[]
  /** How many rows were written. */
  readonly changes: number
  /** The number that MySQL gave to a new row. */
  readonly insertId?: string | undefined
}

/** One statement of a transaction, made from what those before it gave; nothing where there is nothing to do. */
export type Step = (done: readonly Result[]) => Sql | undefined

/** What a step gives that has nothing to do. */
export const nothingDone: Result = { rows: [], changes: 0 }

/** Where a method does not return a promise, the store has answered already. */
export interface Store {
  readonly dialect: Dialect
  /** The text of a statement, and what belongs into its placeholders. */
  compile(statement: Sql): Statement
  read(statement: Sql): Awaitable<readonly Row[]>
  write(statement: Sql): Awaitable<Result>
  /** All of the steps take effect, or, when one throws, none. */
  transact(steps: readonly Step[]): Awaitable<readonly Result[]>
  /** A read that is made over and over, of one row. */
  prepare(sql: string): (parameters: readonly unknown[]) => Awaitable<Row | undefined>
}
