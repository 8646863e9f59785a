/** Accounts: the contract's methods on them, and a user's first account made together with the user. */
import type { Adapter, AdapterUser } from "../contract.js"
import {
  deleteRecords,
  findRecord,
  insertRecord,
  listRecords,
  readInserted,
  updateRecord,
  type Database,
} from "./records.js"
import { matchesOrIsEmpty } from "./columns.js"
import { columnOf, insertStatement, withNewId } from "./statements.js"
import type { Result } from "./store.js"

type AccountMethods = Required<
  Pick<Adapter, "linkAccount" | "unlinkAccount" | "getAccount" | "updateAccount" | "listAccountsByUserId">
>

const accountKey = ["provider", "providerAccountId"] as const

export function accountMethods(database: Database): AccountMethods {
  return {
    linkAccount: (account) => insertRecord(database, "accounts", { ...account }, accountKey),
    unlinkAccount: async ({ provider, providerAccountId }) => {
      const [account] = await deleteRecords(database, "accounts", { provider, providerAccountId })
      return account
    },
    getAccount: (providerAccountId, provider) => findRecord(database, "accounts", { provider, providerAccountId }),
    updateAccount: ({ provider, providerAccountId, ...changes }, onlyIf) =>
      updateRecord(database, "accounts", {
        where: { provider, providerAccountId },
        changes,
        onlyIf: onlyIf && ((table) => matchesOrIsEmpty(columnOf(table, "refresh_token"), onlyIf.refresh_token)),
      }),
    listAccountsByUserId: (userId) => listRecords(database, "accounts", { userId }),
  }
}

type Creating = Required<Pick<Adapter, "createUserWithAccount">>

/**
 * Both in one transaction. `own` are the two methods that it stands for: where an application has put others in their
 * place, it leaves the work to them.
 */
export function createUserWithAccountMethod(
  database: Database,
  own: Pick<Adapter, "createUser" | "linkAccount">,
): Creating {
  return {
    async createUserWithAccount(this: Adapter | undefined, user, account) {
      const isOwn = this?.createUser === own.createUser && this?.linkAccount === own.linkAccount
      return isOwn ? createBoth(database, { ...user }, { ...account }) : null
    },
  }
}

async function createBoth(
  database: Database,
  user: Readonly<Record<string, unknown>>,
  account: Readonly<Record<string, unknown>>,
): Promise<AdapterUser> {
  const { store, tables } = database
  const [users, accounts] = await Promise.all([tables.get("users"), tables.get("accounts")])
  const fields = withNewId(users, user)
  const idOf = ([created]: readonly Result[]): unknown => fields["id"] ?? created?.rows[0]?.["id"] ?? created?.insertId
  const [result] = await store.transact([
    () => insertStatement(users, fields),
    (done) => insertStatement(accounts, { ...account, userId: idOf(done) }),
  ])
  return readInserted(database, "users", { table: users, fields, keyFields: ["id"], result })
}
