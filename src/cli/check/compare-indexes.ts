/** Compares the keys and indexes of one table: what must be unique, and what must be found fast. */
import type { TableKey } from "../../adapters/sql/schema.js"
import type { IndexFacts } from "./facts.js"
import type { Finding } from "./finding.js"
import { addIndex, changeType } from "./fixes.js"
import { findColumn, isSameSet, isSubset } from "./names.js"
import type { Subject } from "./subject.js"

/** By the columns, joined by commas. */
type Reasons = Readonly<Record<TableKey, Readonly<Record<string, string>>>>

/** What may happen where a key is not unique. */
const uniqueReasons: Reasons = {
  users: {
    id: "Two users could have one id.",
    email: "Two first sign-ins at the same moment can create one person twice.",
  },
  accounts: { "provider,providerAccountId": "Two sign-ins at the same moment can link one account to two users." },
  sessions: { sessionToken: "Nothing keeps two sessions from having one token." },
  verificationTokens: { "identifier,token": "Nothing keeps a token of a sign-in link from being stored twice." },
  authenticators: {
    "userId,credentialID": "Nothing keeps a passkey from being stored twice.",
    credentialID: "Nothing keeps a passkey from being given to two users.",
  },
}

/** What reads a whole table where there is no index. */
const lookupReasons: Reasons = {
  users: { id: "finding a user", email: "finding a user by e-mail" },
  accounts: { "provider,providerAccountId": "every sign-in", userId: "finding or deleting the accounts of a user" },
  sessions: {
    sessionToken: "every request with a session",
    userId: "finding or deleting the sessions of a user",
    expires: "deleting what has expired",
  },
  verificationTokens: {
    "identifier,token": "every use of a sign-in link",
    expires: "deleting what has expired",
  },
  authenticators: { "userId,credentialID": "finding the passkeys of a user", credentialID: "finding a passkey" },
}

export function compareIndexes(subject: Subject): readonly Finding[] {
  const { primaryKey, uniques, indexes } = subject.need.definition
  const keys = [primaryKey, ...uniques]
  return [
    ...keys.filter((columns) => !isKeptUnique(subject, columns)).map((columns) => missingUnique(subject, columns)),
    ...indexes.filter((columns) => !isIndexed(subject, columns)).map((columns) => missingIndex(subject, columns)),
    ...subject.table.indexes.flatMap((index) => tooUnique(subject, index)),
  ]
}

/** A key of fewer columns keeps more apart. */
function isKeptUnique({ facts, table }: Subject, columns: readonly string[]): boolean {
  return table.indexes.some(
    (index) => index.isUnique && index.columns.length > 0 && isSubset(facts, index.columns, columns),
  )
}

/** An index that starts with the columns, in whatever order, finds them. */
function isIndexed({ facts, table }: Subject, columns: readonly string[]): boolean {
  return table.indexes.some((index) => isSameSet(facts, index.columns.slice(0, columns.length), columns))
}

function missingUnique(subject: Subject, columns: readonly string[]): Finding {
  const slow = isIndexed(subject, columns) ? "" : ` ${slowness(subject, columns)}`
  return {
    severity: "advice",
    kind: "unique",
    table: subject.table.name,
    columns,
    what: `${subject.table.name} has no unique constraint on (${columns.join(", ")})`,
    why: (uniqueReasons[subject.need.key][columns.join(",")] ?? "The same row can be stored twice.") + slow,
    fix: indexFix(subject, columns, true),
  }
}

function missingIndex(subject: Subject, columns: readonly string[]): Finding {
  return {
    severity: "advice",
    kind: "index",
    table: subject.table.name,
    columns,
    what: `${subject.table.name} has no index that begins with (${columns.join(", ")})`,
    why: slowness(subject, columns),
    fix: indexFix(subject, columns, false),
  }
}

function slowness({ need }: Subject, columns: readonly string[]): string {
  const reason = lookupReasons[need.key][columns.join(",")] ?? "a lookup"
  return `Without an index, ${reason} reads the whole table.`
}

/** MySQL has no index on a text of any length: such a column needs its proper type first. */
function indexFix(subject: Subject, columns: readonly string[], isUnique: boolean): readonly string[] {
  const { facts, table, need } = subject
  const proper = columns.flatMap((name) => {
    const column = findColumn(facts, table, name)
    const wanted = need.columns.find((each) => each.name === name)
    if (facts.dialect !== "mysql" || !column?.base.endsWith("text") || !wanted) return []
    return changeType(facts.dialect, table.name, column, wanted)
  })
  return [...proper, ...addIndex(facts.dialect, table.name, columns, { isUnique })]
}

/** Keys beyond ours that refuse nothing. */
const harmless: Readonly<Partial<Record<TableKey, readonly (readonly string[])[]>>> = {
  verificationTokens: [["token"]],
}

/** A key that refuses what people do: a second session, a second account, another person of the same name. */
function tooUnique({ facts, table, need }: Subject, { columns, isUnique }: IndexFacts): readonly Finding[] {
  const { primaryKey, uniques } = need.definition
  const fine = [primaryKey, ...uniques, ...(harmless[need.key] ?? [])]
  const ours = need.columns.map(({ name }) => name)
  if (!isUnique || columns.length === 0 || !isSubset(facts, columns, ours)) return []
  if (fine.some((key) => isSubset(facts, key, columns))) return []
  return [
    {
      severity: need.key === "accounts" ? "advice" : "error",
      kind: "too-unique",
      table: table.name,
      columns,
      what: `${table.name} has a unique constraint on (${columns.join(", ")}) alone`,
      why: "Rows that differ elsewhere are refused: a second one with the same value fails.",
      fix: [],
    },
  ]
}
