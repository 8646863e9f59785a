/** All methods of the contract, over a store. */
import type { Adapter } from "../contract.js"
import { accountMethods, createUserWithAccountMethod } from "./accounts.js"
import { authenticatorMethods } from "./authenticators.js"
import { expiredMethods } from "./expired.js"
import type { Database } from "./records.js"
import { sessionReaderMethods } from "./session-reader.js"
import { sessionMethods } from "./sessions.js"
import type { Store } from "./store.js"
import { createTables, type TableOptions } from "./tables.js"
import { userReaderMethods } from "./user-reader.js"
import { userMethods } from "./users.js"
import { verificationTokenMethods } from "./verification-tokens.js"
import { watchStore } from "./watched-store.js"

export function createMethods(store: Store, options: TableOptions): Required<Adapter> {
  const tables = createTables(store, options)
  const database: Database = { store: watchStore(store, tables.forget), tables }
  const users = userMethods(database)
  const accounts = accountMethods(database)
  return {
    ...users,
    ...userReaderMethods(database),
    ...accounts,
    ...createUserWithAccountMethod(database, { createUser: users.createUser, linkAccount: accounts.linkAccount }),
    ...sessionMethods(database),
    ...sessionReaderMethods(database),
    ...verificationTokenMethods(database),
    ...authenticatorMethods(database),
    ...expiredMethods(database),
  }
}
