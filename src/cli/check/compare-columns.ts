/** Compares the columns of one table: which are there, what they hold, and what they refuse. */
import type { ColumnType, TableKey } from "../../adapters/sql/schema.js"
import { familyOf, judgeType, type Family } from "./column-types.js"
import type { ColumnFacts } from "./facts.js"
import type { Finding, FindingKind } from "./finding.js"
import { addColumn, allowNull, changeType, numberRows } from "./fixes.js"
import { lengthOf } from "./lengths.js"
import { findColumn, findSimilar, isSubset } from "./names.js"
import type { ColumnNeed, TableNeed } from "./needs.js"
import type { Subject } from "./subject.js"

export function compareColumns(subject: Subject): readonly Finding[] {
  const { facts, table, need } = subject
  const known = need.columns.flatMap((column) => {
    const found = findColumn(facts, table, column.name)
    return found ? compareColumn(subject, column, found) : [missingColumn(subject, column)]
  })
  const names = need.columns.map(({ name }) => name)
  const others = table.columns.filter(({ name }) => !isSubset(facts, [name], names))
  return [...known, ...others.flatMap((column) => refusingColumn(subject, column))]
}

function missingColumn({ facts, table, need }: Subject, column: ColumnNeed): Finding {
  const similar = findSimilar(table.columns, column.name)
  const hint = similar === undefined ? "" : ` There is ${similar}: the option columns of the adapter can name it.`
  const isNeeded = !column.isNullable || isLookedUp(need, column.name)
  return {
    severity: isNeeded ? "error" : "advice",
    kind: "column",
    table: table.name,
    columns: [column.name],
    what: `the column ${table.name}.${column.name} is missing`,
    why: (isNeeded ? "The adapter cannot do without it." : "What a sign-in brings for it is not kept.") + hint,
    fix: addColumn(facts.dialect, table.name, column),
  }
}

function isLookedUp({ definition }: TableNeed, column: string): boolean {
  return [definition.primaryKey, ...definition.uniques].some((key) => key.includes(column))
}

type Check = (subject: Subject, need: ColumnNeed, column: ColumnFacts) => readonly Finding[]

const checks: readonly Check[] = [wrongType, tooShort, ignoringCase, refusingNull, unfilledId]

function compareColumn(subject: Subject, need: ColumnNeed, column: ColumnFacts): readonly Finding[] {
  return checks.flatMap((check) => check(subject, need, column))
}

/** What all findings about one column have in common. */
function about({ table }: Subject, column: ColumnFacts, kind: FindingKind) {
  return { kind, table: table.name, columns: [column.name] }
}

function wrongType(subject: Subject, need: ColumnNeed, column: ColumnFacts): readonly Finding[] {
  const { facts, table, options } = subject
  const verdict = judgeType(need, column, options)
  if (!verdict) return []
  return [
    {
      ...about(subject, column, "type"),
      severity: verdict.severity,
      what: `${table.name}.${column.name} is of the type ${column.type || "(none)"}, expected ${need.sql}`,
      why: verdict.why,
      fix: changeType(facts.dialect, table.name, column, need),
    },
  ]
}

const textTypes: readonly ColumnType[] = ["id", "userId", "key", "text"]

function tooShort(subject: Subject, need: ColumnNeed, column: ColumnFacts): readonly Finding[] {
  const { facts, table, options } = subject
  const isText = textTypes.includes(need.type) && familyOf(options.dialect, column.base) === "text"
  const { needs, wants } = lengthOf(subject.need.key, need.name)
  if (!isText || column.maxLength === null || column.maxLength >= wants) return []
  return [
    {
      ...about(subject, column, "length"),
      severity: column.maxLength < needs ? "error" : "advice",
      what: `${table.name}.${column.name} holds ${column.maxLength} characters, expected at least ${wants}`,
      why: "A sign-in that brings a longer value is refused by the database.",
      fix: changeType(facts.dialect, table.name, column, need),
    },
  ]
}

