/** Which types of each database can hold what: from the database's name of a type to a family, from there to a verdict. */
import { idKindOf } from "../../adapters/sql/ids.js"
import type { ColumnType, Dialect } from "../../adapters/sql/schema.js"
import type { ColumnFacts } from "./facts.js"
import type { ColumnNeed, SchemaOptions } from "./needs.js"

/**
 * `integer` has 64 bits, or 32 without a sign; `narrow` is a smaller one. `numeric` and `flexible` are what SQLite calls
 * affinities: they keep whatever they are given, the first one texts that look like numbers as numbers.
 */
export type Family =
  "text" | "enum" | "uuid" | "integer" | "narrow" | "date" | "boolean" | "numeric" | "flexible" | "other"

/** Why a type is not what it should be; nothing where it is. */
export type Verdict = { readonly severity: "error" | "advice"; readonly why: string } | undefined

const postgresFamilies: Readonly<Record<string, Family>> = {
  text: "text",
  varchar: "text",
  bpchar: "text",
  citext: "text",
  enum: "enum",
  uuid: "uuid",
  int8: "integer",
  numeric: "integer",
  int4: "narrow",
  timestamptz: "date",
  // The adapter writes and reads it in UTC.
  timestamp: "date",
  bool: "boolean",
}

const mysqlFamilies: Readonly<Record<string, Family>> = {
  char: "text",
  varchar: "text",
  tinytext: "text",
  text: "text",
  mediumtext: "text",
  longtext: "text",
  enum: "enum",
  uuid: "uuid",
  bigint: "integer",
  "int unsigned": "integer",
  decimal: "integer",
  int: "narrow",
  tinyint: "boolean",
  datetime: "date",
  timestamp: "date",
}

/** SQLite goes by parts of the declared type, in this order (https://www.sqlite.org/datatype3.html, section 3.1). */
const sqliteAffinities: readonly (readonly [RegExp, Family])[] = [
  [/int/, "integer"],
  [/char|clob|text/, "text"],
  [/blob|^$/, "flexible"],
  [/real|floa|doub/, "other"],
  [/^/, "numeric"],
]

export function familyOf(dialect: Dialect, base: string): Family {
  switch (dialect) {
    case "postgres":
      return postgresFamilies[base] ?? "other"
    case "mysql":
      return mysqlFamilies[base] ?? "other"
    case "sqlite":
      return sqliteAffinities.find(([pattern]) => pattern.test(base))?.[1] ?? "other"
    default:
      return dialect satisfies never
  }
}

type Kind = Exclude<ColumnType, "id" | "userId"> | "text id" | "uuid id" | "integer id" | "text date" | "number date"

const fits: Readonly<Record<Kind, readonly Family[]>> = {
  key: ["text", "flexible"],
  text: ["text", "flexible"],
  date: ["date"],
  "text date": ["text", "numeric", "flexible"],
  "number date": ["integer", "numeric", "flexible"],
  boolean: ["boolean", "numeric", "flexible"],
  integer: ["integer", "numeric", "flexible"],
  "text id": ["text", "flexible"],
  "uuid id": ["uuid"],
  "integer id": ["integer", "narrow"],
}

/** Families that hold the usual, and why they are no good choice. */
const doubtful: Readonly<Partial<Record<Kind, Readonly<Partial<Record<Family, string>>>>>> = {
  key: {
    uuid: "It refuses a value that is no UUID with an error, so that what should be unknown becomes a failure.",
    enum: "It refuses a value that is not listed.",
  },
  text: { enum: "It refuses a value that is not listed." },
  integer: { narrow: "It ends at 2147483647; as a moment in seconds, that is January 2038." },
}

export function judgeType(need: ColumnNeed, column: ColumnFacts, options: SchemaOptions): Verdict {
  const family = familyOf(options.dialect, column.base)
  const kind = kindOf(need.type, options)
  const allowed = [...fits[kind], ...alsoFits(kind, options.dialect)]
  if (allowed.includes(family)) return undefined
  const doubt = doubtful[kind]?.[family]
  if (doubt !== undefined) return { severity: "advice", why: doubt }
  return { severity: "error", why: `It cannot hold ${meanings[kind]}.${idHint(need, column)}` }
}

/** Which kind of ids the column was made for. */
function idHint({ type }: ColumnNeed, { base }: ColumnFacts): string {
  return type === "id" ? ` The option ids: "${idKindOf(base)}" may fit it.` : ""
}

const meanings: Readonly<Record<Kind, string>> = {
  key: "every text",
  text: "every text",
  date: "a moment in time",
  "text date": "a moment as ISO 8601 text",
  "number date": "a moment as milliseconds",
  boolean: "true and false",
  integer: "a whole number of 64 bits",
  "text id": "ids of the kind text",
  "uuid id": "ids of the kind uuid",
  "integer id": "ids of the kind integer",
}

function kindOf(type: ColumnType, { dialect, ids, dates }: SchemaOptions): Kind {
  if (type === "id" || type === "userId") return `${ids} id`
  if (type !== "date" || dialect !== "sqlite") return type
  return dates === "text" ? "text date" : "number date"
}

/** Only PostgreSQL has UUIDs of its own in every version; elsewhere they may be texts. Booleans may be small integers. */
function alsoFits(kind: Kind, dialect: Dialect): readonly Family[] {
  if (kind === "uuid id" && dialect !== "postgres") return ["text", "flexible"]
  if (kind === "text id" && dialect === "mysql") return ["uuid"]
  if (kind === "boolean" && dialect !== "postgres") return ["integer", "narrow"]
  return []
}
