/** `getSessionAndUser`: one query, which every request makes. */
import { sql } from "kysely"
import type { Adapter, AdapterSession, AdapterUser } from "../contract.js"
import { matches, reference } from "./columns.js"
import { mapRow, partsOf, readParts, rememberRead, selectPart, type Read } from "./prepared-reads.js"
import type { Database } from "./records.js"
import { columnOf, tableName } from "./statements.js"
import type { Row } from "./store.js"

interface SessionAndUser {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

export function sessionReaderMethods(database: Database): Required<Pick<Adapter, "getSessionAndUser">> {
  return { getSessionAndUser: rememberRead(() => createRead(database)) }
}

async function createRead({ store, tables }: Database): Promise<Read<SessionAndUser>> {
  const [sessions, users] = await Promise.all([tables.get("sessions"), tables.get("users")])
  const session = partsOf(sessions.selected)
  const user = partsOf(users.selected, session.length)
  const columns = [...session.map((part) => selectPart(part, "s")), ...user.map((part) => selectPart(part, "u"))]
  const owner = sql`${reference(columnOf(users, "id"), "u")} = ${reference(columnOf(sessions, "userId"), "s")}`
  // Every parameter of the statement is the token.
  const statement = store.compile(sql`
    select ${sql.join(columns)} from ${tableName(sessions)} as s inner join ${tableName(users)} as u on ${owner}
    where ${matches(columnOf(sessions, "sessionToken"), "", "s")}`)
  const read = store.prepare(statement.sql)
  // The tables were found to have what the contract wants.
  const toRecord = (row: Row): SessionAndUser => ({
    session: readParts(session, row) as unknown as AdapterSession,
    user: readParts(user, row) as unknown as AdapterUser,
  })
  return (sessionToken) => {
    if (typeof sessionToken !== "string" || sessionToken.includes("\0")) return null
    return mapRow(read(statement.parameters.map(() => sessionToken)), toRecord)
  }
}
