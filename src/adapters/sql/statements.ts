/** The statements that the adapter is made of, each on one table. */
import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import { encode, matches, reference, selection, type Column } from "./columns.js"
import { newId } from "./ids.js"
import type { Sql } from "./store.js"
import type { Table } from "./tables.js"

/** Fields and their values, as the contract has them. */
export type Fields = Readonly<Record<string, unknown>>

export function tableName(table: Pick<Table, "name">): Sql {
  return sql.id(...table.name.split("."))
}

/** @throws Error when the table keeps no such field. */
export function columnOf(table: Table, field: string): Column {
  const column = table.byField.get(field)
  if (!column) throw new Error(`Table ${table.name}: no column keeps ${field}`)
  return column
}

/** Whether all of the fields have these values. Nothing when one is a value that no row can have. */
export function whereAll(table: Table, fields: Fields, alias?: string): Sql | undefined {
  return allOf(Object.entries(fields).map(([field, value]) => matches(columnOf(table, field), value, alias)))
}

/** Every condition at once; nothing when one of them cannot be met. */
export function allOf(conditions: readonly (Sql | undefined)[]): Sql | undefined {
  return conditions.includes(undefined) ? undefined : sql.join(conditions, sql` and `)
}

export function selectStatement(table: Table, where: Sql): Sql {
  return sql`select ${selectionOf(table)} from ${tableName(table)} where ${where}`
}

function selectionOf({ selected }: Table): Sql {
  return sql.join(selected.map((column) => selection(column)))
}

/** Fields that the table does not keep are left out, and so are those that are `undefined`. */
export function insertStatement(table: Table, fields: Fields): Sql {
  const values = valuesToInsert(table, fields)
  const columns = sql.join(values.map(([column]) => reference(column)))
  const list = sql.join(values.map(([, value]) => value))
  return sql`insert into ${tableName(table)} (${columns}) values (${list})${returning(table)}`
}

/** Nothing when there is nothing to change. */
export function updateStatement(table: Table, changes: Fields, where: Sql): Sql | undefined {
  const values = valuesToWrite(table, changes)
  if (values.length === 0) return undefined
  const touched = isFilledIn(table.byField.get("updatedAt")) && !("updatedAt" in changes) ? [touch(table)] : []
  const assignments = [...values, ...touched].map(([column, value]) => sql`${reference(column)} = ${value}`)
  return sql`update ${tableName(table)} set ${sql.join(assignments)} where ${where}${returning(table)}`
}

function touch(table: Table): readonly [Column, unknown] {
  const column = columnOf(table, "updatedAt")
  return [column, encode(column, new Date())]
}

export function deleteStatement(table: Table, where: Sql): Sql {
  return sql`delete from ${tableName(table)} where ${where}${returning(table)}`
}

function returning(table: Table): Sql {
  const [column] = table.columns
  return column && column.traits.hasReturning ? sql` returning ${selectionOf(table)}` : sql``
}

type Values = readonly (readonly [Column, unknown])[]

function valuesToWrite(table: Table, fields: Fields): Values {
  return table.columns.flatMap((column) => {
    if (!column.isWritable || !Object.hasOwn(fields, column.field)) return []
    const value = encode(column, fields[column.field])
    return value === undefined ? [] : [[column, value] as const]
  })
}

function valuesToInsert(table: Table, fields: Fields): Values {
  const given = valuesToWrite(table, fields)
  const missing = table.columns.filter((column) => !given.some(([each]) => each === column) && isFilledIn(column))
  return [...given, ...missing.map((column) => [column, encode(column, fillers[column.field]?.())] as const)]
}

/** What an ORM would fill in where the database does not, as Prisma does. */
const fillers: Readonly<Record<string, () => unknown>> = {
  id: randomUUID,
  createdAt: () => new Date(),
  updatedAt: () => new Date(),
}

function isFilledIn(column: Column | undefined): boolean {
  return column !== undefined && column.isRequired && Object.hasOwn(fillers, column.field)
}

/** A new user with the id that they will have, or without one where the database counts. */
export function withNewId(table: Table, user: Fields): Fields {
  const { id, ...rest } = user
  const own = newId(columnOf(table, "id").idKind, id)
  return own === undefined ? rest : { ...rest, id: own }
}
