/** `getSessionAndUser`: one query, which every request makes, so all that can be done once is done once. */
import { sql } from "kysely"
import type { Awaitable } from "../../core/types.js"
import type { Adapter, AdapterSession, AdapterUser } from "../contract.js"
import { decode, matches, reference, selection, type Column } from "./columns.js"
import type { Database } from "./records.js"
import { columnOf, tableName } from "./statements.js"
import type { Row } from "./store.js"
import { whenItFails } from "./watched-store.js"

interface SessionAndUser {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

type Reader = (sessionToken: string) => Awaitable<SessionAndUser | null>

/** The first read looks up the tables; those after it answer without a promise where the store does. */
export function sessionReaderMethods(database: Database): Required<Pick<Adapter, "getSessionAndUser">> {
  let known: Reader | undefined
  const readFirst: Reader = async (sessionToken) => {
    known = await createReader(database)
    return known(sessionToken)
  }
  const read: Reader = (sessionToken) => (known ?? readFirst)(sessionToken)
  return {
    getSessionAndUser: (sessionToken) =>
      whenItFails(
        () => read(sessionToken),
        () => (known = undefined),
      ),
  }
}

async function createReader({ store, tables }: Database): Promise<Reader> {
  const [sessions, users] = await Promise.all([tables.get("sessions"), tables.get("users")])
  // Numbers for names: a row may then also be an array, which drivers make faster.
  const session = sessions.selected.map((column, index) => ({ column, at: index }))
  const user = users.selected.map((column, index) => ({ column, at: session.length + index }))
  const columns = [
    ...session.map(({ column, at }) => selection(column, String(at), "s")),
    ...user.map(({ column, at }) => selection(column, String(at), "u")),
  ]
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
    const answer = read(statement.parameters.map(() => sessionToken))
    if (answer === undefined) return null
    return isPromise(answer) ? answer.then((row) => (row === undefined ? null : toRecord(row))) : toRecord(answer)
  }
}

interface Part {
  readonly column: Column
  /** Its place in the row. */
  readonly at: number
}

function readParts(parts: readonly Part[], row: Row): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = {}
  for (const { column, at } of parts) record[column.field] = decode(column.kind, row[at])
  return record
}

function isPromise(answer: Row | PromiseLike<Row | undefined>): answer is PromiseLike<Row | undefined> {
  return typeof answer["then"] === "function"
}
