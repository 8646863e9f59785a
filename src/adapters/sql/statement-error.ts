/** What a driver throws, without the values it was given: tokens and addresses do not belong into a log. */
import { asError } from "../../core/thrown.js"

/** What programs tell errors apart by, in `pg`, `mysql2` and the SQLite drivers; none of it is a value. */
const tellingFields = ["code", "errno", "sqlState", "errcode", "rawCode", "severity", "schema", "table", "column"]
const namingFields = ["constraint", "routine", "syscall", "address", "port"]

/** An error that says what went wrong, and keeps the driver's codes. `parameters` are taken out of its message. */
export function withoutValues(thrown: unknown, parameters: readonly unknown[]): Error {
  const given = asError(thrown)
  const fields = new Map(Object.entries(given))
  const known = [...tellingFields, ...namingFields].filter((field) => fields.has(field))
  const error = new Error(redact(given.message, parameters) || `the database failed: ${String(fields.get("code"))}`)
  return Object.assign(error, Object.fromEntries(known.map((field) => [field, fields.get(field)])))
}

function redact(message: string, parameters: readonly unknown[]): string {
  const values = parameters.filter((value): value is string => typeof value === "string" && value.length >= 4)
  return (
    values
      // Those first that may contain others.
      .toSorted((one, other) => other.length - one.length)
      .reduce((text, value) => text.replaceAll(value, "…"), message)
      // MySQL quotes the values of a key, joined and perhaps cut off.
      .replace(/^Duplicate entry '.*' for key/s, "Duplicate entry for key")
  )
}
