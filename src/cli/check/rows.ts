/** Rows of a catalog, as a driver returns them, made into facts. */
import type { ColumnFacts, ForeignKeyFacts, IndexFacts, TableFacts } from "./facts.js"

/** What every reader asks the catalog for: one row a column, an index, a foreign key. */
export interface CatalogRows {
  readonly tables: readonly string[]
  readonly columns: readonly (ColumnFacts & OfTable)[]
  readonly indexes: readonly (IndexFacts & OfTable)[]
  readonly foreignKeys: readonly (Omit<ForeignKeyFacts, "table"> & OfTable & { readonly target: string })[]
}

interface OfTable {
  readonly table: string
}

/**
 * An index as it counts: what comes before an expression (`null`) can still be looked up; but the columns alone are not
 * what is unique.
 */
export function indexFacts(columns: readonly (string | null)[], isUnique: boolean): IndexFacts {
  const end = columns.indexOf(null)
  const named = (end < 0 ? columns : columns.slice(0, end)).filter((column) => column !== null)
  return { columns: named, isUnique: isUnique && end < 0 }
}

export function assembleTables(rows: CatalogRows): readonly TableFacts[] {
  return rows.tables.map((name) => ({
    name,
    columns: rows.columns.filter(({ table }) => table === name).map(({ table: _table, ...column }) => column),
    indexes: rows.indexes.filter(({ table }) => table === name).map(({ table: _table, ...index }) => index),
    foreignKeys: rows.foreignKeys
      .filter(({ table }) => table === name)
      .map(({ target, ...key }) => ({ ...key, table: target })),
  }))
}