/** Where a value that differs in case is another person's, or another session's. */
const exactColumns: Readonly<Partial<Record<TableKey, Readonly<Record<string, string>>>>> = {
  accounts: {
    providerAccountId:
      "Of two people whose ids at a provider differ in case alone, the second is refused or taken for the first.",
  },
  sessions: { sessionToken: "Session tokens that differ in case alone count as one." },
  authenticators: { credentialID: "Of two passkeys whose ids differ in case alone, the second is refused." },
}

function ignoringCase(subject: Subject, need: ColumnNeed, column: ColumnFacts): readonly Finding[] {
  const { facts, table } = subject
  const why = exactColumns[subject.need.key]?.[need.name]
  if (!column.ignoresCase || why === undefined) return []
  return [
    {
      ...about(subject, column, "case"),
      severity: "advice",
      what: `${table.name}.${column.name} takes upper and lower case for the same`,
      why,
      fix: changeType(facts.dialect, table.name, column, need),
    },
  ]
}

/** What providers often do not tell about a person. An application may insist on it. */
const mayBeRequired: readonly string[] = ["name", "email", "image"]

function refusingNull(subject: Subject, need: ColumnNeed, column: ColumnFacts): readonly Finding[] {
  const { facts, table } = subject
  const isUser = subject.need.key === "users"
  // What an account lacks is left out, so that a default takes its place; what a user lacks is written as NULL.
  if (!need.isNullable || column.isNullable || (column.isFilled && !isUser)) return []
  const isPolicy = isUser && mayBeRequired.includes(need.name)
  return [
    {
      ...about(subject, column, "required"),
      severity: isPolicy ? "advice" : "error",
      what: `${table.name}.${column.name} refuses NULL`,
      why: "A sign-in that brings no value for it is refused by the database.",
      fix: allowNull(facts.dialect, table.name, column),
    },
  ]
}

function unfilledId(subject: Subject, need: ColumnNeed, column: ColumnFacts): readonly Finding[] {
  const { facts, table, options } = subject
  if (need.type !== "id" || options.ids !== "integer" || column.isFilled) return []
  return [
    {
      ...about(subject, column, "unfilled"),
      severity: "error",
      what: `the database does not number ${table.name}.${column.name} by itself`,
      why: "Integer ids are made by the database: a new user would have none.",
      fix: numberRows(facts.dialect, table.name, column),
    },
  ]
}

/** Columns beyond ours that the adapter fills, as an ORM would, and with what. */
const filled: Readonly<Record<string, readonly Family[]>> = {
  id: ["text", "uuid", "flexible"],
  createdAt: ["date", "text", "numeric", "integer", "flexible"],
  updatedAt: ["date", "text", "numeric", "integer", "flexible"],
}

/** A column of the application's own that wants a value. For users, `profile` may bring it. */
function refusingColumn(subject: Subject, column: ColumnFacts): readonly Finding[] {
  const { facts, table, need } = subject
  const family = familyOf(facts.dialect, column.base)
  if (column.isNullable || column.isFilled || filled[column.name]?.includes(family)) return []
  const isNumber = family === "integer" || family === "narrow"
  const isKey = table.indexes.some(({ isUnique, columns }) => isUnique && columns.includes(column.name))
  // A number that is no key, such as an age, is nothing that the database could make up.
  const statements = isNumber && isKey ? numberRows : allowNull
  return [
    {
      ...about(subject, column, "unfilled"),
      severity: need.key === "users" ? "advice" : "error",
      what: `${table.name}.${column.name} wants a value, and the database has no default for it`,
      why:
        need.key === "users"
          ? "A new user is refused unless the provider's profile() brings a value."
          : "Nothing fills it, so that every new row is refused.",
      // A key cannot be NULL.
      fix: isKey && !isNumber ? [] : statements(facts.dialect, table.name, column),
    },
  ]
}
