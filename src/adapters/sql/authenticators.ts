/** Authenticators (passkeys): the contract's methods on them. */
import type { Adapter } from "../contract.js"
import { findRecord, insertRecord, listRecords, updateRecord, type Database } from "./records.js"

type AuthenticatorMethods = Required<
  Pick<
    Adapter,
    "createAuthenticator" | "getAuthenticator" | "listAuthenticatorsByUserId" | "updateAuthenticatorCounter"
  >
>

export function authenticatorMethods(database: Database): AuthenticatorMethods {
  return {
    createAuthenticator: (authenticator) =>
      insertRecord(database, "authenticators", { ...authenticator }, ["credentialID"]),
    getAuthenticator: (credentialID) => findRecord(database, "authenticators", { credentialID }),
    listAuthenticatorsByUserId: (userId) => listRecords(database, "authenticators", { userId }),
    updateAuthenticatorCounter: async (credentialID, counter) => {
      const where = { credentialID }
      const authenticator = await updateRecord(database, "authenticators", { where, changes: { counter } })
      if (!authenticator) throw new Error("updateAuthenticatorCounter: there is no authenticator with this id")
      return authenticator
    },
  }
}
