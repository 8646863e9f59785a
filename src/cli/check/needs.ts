/** What must be there: the tables that the adapter reads and writes, under their real names and types. */
import { createStatements, quoteName, type CreateOptions } from "../../adapters/sql/ddl.js"
import { nameTables, type NamedTable } from "../../adapters/sql/names.js"
import {
  tableKeys,
  type ColumnDefinition,
  type ColumnType,
  type Dialect,
  type IdKind,
  type Preset,
  type SqliteDates,
  type TableDefinition,
  type TableKey,
} from "../../adapters/sql/schema.js"

/** How the tables are called and what they hold. */
export interface SchemaOptions {
  readonly dialect: Dialect
  readonly ids: IdKind
  readonly tables: Preset
  readonly dates: SqliteDates
}

export interface TableNeed {
  readonly key: TableKey
  readonly name: string
  /** Whether sign-in works without it. */
  readonly isOptional: boolean
  readonly definition: TableDefinition
  readonly columns: readonly ColumnNeed[]
  /** Statements that create the table and its indexes. */
  readonly create: readonly string[]
}

export interface ColumnNeed {
  readonly name: string
  readonly type: ColumnType
  readonly isNullable: boolean
  /** In SQL, without `not null`. */
  readonly sql: string
}

/** @param idType What `users.id` is, where whatever refers to it must be exactly that. */
export function listNeeds(options: SchemaOptions, idType?: string): readonly TableNeed[] {
  const named = nameTables({ tables: options.tables })
  const statements = groupByTable(createStatements(options satisfies CreateOptions))
  const needs = tableKeys.map((key, index) => needOf(named[key], statements[index] ?? [], options.dialect))
  return idType === undefined ? needs : needs.map((need) => withReferences(need, idType, options.dialect))
}

function withReferences(need: TableNeed, idType: string, dialect: Dialect): TableNeed {
  const define = ({ name, sql }: ColumnNeed): string => `  ${quoteName(dialect, name)} ${sql}`
  const columns = need.columns.map((column) => (column.type === "userId" ? { ...column, sql: idType } : column))
  const create = need.create.map((statement) =>
    need.columns.reduce(
      (text, column, index) => text.replace(define(column), () => define(columns[index] ?? column)),
      statement,
    ),
  )
  return { ...need, columns, create }
}

function needOf({ key, name, definition }: NamedTable, create: readonly string[], dialect: Dialect): TableNeed {
  const lines = (create[0] ?? "").split("\n").slice(1)
  const columns = definition.columns.map((column, index) => columnNeed(column, lines[index] ?? "", dialect))
  return { key, name, isOptional: key === "authenticators", definition, columns, create }
}

/** The columns come first in the statement that creates a table, in their order, each on a line of its own. */
function columnNeed({ name, type, nullable }: ColumnDefinition, line: string, dialect: Dialect): ColumnNeed {
  const start = `  ${quoteName(dialect, name)} `
  if (!line.startsWith(start)) throw new Error(`expected the column ${name} in the SQL of its table`)
  const sql = line
    .slice(start.length)
    .replace(/,$/, "")
    .replace(/ not null$/, "")
  return { name, type, isNullable: nullable, sql }
}

function groupByTable(statements: readonly string[]): readonly (readonly string[])[] {
  const starts = statements.flatMap((statement, index) => (statement.startsWith("create table ") ? [index] : []))
  return starts.map((start, index) => statements.slice(start, starts[index + 1]))
}
