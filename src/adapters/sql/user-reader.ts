/** `getUser`: one query, which every request makes whose session is kept elsewhere, as in Redis. */
import { sql } from "kysely"
import type { Adapter, AdapterUser } from "../contract.js"
import { matches } from "./columns.js"
import { readId } from "./ids.js"
import { mapRow, partsOf, readParts, rememberRead, selectPart, type Read } from "./prepared-reads.js"
import type { Database } from "./records.js"
import { columnOf, tableName } from "./statements.js"
import type { Row } from "./store.js"

export function userReaderMethods(database: Database): Required<Pick<Adapter, "getUser">> {
  return { getUser: rememberRead(() => createRead(database)) }
}

/** An id of each kind, to write the statement with. */
const exampleIds = { text: "1", integer: "1", uuid: "00000000-0000-4000-8000-000000000000" } as const

async function createRead({ store, tables }: Database): Promise<Read<AdapterUser>> {
  const users = await tables.get("users")
  const column = columnOf(users, "id")
  const parts = partsOf(users.selected)
  // Every parameter of the statement is the id.
  const statement = store.compile(sql`
    select ${sql.join(parts.map((part) => selectPart(part)))} from ${tableName(users)}
    where ${matches(column, exampleIds[column.idKind])}`)
  const read = store.prepare(statement.sql)
  // The table was found to have what the contract wants.
  const toRecord = (row: Row) => readParts(parts, row) as unknown as AdapterUser
  return (given) => {
    const id = readId(column.idKind, given)
    return id === undefined ? null : mapRow(read(statement.parameters.map(() => id)), toRecord)
  }
}
