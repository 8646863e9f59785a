/** Finds tables and columns by name, as the database would. */
import type { ColumnFacts, DatabaseFacts, TableFacts } from "./facts.js"

interface Named {
  readonly name: string
}

export function findTable({ tables, ignoresCase }: DatabaseFacts, name: string): TableFacts | undefined {
  return tables.find((table) => isSame(table.name, name, ignoresCase.tables))
}

export function findColumn(facts: DatabaseFacts, table: TableFacts, name: string): ColumnFacts | undefined {
  return table.columns.find((column) => isSame(column.name, name, facts.ignoresCase.columns))
}

/** Something that is there and may be what was meant: `userid` or `user_id` for `userId`. */
export function findSimilar(all: readonly Named[], name: string): string | undefined {
  return all.find((each) => bareName(each.name) === bareName(name))?.name
}

/** A name without what conventions differ in: case and underscores. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll("_", "")
}

/** Whether both lists have the same columns, in whatever order. */
export function isSameSet(facts: DatabaseFacts, one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isSubset(facts, one, other)
}

/** Whether every column of `part` is in `whole`. */
export function isSubset(facts: DatabaseFacts, part: readonly string[], whole: readonly string[]): boolean {
  return part.every((column) => whole.some((each) => isSame(column, each, facts.ignoresCase.columns)))
}

function isSame(one: string, other: string, ignoresCase: boolean): boolean {
  return ignoresCase ? one.toLowerCase() === other.toLowerCase() : one === other
}
