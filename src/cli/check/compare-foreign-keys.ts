/** Compares the foreign keys of one table: to whom its rows belong, and whether they go with them. */
import type { ForeignKey } from "../../adapters/sql/schema.js"
import type { ForeignKeyFacts } from "./facts.js"
import type { Finding } from "./finding.js"
import { addForeignKey, dropForeignKey, matchType } from "./fixes.js"
import { findColumn, findTable, isSameSet } from "./names.js"
import type { Subject } from "./subject.js"

export function compareForeignKeys(subject: Subject): readonly Finding[] {
  const { facts, table, need } = subject
  return need.definition.foreignKeys.flatMap((key) => {
    const own = table.foreignKeys.filter(({ columns }) => isSameSet(facts, columns, [key.column]))
    const right = own.find((each) => leadsTo(subject, key, each))
    const wrong = own.find((each) => !leadsTo(subject, key, each))
    if (wrong) return [finding(subject, key, "refers to", wrong)]
    if (!right) return [finding(subject, key, "missing")]
    return right.onDelete !== "other" ? [] : [finding(subject, key, "keeps", right)]
  })
}

function leadsTo({ facts, needs }: Subject, { references }: ForeignKey, found: ForeignKeyFacts): boolean {
  const target = needs.find(({ key }) => key === references.table)
  const table = target && findTable(facts, target.name)
  const isTable = table !== undefined && findTable({ ...facts, tables: [table] }, found.table) !== undefined
  return isTable && (found.references.length === 0 || isSameSet(facts, found.references, [references.column]))
}

type Flaw = "missing" | "refers to" | "keeps"

const severities: Readonly<Record<Flaw, Finding["severity"]>> = {
  missing: "advice",
  "refers to": "error",
  keeps: "advice",
}

const reasons: Readonly<Record<Flaw, string>> = {
  missing: "Whatever deletes a user without the adapter leaves their rows behind.",
  "refers to": "The database refuses rows of users who are not there.",
  keeps: "The database refuses to delete a user who has such rows, unless they go first.",
}

function finding(subject: Subject, key: ForeignKey, flaw: Flaw, found?: ForeignKeyFacts): Finding {
  const { facts, table, need, needs } = subject
  const { dialect } = facts
  const target = needs.find((each) => each.key === key.references.table)?.name ?? key.references.table
  const place = `${table.name}.${key.column}`
  const says: Readonly<Record<Flaw, string>> = {
    missing: `${place} has no foreign key to ${target}.${key.references.column}`,
    "refers to": `${place} refers to ${found?.table ?? ""}, expected ${target}.${key.references.column}`,
    keeps: `the foreign key of ${place} does not delete with the user`,
  }
  const own = findColumn(facts, table, key.column)
  const wanted = need.columns.find(({ name }) => name === key.column)
  const add = [
    ...(own && wanted ? matchType(dialect, table.name, own, wanted.sql) : []),
    ...addForeignKey(dialect, table.name, { column: key.column, table: target, to: key.references.column }),
  ]
  return {
    severity: severities[flaw],
    kind: "foreign-key",
    table: table.name,
    columns: [key.column],
    what: says[flaw],
    why: reasons[flaw],
    fix: found ? [...dropForeignKey(dialect, table.name, found), ...add] : add,
  }
}
