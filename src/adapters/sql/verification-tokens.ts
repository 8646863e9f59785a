/** Verification tokens: created, and spent once. */
import type { Adapter } from "../contract.js"
import { deleteRecords, insertRecord, type Database } from "./records.js"

type TokenMethods = Required<Pick<Adapter, "createVerificationToken" | "useVerificationToken">>

export function verificationTokenMethods(database: Database): TokenMethods {
  return {
    createVerificationToken: (token) =>
      insertRecord(database, "verificationTokens", { ...token }, ["identifier", "token"]),
    useVerificationToken: async ({ identifier, token }) => {
      const [used] = await deleteRecords(database, "verificationTokens", { identifier, token })
      return used ?? null
    },
  }
}
