/** A column of a table: how it is selected, compared, written and read. */
import { sql } from "kysely"
import { dateStorageOf, readDate, writeDate, isDateObject, type DateOptions, type DateStorage } from "./dates.js"
import { dialects, type ColumnDescription, type DialectTraits } from "./dialects.js"
import { idKindOf, readId } from "./ids.js"
import type { NamedTable } from "./names.js"
import type { ColumnType, Dialect, IdKind } from "./schema.js"
import type { Sql } from "./store.js"

export interface ColumnOptions extends DateOptions {
  /** How the ids of users are kept. Default: as the type of the column says; text in tables that are created. */
  readonly ids?: IdKind | undefined
}

/** `other`: not of the schema, so the application's own. */
type Kind = ColumnType | "other"

export interface Column {
  /** The field of the record that it keeps. */
  readonly field: string
  readonly name: string
  readonly kind: Kind
  readonly dataType: string
  /** Whether an insertion fails that gives no value for it. */
  readonly isRequired: boolean
  readonly isWritable: boolean
  readonly idKind: IdKind
  readonly dates: DateStorage
  readonly traits: DialectTraits
}

/** `undefined` for a column that has the name of a field which another column was said to keep. */
export function createColumn(
  dialect: Dialect,
  table: NamedTable,
  description: ColumnDescription,
  options: ColumnOptions,
): Column | undefined {
  const { name, type } = description
  const field = table.fieldOf(name)
  if (field === undefined) return undefined
  return {
    field,
    name,
    kind: kindOf(table, field, type),
    dataType: type,
    isRequired: !description.isNullable && !description.hasDefault,
    isWritable: !description.isGenerated,
    idKind: options.ids ?? idKindOf(type),
    dates: dateStorageOf(dialect, type, options),
    traits: dialects[dialect],
  }
}

function kindOf(table: NamedTable, field: string, dataType: string): Kind {
  const definition = table.definition.columns.find(({ name }) => name === field)
  if (definition) return definition.type
  return /^(?:timestamp|timestamptz|datetime)$/.test(dataType) ? "date" : "other"
}

/** The column itself; in a join, of which table. */
export function reference(column: Column, alias?: string): Sql {
  return alias === undefined ? sql.id(column.name) : sql.id(alias, column.name)
}

/** The column in a list of what is selected, under the name of its field or another one. */
export function selection(column: Column, as = column.field, alias?: string): Sql {
  const own = reference(column, alias)
  return sql`${selected(column, own)} as ${sql.id(as)}`
}

/** Drivers round a number above 2^53, or refuse it: a numbered id is read as a text. */
function selected({ kind, idKind, traits, dataType, dates }: Column, own: Sql): Sql {
  if (kind === "date") return traits.selectDate(own, dataType, dates)
  const isId = kind === "id" || kind === "userId"
  return isId && (idKind === "integer" || idKindOf(dataType) === "integer") ? traits.selectNumber(own) : own
}

/** Whether the column has this value. Nothing for a value that no row can have: `null` is the value of none. */
export function matches(column: Column, value: unknown, alias?: string): Sql | undefined {
  const { traits, kind, idKind, dataType } = column
  const own = reference(column, alias)
  if (kind === "id" || kind === "userId") {
    const id = readId(idKind, value)
    return id === undefined ? undefined : traits.equalsId(own, id, idKind, dataType)
  }
  const text = keyText(value)
  if (text === undefined) return undefined
  return isLoose(column) ? sql`${own} = ${text}` : traits.equalsText(own, text, dataType)
}

/** Some drivers end a text at a NUL, and would then find what comes before it. */
function keyText(value: unknown): string | undefined {
  const text = typeof value === "number" || typeof value === "bigint" ? value.toString() : value
  return typeof text === "string" && !text.includes("\0") ? text : undefined
}

/** As `matches`, where `null` stands for an empty column. */
export function matchesOrIsEmpty(column: Column, value: unknown): Sql | undefined {
  return value === null ? sql`${reference(column)} is null` : matches(column, value)
}

/** Addresses were often stored as they were typed: the database's own comparison finds them, and `users.ts` looks again. */
function isLoose({ field, kind }: Column): boolean {
  return field === "email" && kind === "key"
}

/** `undefined`: not to be written. @throws TypeError for a key that no row can have. */
export function encode(column: Column, value: unknown): unknown {
  if (value === undefined || typeof value === "function" || typeof value === "symbol") return undefined
  return value === null ? null : encoders[column.kind](value, column)
}

const encoders: Readonly<Record<Kind, (value: unknown, column: Column) => unknown>> = {
  id: encodeId,
  userId: encodeId,
  key: encodeKey,
  text: encodeText,
  date: encodeDate,
  boolean: encodeBoolean,
  integer: encodeInteger,
  other: encodeOther,
}

function encodeId(value: unknown, { idKind, field }: Column): unknown {
  const id = readId(idKind, value)
  if (id === undefined) throw new TypeError(`${field} is no ${idKind} id`)
  return id
}

function encodeKey(value: unknown, { field }: Column): unknown {
  const key = keyText(value)
  if (key === undefined) throw new TypeError(`${field} must be a text without NUL`)
  return key
}

/** PostgreSQL refuses texts with a NUL, and SQLite's drivers cut them off. */
function encodeText(value: unknown, column: Column): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "") : encodeOther(value, column)
}

function encodeDate(value: unknown, { dates }: Column): unknown {
  return writeDate(dates, value)
}

function encodeBoolean(value: unknown, { traits }: Column): unknown {
  return traits.hasBooleans ? Boolean(value) : Number(Boolean(value))
}

function encodeInteger(value: unknown): unknown {
  const number = Math.trunc(Number(value))
  return Number.isFinite(number) ? number : null
}

function encodeOther(value: unknown, column: Column): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "")
  if (typeof value === "boolean") return encodeBoolean(value, column)
  if (isDateObject(value)) return writeDate(column.dates, value)
  if (typeof value !== "object" || ArrayBuffer.isView(value) || isArrayColumn(column, value)) return value
  return JSON.stringify(value)
}

/** PostgreSQL names the type of a list after that of its elements: `_text`. */
function isArrayColumn({ dataType }: Column, value: unknown): boolean {
  return dataType.startsWith("_") && Array.isArray(value)
}

/** What the column had, as the records of the contract have it. @throws RangeError for an id that was rounded. */
export function decode(kind: Kind, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case "id":
    case "userId":
      return decodeId(value)
    case "date":
      return readDate(value)
    case "boolean":
      return value === true || Number(value) === 1
    case "integer":
      return Number(value)
    case "key":
    case "text":
    case "other":
      return value
  }
}

/** A rounded id may be that of somebody else. */
function decodeId(value: unknown): unknown {
  if (typeof value !== "number") return typeof value === "bigint" ? value.toString() : value
  if (!Number.isSafeInteger(value)) throw new RangeError("an id was read as a number that may have been rounded")
  return value.toString()
}
