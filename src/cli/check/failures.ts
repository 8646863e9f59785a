/** Why a database could not be read, in words. */
import { isError, messageChain } from "../../core/thrown.js"
import { CommandError } from "../command.js"

/** By the codes of Node, PostgreSQL (SQLSTATE), MySQL and SQLite. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers at this host and port",
  ECONNRESET: "the server closed the connection",
  ENOTFOUND: "there is no host of this name",
  EAI_AGAIN: "the name of the host cannot be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "no answer in time",
  "28P01": "the user or the password is refused",
  "28000": "the user is refused",
  "3D000": "there is no database of this name",
  "42501": "the user may not read the catalog",
  "57014": "no answer in time",
  ER_ACCESS_DENIED_ERROR: "the user or the password is refused",
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: "the user is refused",
  ER_DBACCESS_DENIED_ERROR: "the user may not use this database",
  ER_BAD_DB_ERROR: "there is no database of this name",
  ER_CON_COUNT_ERROR: "the server has too many connections",
  PROTOCOL_CONNECTION_LOST: "the server closed the connection",
  PROTOCOL_SEQUENCE_TIMEOUT: "no answer in time",
  SQLITE_NOTADB: "the file is no SQLite database",
  SQLITE_CANTOPEN: "the file cannot be opened",
  SQLITE_BUSY: "another process has locked the file",
}

export function databaseFailure(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown
  const code = codeOf(thrown)
  const known = code === undefined ? undefined : reasons[code]
  const reason = known ?? (isError(thrown) ? messageChain(thrown) : "an unknown error")
  return new CommandError(`the database cannot be read: ${reason}${code === undefined ? "" : ` (${code})`}`)
}

/** `node:sqlite` tells SQLite's own number, others its name. */
const sqliteNumbers: Readonly<Record<number, string>> = { 5: "SQLITE_BUSY", 14: "SQLITE_CANTOPEN", 26: "SQLITE_NOTADB" }

function codeOf(thrown: unknown): string | undefined {
  if (!isError(thrown)) return undefined
  const { code, errcode } = thrown as { readonly code?: unknown; readonly errcode?: unknown }
  if (typeof errcode === "number" && sqliteNumbers[errcode] !== undefined) return sqliteNumbers[errcode]
  return typeof code === "string" ? code : undefined
}
