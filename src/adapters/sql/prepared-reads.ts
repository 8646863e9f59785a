/** Reads of one row that requests make over and over: all that can be done once is done once. */
import { attempt, isPromise } from "../../core/awaitable.js"
import type { Awaitable } from "../../core/types.js"
import { decode, selection, type Column } from "./columns.js"
import type { Row, Sql } from "./store.js"
import { whenItFails } from "./watched-store.js"

export type Read<T> = (key: string) => Awaitable<T | null>

/** The first read looks up the tables; those after it answer without a promise where the store does. */
export function rememberRead<T>(create: () => Promise<Read<T>>): Read<T> {
  let known: Read<T> | undefined
  const readFirst: Read<T> = async (key) => {
    known = await create()
    return known(key)
  }
  return (key) =>
    attempt(() =>
      whenItFails(
        () => (known ?? readFirst)(key),
        () => (known = undefined),
      ),
    )
}

/** A column that is selected, and its place in the row. */
export interface Part {
  readonly column: Column
  readonly at: number
}

export function partsOf(columns: readonly Column[], first = 0): readonly Part[] {
  return columns.map((column, index) => ({ column, at: first + index }))
}

/** Numbers for names: a row may then also be an array, which drivers make faster. */
export function selectPart({ column, at }: Part, alias?: string): Sql {
  return selection(column, String(at), alias)
}

export function readParts(parts: readonly Part[], row: Row): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = {}
  for (const { column, at } of parts) record[column.field] = decode(column.kind, row[at])
  return record
}

export function mapRow<T>(answer: Awaitable<Row | undefined>, toRecord: (row: Row) => T): Awaitable<T | null> {
  if (isPromise(answer)) return answer.then((row) => (row === undefined ? null : toRecord(row)))
  return answer === undefined ? null : toRecord(answer)
}
