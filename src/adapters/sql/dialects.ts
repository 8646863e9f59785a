/** All that differs between the databases, beside the tables of `ddl.ts`. */
import { createHash } from "node:crypto"
import { sql } from "kysely"
import type { DateStorage } from "./dates.js"
import type { Dialect, IdKind } from "./schema.js"
import type { Sql } from "./store.js"

export interface DialectTraits {
  /** Whether INSERT, UPDATE and DELETE can give back the rows that they wrote. */
  readonly hasReturning: boolean
  /** Whether it takes `true` and `false` for values. */
  readonly hasBooleans: boolean
  /** The columns of a table, as rows of `ColumnDescription`; none where there is no such table. */
  readonly describe: (table: string) => Sql
  /** A column that keeps dates, read so that no setting of the driver changes the moment. */
  readonly selectDate: (column: Sql, dataType: string, storage: DateStorage) => Sql
  /** A column that keeps whole numbers, read as a text. */
  readonly selectNumber: (column: Sql) => Sql
  /** Whether a text is the same to the last bit, found through an index. */
  readonly equalsText: (column: Sql, value: unknown, dataType: string) => Sql
  readonly equalsId: (column: Sql, value: string, kind: IdKind, dataType: string) => Sql
  /** Whether the date in a column is not after `moment`. */
  readonly isPast: (column: Sql, moment: unknown, storage: DateStorage) => Sql
  /** Makes transactions with the same key wait for each other, where they would not anyway and a unique key does not. */
  readonly lock?: (key: string) => Sql
  /** How many rows may be deleted in one go: in SQLite the whole process waits. */
  readonly deleteBatch: number
  /** Deletes some of the rows that fit, at most `limit`; `key` tells rows apart. */
  readonly deleteSome: (table: Sql, where: Sql, key: Sql, limit: number) => Sql
}

/** A column, as the database describes it. SQLite has 0 and 1 for booleans. */
export interface ColumnDescription {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean | number
  readonly hasDefault: boolean | number
  readonly isGenerated: boolean | number
}

const equals = (column: Sql, value: unknown): Sql => sql`${column} = ${value}`
const isNotAfter = (column: Sql, moment: unknown): Sql => sql`${column} <= ${moment}`

/** The condition stands twice: a row that was prolonged after it had been chosen is to stay. */
const deleteByKey = (table: Sql, where: Sql, key: Sql, limit: number): Sql =>
  sql`delete from ${table} where (${key}) in (select ${key} from ${table} where ${where} limit ${sql.lit(limit)}) and ${where}`

/**
 * A function or an operator is named with its schema wherever PostgreSQL would take one for a better match that somebody
 * else has put into a schema of the search path (PostgreSQL, section 10.3).
 */
const postgres: DialectTraits = {
  hasReturning: true,
  hasBooleans: true,
  describe: (table) => sql`
    select a.attname as "name", t.typname as "type", not a.attnotnull as "isNullable",
      a.atthasdef or a.attidentity <> '' as "hasDefault", a.attgenerated <> '' as "isGenerated"
    from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
    where a.attrelid operator(pg_catalog.=) pg_catalog.to_regclass(cast(${nameOf(table)} as pg_catalog.text))
      and a.attnum > 0 and not a.attisdropped
    order by a.attnum`,
  // The driver takes a timestamp without a time zone for local time; those who use this type write UTC.
  selectDate: (column, dataType) => (dataType === "timestamp" ? sql`${column} at time zone 'UTC'` : column),
  selectNumber: (column) => sql`cast(${column} as pg_catalog.text)`,
  // PostgreSQL itself has no operator for this type, and compares it as text.
  equalsText: (column, value, dataType) =>
    dataType === "varchar" ? sql`${column} operator(pg_catalog.=) ${value}` : equals(column, value),
  // Wider than the column may be, so that a number too large for it is not found instead of refused.
  equalsId: (column, value, kind, dataType) =>
    kind === "integer" ? sql`${column} = cast(${value} as bigint)` : postgres.equalsText(column, value, dataType),
  isPast: isNotAfter,
  lock: (key) => sql`select pg_catalog.pg_advisory_xact_lock(cast(${hashOf(key)} as bigint))`,
  deleteBatch: 1000,
  deleteSome: deleteByKey,
}

const quotePart = (part: string): string => `"${part.replaceAll('"', '""')}"`
const nameOf = (table: string): string => table.split(".").map(quotePart).join(".")
const hashOf = (key: string): bigint => createHash("sha256").update(key).digest().readBigInt64BE()

const sqlite: DialectTraits = {
  hasReturning: true,
  hasBooleans: false,
  describe: (table) => sql`
    select name, type, "notnull" = 0 and pk = 0 as isNullable, hidden <> 0 as isGenerated,
      dflt_value is not null or (pk = 1 and lower(type) = 'integer') as hasDefault
    from pragma_table_xinfo(${table.slice(table.lastIndexOf(".") + 1)}) order by cid`,
  selectDate: (column) => column,
  selectNumber: (column) => sql`cast(${column} as text)`,
  equalsText: equals,
  equalsId: equals,
  // SQLite takes any number for less than any text: each kind of date is compared with its like only.
  isPast: (column, moment, storage) =>
    storage === "milliseconds"
      ? sql`${column} <= ${moment} and typeof(${column}) = 'integer'`
      : sql`${column} > '' and ${column} <= ${moment} and replace(${column}, ' ', 'T') <= ${moment}`,
  deleteBatch: 100,
  deleteSome: deleteByKey,
}

const asBytes = (text: unknown): Sql => sql`cast(convert(${text} using utf8mb4) as binary)`

const mysql: DialectTraits = {
  hasReturning: false,
  hasBooleans: true,
  describe: (table) => sql`
    select column_name as name, data_type as type, is_nullable = 'YES' as isNullable,
      column_default is not null or extra like '%auto_increment%' or extra like '%DEFAULT_GENERATED%' as hasDefault,
      extra like '%VIRTUAL GENERATED%' or extra like '%STORED GENERATED%' as isGenerated
    from information_schema.columns
    where table_schema = ${schemaOf(table) ?? sql`database()`} and table_name = ${table.slice(table.lastIndexOf(".") + 1)}
    order by ordinal_position`,
  selectDate: (column, _dataType, storage) => (storage === "utc" ? sql`cast(${column} as char)` : column),
  selectNumber: (column) => sql`cast(${column} as char)`,
  // Most collations take "a" for "A", for "á" and for "a "; the first comparison finds the index, the second is exact.
  equalsText: (column, value) => sql`${column} = ${value} and ${asBytes(column)} = ${asBytes(sql.val(value))}`,
  // A number and a text may be compared as floating-point numbers, which takes neighbours above 2^53 for the same.
  equalsId: (column, value, kind, dataType) =>
    kind === "integer" ? sql`${column} = cast(${value} as signed)` : mysql.equalsText(column, value, dataType),
  isPast: isNotAfter,
  deleteBatch: 1000,
  deleteSome: (table, where, _key, limit) => sql`delete from ${table} where ${where} limit ${sql.lit(limit)}`,
}

function schemaOf(table: string): string | undefined {
  return table.includes(".") ? table.slice(0, table.lastIndexOf(".")) : undefined
}

export const dialects: Readonly<Record<Dialect, DialectTraits>> = { sqlite, postgres, mysql }
