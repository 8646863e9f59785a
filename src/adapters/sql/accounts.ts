/** Accounts: the contract's methods on them, and a user's first account made together with the user. */
import { sql } from "kysely"
import type { Adapter, AdapterUser } from "../contract.js"
import { matchesOrIsEmpty, reference, selection } from "./columns.js"
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
import {
  columnOf,
  deleteStatement,
  insertStatement,
  tableName,
  whereAll,
  withNewId,
  type Fields,
} from "./statements.js"
import type { Result, Sql, Step } from "./store.js"
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
    ...freeSteps(store.dialect, { users, accounts }, account),
    () => insertStatement(users, fields),
    (done) => insertStatement(accounts, { ...account, userId: fields["id"] ?? newIdOf(done.at(-1)) }),
  ])
  const result = results.at(-2)
  return readInserted(database, "users", { table: users, fields, keyFields: ["id"], result })
}

function newIdOf(result: Result | undefined): unknown {
  return result?.rows[0]?.["id"] ?? result?.insertId
}

interface Pair {
  readonly users: Table
  readonly accounts: Table
}

/**
 * The tables of `@auth/pg-adapter` have no unique key: two first sign-ins at once would make two users of one person. Nor
 * have they foreign keys: an account that is left of a user who is gone would keep its person out for good.
 */
function freeSteps(dialect: Dialect, pair: Pair, { provider, providerAccountId }: Fields): readonly Step[] {
  const same = whereAll(pair.accounts, { provider, providerAccountId }, "a")
  const left = whereAll(pair.accounts, { provider, providerAccountId })
  const { lock } = dialects[dialect]
  const lockSteps = lock ? [() => lock(JSON.stringify([provider, providerAccountId]))] : []
  if (!same || !left) return []
  return [
    ...lockSteps,
    () => selectOwners(pair, same),
    (done) => {
      const owners = done.at(-1)?.rows ?? []
      if (owners.some(({ owner }) => owner !== null)) throw new Error("the account is linked already")
      // In MySQL a deletion that finds nothing would keep others from inserting.
      return owners.length > 0 ? deleteStatement(pair.accounts, sql`${left} and ${isOrphan(pair)}`) : undefined
    },
  ]
}

/** For each account that fits, the id of its user as `owner`: `null` where there is no such user. */
function selectOwners({ users, accounts }: Pair, same: Sql): Sql {
  const id = columnOf(users, "id")
  const owner = sql`${reference(id, "u")} = ${reference(columnOf(accounts, "userId"), "a")}`
  return sql`
    select ${selection(id, "owner", "u")} from ${tableName(accounts)} as a left join ${tableName(users)} as u on ${owner}
    where ${same}`
}

/** Looked at again, as somebody may have linked the account meanwhile. */
function isOrphan({ users, accounts }: Pair): Sql {
  const [alias, name] = ["latchkey_user", accounts.name.slice(accounts.name.lastIndexOf(".") + 1)]
  const owner = sql`${reference(columnOf(users, "id"), alias)} = ${reference(columnOf(accounts, "userId"), name)}`
  return sql`not exists (select 1 from ${tableName(users)} as ${sql.id(alias)} where ${owner})`
}
