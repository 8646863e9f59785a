/** What the tables and columns of one database are called: a preset, or names of the application's own. */
import { presets, schema, tableKeys, type Preset, type TableDefinition, type TableKey } from "./schema.js"

export interface NameOptions {
  /**
   * A preset, named after the Auth.js adapter that uses these names, or table names of your own; those left out keep the
   * names of `pg`. A name may be qualified: `auth.users`. Default `pg`: `users`, `accounts`, `sessions`,
   * `verification_token`, `authenticators`.
   */
  readonly tables?: Preset | Readonly<Partial<Record<TableKey, string>>> | undefined
  /** Per table, the column that keeps a field, as in `{ users: { emailVerified: "email_verified" } }`. */
  readonly columns?: Readonly<Partial<Record<TableKey, Readonly<Record<string, string>>>>> | undefined
}

/** A table of the schema under its real names. */
export interface NamedTable {
  readonly key: TableKey
  /** May be qualified by the name of a schema: `auth.users`. */
  readonly name: string
  readonly definition: TableDefinition
  /** The column that keeps `field`. Fields that were given no name are called what they are called. */
  readonly columnOf: (field: string) => string
  /** The field that `column` keeps; none when it only has the name of a field that another column keeps. */
  readonly fieldOf: (column: string) => string | undefined
}

/** @throws TypeError for a preset, a table or a column name that there is not. */
export function nameTables(options: NameOptions = {}): Readonly<Record<TableKey, NamedTable>> {
  const names = tableNamesOf(options.tables)
  rejectUnknown("columns", Object.keys(options.columns ?? {}))
  const named = (key: TableKey): NamedTable => {
    const columns = new Map(Object.entries(options.columns?.[key] ?? {}))
    for (const [field, column] of columns) requireName(`columns.${key}.${field}`, column)
    const fields = new Map([...columns].map(([field, column]) => [column, field]))
    const columnOf = (field: string): string => columns.get(field) ?? field
    const fieldOf = (column: string) => fields.get(column) ?? (columns.has(column) ? undefined : column)
    return { key, name: names[key], definition: schema[key], columnOf, fieldOf }
  }
  return {
    users: named("users"),
    accounts: named("accounts"),
    sessions: named("sessions"),
    verificationTokens: named("verificationTokens"),
    authenticators: named("authenticators"),
  }
}

function tableNamesOf(tables: NameOptions["tables"] = "pg"): Readonly<Record<TableKey, string>> {
  if (typeof tables !== "string") {
    rejectUnknown("tables", Object.keys(tables))
    for (const [key, name] of Object.entries(tables)) requireName(`tables.${key}`, name)
    return { ...presets.pg, ...tables }
  }
  if (!Object.hasOwn(presets, tables))
    throw new TypeError(`tables must be one of ${Object.keys(presets).join(", ")} or a map of names, got "${tables}"`)
  return presets[tables]
}

function rejectUnknown(option: string, keys: readonly string[]): void {
  const known: readonly string[] = tableKeys
  const unknown = keys.find((key) => !known.includes(key))
  if (unknown !== undefined)
    throw new TypeError(`${option}.${unknown}: no such table; expected one of ${known.join(", ")}`)
}

function requireName(path: string, name: unknown): void {
  if (typeof name !== "string" || name === "") throw new TypeError(`${path} must be a name, got ${typeof name}`)
}
