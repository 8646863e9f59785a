/** Records of the contract, found, created, changed and deleted, whatever the database. */
import type {
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  VerificationToken,
} from "../contract.js"
import { decode } from "./columns.js"
import { dialects } from "./dialects.js"
import type { TableKey } from "./schema.js"
import {
  allOf,
  deleteStatement,
  insertStatement,
  selectStatement,
  updateStatement,
  whereAll,
  type Fields,
} from "./statements.js"
import type { Result, Row, Sql, Store } from "./store.js"
import type { Table, Tables } from "./tables.js"

export interface Database {
  readonly store: Store
  readonly tables: Tables
}

export interface RecordTypes {
  users: AdapterUser
  accounts: AdapterAccount
  sessions: AdapterSession
  verificationTokens: VerificationToken
  authenticators: AdapterAuthenticator
}

/** A row, as it was selected, as a record. */
export function readRow<K extends TableKey>(_key: K, table: Table, row: Row): RecordTypes[K] {
  const record: Record<string, unknown> = {}
  for (const { field, kind } of table.selected) record[field] = decode(kind, row[field])
  // The table was found to have what the contract wants.
  return record as unknown as RecordTypes[K]
}

export async function listRecords<K extends TableKey>(
  { store, tables }: Database,
  key: K,
  where: Fields,
): Promise<RecordTypes[K][]> {
  const table = await tables.get(key)
  const condition = whereAll(table, where)
  if (!condition) return []
  const rows = await store.read(selectStatement(table, condition))
  return rows.map((row) => readRow(key, table, row))
}

export async function findRecord<K extends TableKey>(
  database: Database,
  key: K,
  where: Fields,
): Promise<RecordTypes[K] | null> {
  const [record] = await listRecords(database, key, where)
  return record ?? null
}

/** `keyFields` tell the new record from others. */
export async function insertRecord<K extends TableKey>(
  database: Database,
  key: K,
  fields: Fields,
  keyFields: readonly string[],
): Promise<RecordTypes[K]> {
  const table = await database.tables.get(key)
  const result = await database.store.write(insertStatement(table, fields))
  return readInserted(database, key, { table, fields, keyFields, result })
}

interface Inserted {
  readonly table: Table
  readonly fields: Fields
  readonly keyFields: readonly string[]
  readonly result: Result | undefined
}

/** What was inserted, as it is stored: a database may fill in, and round. */
export async function readInserted<K extends TableKey>(
  database: Database,
  key: K,
  { table, fields, keyFields, result }: Inserted,
): Promise<RecordTypes[K]> {
  const [row] = result?.rows ?? []
  if (row) return readRow(key, table, row)
  const where = new Map(keyFields.map((field) => [field, fields[field] ?? result?.insertId]))
  const record = await findRecord(database, key, Object.fromEntries(where))
  if (!record) throw new Error(`Table ${table.name}: a new row could not be read back`)
  return record
}

interface Change {
  readonly where: Fields
  readonly changes: Fields
  /** What must be there as well for anything to change. */
  readonly onlyIf?: ((table: Table) => Sql | undefined) | undefined
}

/** Changes what fits, in one statement. `null` when nothing does. */
export async function updateRecord<K extends TableKey>(
  { store, tables }: Database,
  key: K,
  { where, changes, onlyIf }: Change,
): Promise<RecordTypes[K] | null> {
  const table = await tables.get(key)
  const place = whereAll(table, where)
  const condition = allOf([place, ...(onlyIf ? [onlyIf(table)] : [])])
  if (!place || !condition) return null
  const statement = updateStatement(table, changes, condition)
  const written = statement ? await store.write(statement) : { rows: [], changes: 1 }
  if (written.changes === 0) return null
  const [row] =
    written.rows.length > 0 ? written.rows : await store.read(selectStatement(table, statement ? place : condition))
  return row ? readRow(key, table, row) : null
}

/** Deletes what fits and gives the records that this call, and no other at the same time, deleted. */
export async function deleteRecords<K extends TableKey>(
  database: Database,
  key: K,
  where: Fields,
): Promise<readonly RecordTypes[K][]> {
  const { store, tables } = database
  const table = await tables.get(key)
  const condition = whereAll(table, where)
  if (!condition) return []
  const { rows } = dialects[store.dialect].hasReturning
    ? await store.write(deleteStatement(table, condition))
    : await readAndDelete(store, table, condition)
  return rows.map((row) => readRow(key, table, row))
}

/** Of parallel calls that read the same rows one deletes them: the one that is told that it did. */
async function readAndDelete(store: Store, table: Table, condition: Sql): Promise<Pick<Result, "rows">> {
  const rows = await store.read(selectStatement(table, condition))
  const { changes } = await store.write(deleteStatement(table, condition))
  return { rows: changes > 0 ? rows : [] }
}
