/** The tables as the database has them: looked up when they are first needed, then remembered. */
import type { Awaitable } from "../../core/types.js"
import { createColumn, type Column, type ColumnOptions } from "./columns.js"
import { dialects, type ColumnDescription } from "./dialects.js"
import { nameTables, type NamedTable, type NameOptions } from "./names.js"
import type { TableDefinition, TableKey } from "./schema.js"
import type { Store } from "./store.js"

export interface Table {
  readonly key: TableKey
  /** May be qualified by the name of a schema: `auth.users`. */
  readonly name: string
  readonly definition: TableDefinition
  readonly columns: readonly Column[]
  /** Those that records are made of. */
  readonly selected: readonly Column[]
  readonly byField: ReadonlyMap<string, Column>
}

export interface Tables {
  /** @throws Error that says what is missing, when the table or a column that it must have is not there. */
  get(key: TableKey): Promise<Table>
  /** `undefined` where there is no such table. */
  find(key: TableKey): Promise<Table | undefined>
  /** Has the tables looked up anew when they are needed next. */
  forget(): void
}

export type TableOptions = NameOptions & ColumnOptions

/** Failures are not remembered, nor that a table is missing. */
export function createTables(store: Store, options: TableOptions): Tables {
  const named = nameTables(options)
  const known = new Map<TableKey, Promise<Table | undefined>>()

  const load = async (key: TableKey): Promise<Table | undefined> => {
    const table = await describe(store, named[key], options)
    if (!table) known.delete(key)
    return table
  }
  const find = (key: TableKey): Promise<Table | undefined> => {
    const loading = known.get(key) ?? load(key)
    known.set(key, loading)
    loading.catch(() => known.delete(key))
    return loading
  }
  return {
    find,
    forget: () => known.clear(),
    get: async (key) => (await find(key)) ?? fail(named[key].name, "there is no such table", `tables.${key}`),
  }
}

function fail(table: string, problem: string, option: string): never {
  throw new Error(
    `Table ${table}: ${problem}. \`npx latchkey schema\` prints what is needed; the option ${option} tells other names`,
  )
}

async function describe(store: Store, table: NamedTable, options: TableOptions): Promise<Table | undefined> {
  // The query names these columns itself.
  const rows = (await (store.read(
    dialects[store.dialect].describe(table.name),
  ) as Awaitable<unknown>)) as readonly ColumnDescription[]
  if (rows.length === 0) return undefined
  const columns = rows.flatMap((row) => createColumn(store.dialect, table, row, options) ?? [])
  const byField = new Map(columns.map((column) => [column.field, column]))
  const fields = table.definition.columns
  const missing = fields.find(({ name, nullable }) => !nullable && !byField.has(name))
  if (missing)
    fail(table.name, `it has no column ${table.columnOf(missing.name)}`, `columns.${table.key}.${missing.name}`)
  const isPart = ({ field }: Column) => hasOwnColumns[table.key] || fields.some(({ name }) => name === field)
  return {
    key: table.key,
    name: table.name,
    definition: table.definition,
    columns,
    selected: columns.filter(isPart),
    byField,
  }
}

/** Whether further columns are part of a record. A verification token is exactly what the contract says. */
const hasOwnColumns: Readonly<Record<TableKey, boolean>> = {
  users: true,
  accounts: true,
  sessions: true,
  verificationTokens: false,
  authenticators: false,
}
