/** Users: the contract's methods on them. */
import { sql } from "kysely"
import type { Adapter, AdapterUser } from "../contract.js"
import { matches, reference, selection } from "./columns.js"
import { findRecord, insertRecord, listRecords, readRow, updateRecord, type Database } from "./records.js"
import type { TableKey } from "./schema.js"
import { allOf, columnOf, deleteStatement, tableName, whereAll, withNewId } from "./statements.js"
import type { Step } from "./store.js"

type UserMethods = Required<
  Pick<Adapter, "createUser" | "getUserByEmail" | "getUserByAccount" | "updateUser" | "deleteUser">
>

export function userMethods(database: Database): UserMethods {
  return {
    createUser: async (user) => {
      const table = await database.tables.get("users")
      return insertRecord(database, "users", withNewId(table, { ...user }), ["id"])
    },
    getUserByEmail: async (email) => pickByEmail(await listRecords(database, "users", { email }), email),
    getUserByAccount: ({ provider, providerAccountId }) => findByAccount(database, { provider, providerAccountId }),
    updateUser: async ({ id, ...changes }) => {
      const user = await updateRecord(database, "users", { where: { id }, changes })
      if (!user) throw new Error("updateUser: there is no user with this id")
      return user
    },
    deleteUser: (id) => deleteUser(database, id),
  }
}

/** Databases may take other addresses for the same: what differs by more than the case of Latin letters is another one. */
function pickByEmail(users: readonly AdapterUser[], email: string): AdapterUser | null {
  const exact = users.find((user) => user.email === email)
  return exact ?? users.find((user) => lowerLatin(user.email) === lowerLatin(email)) ?? null
}

function lowerLatin(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

async function findByAccount({ store, tables }: Database, account: Record<"provider" | "providerAccountId", string>) {
  const [users, accounts] = await Promise.all([tables.get("users"), tables.get("accounts")])
  const conditions = (["provider", "providerAccountId"] as const).map((field) =>
    matches(columnOf(accounts, field), account[field], "a"),
  )
  const condition = allOf(conditions)
  if (!condition) return null
  const columns = sql.join(users.selected.map((column) => selection(column, column.field, "u")))
  const owner = sql`${reference(columnOf(users, "id"), "u")} = ${reference(columnOf(accounts, "userId"), "a")}`
  const [row] = await store.read(sql`
    select ${columns} from ${tableName(accounts)} as a inner join ${tableName(users)} as u on ${owner}
    where ${condition}`)
  return row ? readRow("users", users, row) : null
}

/** Existing databases may lack the foreign keys that would do this, or tables that were never needed. */
const owned: readonly TableKey[] = ["accounts", "sessions", "authenticators"]

async function deleteUser(database: Database, id: string): Promise<AdapterUser | null> {
  const { store, tables } = database
  const [users, ...others] = await Promise.all([tables.get("users"), ...owned.map((key) => tables.find(key))])
  const user = await findRecord(database, "users", { id })
  const where = whereAll(users, { id })
  if (!user || !where) return null
  const steps = others.flatMap((table): Step[] => {
    const own = table && whereAll(table, { userId: id })
    return own ? [() => deleteStatement(table, own)] : []
  })
  await store.transact([...steps, () => deleteStatement(users, where)])
  return user
}
