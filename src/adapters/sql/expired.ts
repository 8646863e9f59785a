/** `deleteExpired`: a little at a time, so that no table is locked for long and other work comes in between. */
import { setImmediate } from "node:timers/promises"
import { sql } from "kysely"
import type { Adapter } from "../contract.js"
import { reference } from "./columns.js"
import { writeDate } from "./dates.js"
import { dialects } from "./dialects.js"
import type { Database } from "./records.js"
import type { TableKey } from "./schema.js"
import { columnOf, tableName } from "./statements.js"

export function expiredMethods(database: Database): Required<Pick<Adapter, "deleteExpired">> {
  return {
    deleteExpired: async (now = new Date()) => ({
      sessions: await deleteExpired(database, "sessions", now),
      verificationTokens: await deleteExpired(database, "verificationTokens", now),
    }),
  }
}

/** How many there were: none where there is no such table, as with sessions kept elsewhere. */
async function deleteExpired({ store, tables }: Database, key: TableKey, now: Date): Promise<number> {
  const table = await tables.find(key)
  if (!table) return 0
  const expires = columnOf(table, "expires")
  const { isPast, deleteSome, deleteBatch } = dialects[store.dialect]
  const where = isPast(reference(expires), writeDate(expires.dates, now), expires.dates)
  const rowKey = sql.join(table.definition.primaryKey.map((field) => reference(columnOf(table, field))))
  const statement = deleteSome(tableName(table), where, rowKey, deleteBatch)
  let deleted = 0
  for (;;) {
    const { changes } = await store.write(statement)
    deleted += changes
    if (changes < deleteBatch) return deleted
    await setImmediate()
  }
}
