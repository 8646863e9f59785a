/** Sessions: the contract's methods on them, except the one that every request makes. */
import type { Adapter } from "../contract.js"
import { deleteRecords, insertRecord, listRecords, updateRecord, type Database } from "./records.js"
import { deleteStatement, whereAll } from "./statements.js"

type SessionMethods = Required<
  Pick<Adapter, "createSession" | "updateSession" | "deleteSession" | "listSessionsByUserId" | "deleteSessionsByUserId">
>

export function sessionMethods(database: Database): SessionMethods {
  return {
    createSession: (session) => insertRecord(database, "sessions", { ...session }, ["sessionToken"]),
    updateSession: ({ sessionToken, ...changes }) =>
      updateRecord(database, "sessions", { where: { sessionToken }, changes }),
    deleteSession: async (sessionToken) => {
      const [session] = await deleteRecords(database, "sessions", { sessionToken })
      return session ?? null
    },
    listSessionsByUserId: async (userId) => {
      const sessions = await listRecords(database, "sessions", { userId })
      return sessions.filter(({ expires }) => expires.getTime() > Date.now())
    },
    deleteSessionsByUserId: async (userId) => {
      const table = await database.tables.get("sessions")
      const condition = whereAll(table, { userId })
      if (!condition) return 0
      const { changes } = await database.store.write(deleteStatement(table, condition))
      return changes
    },
  }
}
