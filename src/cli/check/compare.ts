/** Compares what is there with what must be there. Pure: facts in, findings out. */
import { presets } from "../../adapters/sql/schema.js"
import { compareColumns } from "./compare-columns.js"
import { compareForeignKeys } from "./compare-foreign-keys.js"
import { compareIndexes } from "./compare-indexes.js"
import type { DatabaseFacts } from "./facts.js"
import type { Finding } from "./finding.js"
import { findColumn, findSimilar, findTable } from "./names.js"
import { listNeeds, type SchemaOptions, type TableNeed } from "./needs.js"
import type { Subject } from "./subject.js"

export function compareSchema(facts: DatabaseFacts, options: SchemaOptions): readonly Finding[] {
  const needs = listNeeds(options, options.dialect === "mysql" ? idTypeOf(facts, options) : undefined)
  return needs.flatMap((need) => {
    const table = findTable(facts, need.name)
    const findings = table ? compareTable({ facts, table, need, needs, options }) : [missingTable(facts, need)]
    return need.isOptional ? findings.map((finding) => ({ ...finding, severity: "advice" as const })) : findings
  })
}

function idTypeOf(facts: DatabaseFacts, { tables }: SchemaOptions): string | undefined {
  const users = findTable(facts, presets[tables].users)
  return users && findColumn(facts, users, "id")?.type
}

function compareTable(subject: Subject): readonly Finding[] {
  return [...compareColumns(subject), ...compareIndexes(subject), ...compareForeignKeys(subject)]
}

const purposes: Readonly<Record<TableNeed["key"], string>> = {
  users: "It keeps the people who sign in.",
  accounts: "It keeps who a person is at each provider.",
  sessions: "It keeps database sessions.",
  verificationTokens: "It keeps the tokens of sign-in links; nothing else needs it.",
  authenticators: "It keeps passkeys; nothing else needs it.",
}

function missingTable(facts: DatabaseFacts, { key, name, create }: TableNeed): Finding {
  const similar = findSimilar(facts.tables, name)
  const hint = similar === undefined ? "" : ` There is ${similar}: the option tables of the adapter can name it.`
  return {
    severity: key === "verificationTokens" ? "advice" : "error",
    kind: "table",
    table: name,
    columns: [],
    what: `the table ${name} is missing`,
    why: purposes[key] + hint,
    fix: create,
  }
}
