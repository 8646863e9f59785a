/** Accounts: the contract's methods on them, and a user's first account made together with the user. */
import type { Adapter, AdapterUser } from "../contract.js"
import { matchesOrIsEmpty } from "./columns.js"
import { dialects } from "./dialects.js"
import {
  deleteRecords,
  findRecord,
  insertRecord,
  listRecords,
  readInserted,
  updateRecord,
  type Database,
} from "./records.js"
import type { Dialect } from "./schema.js"
import { columnOf, insertStatement, selectStatement, whereAll, withNewId, type Fields } from "./statements.js"
import type { Result, Step } from "./store.js"
import type { Table } from "./tables.js"

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

async function createBoth(database: Database, user: Fields, account: Fields): Promise<AdapterUser> {
  const { store, tables } = database
  const [users, accounts] = await Promise.all([tables.get("users"), tables.get("accounts")])
  const fields = withNewId(users, user)
  const results = await store.transact([
    ...findSteps(store.dialect, accounts, account),
    (done) => {
      if ((done.at(-1)?.rows ?? []).length > 0) throw new Error("the account is linked already")
      return insertStatement(users, fields)
    },
    (done) => insertStatement(accounts, { ...account, userId: fields["id"] ?? newIdOf(done.at(-1)) }),
  ])
  const result = results.at(-2)
  return readInserted(database, "users", { table: users, fields, keyFields: ["id"], result })
}

function newIdOf(result: Result | undefined): unknown {
  return result?.rows[0]?.["id"] ?? result?.insertId
}

/** The tables of `@auth/pg-adapter` have no unique key: two first sign-ins at once would make two users of one person. */
function findSteps(dialect: Dialect, accounts: Table, { provider, providerAccountId }: Fields): readonly Step[] {
  const same = whereAll(accounts, { provider, providerAccountId })
  const { lock } = dialects[dialect]
  const lockSteps = lock ? [() => lock(JSON.stringify([provider, providerAccountId]))] : []
  return same ? [...lockSteps, () => selectStatement(accounts, same)] : []
}
