/** Facts of a database in which nothing is missing. */
import { presets, schema, tableKeys, type ColumnType, type Dialect } from "../../src/adapters/sql/schema.js"
import type { ColumnFacts, DatabaseFacts, TableFacts } from "../../src/cli/check/facts.js"
import type { SchemaOptions } from "../../src/cli/check/needs.js"

type Type = Pick<ColumnFacts, "base" | "maxLength">

const type = (base: string, maxLength: number | null = null): Type => ({ base, maxLength })

const types: Readonly<Record<Dialect, Readonly<Record<Exclude<ColumnType, "id" | "userId">, Type>>>> = {
  sqlite: {
    key: type("text"),
    text: type("text"),
    date: type("text"),
    boolean: type("integer"),
    integer: type("integer"),
  },
  postgres: {
    key: type("text"),
    text: type("text"),
    date: type("timestamptz"),
    boolean: type("bool"),
    integer: type("int8"),
  },
  mysql: {
    key: type("varchar", 1400),
    text: type("text", 65535),
    date: type("datetime"),
    boolean: type("tinyint"),
    integer: type("bigint"),
  },
}

const ids = {
  sqlite: { text: type("text"), uuid: type("text"), integer: type("integer") },
  postgres: { text: type("text"), uuid: type("uuid"), integer: type("int8") },
  mysql: { text: type("varchar", 255), uuid: type("char", 36), integer: type("bigint") },
}

export function goodFacts(options: SchemaOptions): DatabaseFacts {
  const { dialect } = options
  const isSqlite = dialect === "sqlite"
  const tables = tableKeys.map((key): TableFacts => {
    const { columns, primaryKey, uniques, indexes, foreignKeys } = schema[key]
    return {
      name: presets[options.tables][key],
      columns: columns.map(({ name, type, nullable }) => ({
        name,
        ...typeOf(type, options),
        type: typeOf(type, options).base,
        isNullable: nullable,
        isFilled: type === "id" && options.ids === "integer",
        ignoresCase: false,
      })),
      indexes: [
        ...[primaryKey, ...uniques].map((columns) => ({ columns, isUnique: true })),
        ...indexes.map((columns) => ({ columns, isUnique: false })),
      ],
      foreignKeys: foreignKeys.map(({ column, references }) => ({
        name: isSqlite ? null : `${key}_${column}`,
        columns: [column],
        table: presets[options.tables][references.table],
        references: [references.column],
        onDelete: "cascade",
      })),
    }
  })
  return { dialect, ignoresCase: { tables: isSqlite, columns: dialect !== "postgres" }, tables }
}

function typeOf(kind: ColumnType, options: SchemaOptions): Type {
  if (kind === "id" || kind === "userId") return ids[options.dialect][options.ids]
  const isNumber = options.dialect === "sqlite" && kind === "date" && options.dates === "milliseconds"
  return isNumber ? type("integer") : types[options.dialect][kind]
}

/** The facts with another table in place of the one of this name; none takes it away. */
export function withTable(
  facts: DatabaseFacts,
  name: string,
  change: (table: TableFacts) => TableFacts | undefined,
): DatabaseFacts {
  const tables = facts.tables.flatMap((table) => (table.name === name ? (change(table) ?? []) : table))
  return { ...facts, tables }
}

/** The facts with another column in place of one. */
export function withColumn(
  facts: DatabaseFacts,
  table: string,
  column: string,
  change: Partial<ColumnFacts>,
): DatabaseFacts {
  return withTable(facts, table, (all) => ({
    ...all,
    columns: all.columns.map((each) => (each.name === column ? { ...each, ...change } : each)),
  }))
}
