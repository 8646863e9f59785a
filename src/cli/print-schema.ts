/** The SQL that creates the tables, as text to be piped into `psql`, `mysql` or `sqlite3`. */
import { createStatements } from "../adapters/sql/ddl.js"
import type { Dialect } from "../adapters/sql/schema.js"
import type { SchemaChoices } from "./choices.js"

export function printSchema(dialect: Dialect, choices: SchemaChoices, version: string): string {
  const { ids = "text", tables = "pg", dates } = choices
  const given = [`ids ${ids}`, `tables ${tables}`, ...(dates === undefined ? [] : [`dates ${dates}`])].join(", ")
  const heading = `-- Latchkey ${version}, ${dialect}: ${given}. What exists is left as it is.`
  const statements = createStatements({ dialect, ids, tables, dates }).map((statement) => `${statement};`)
  return `${[heading, ...statements].join("\n\n")}\n`
}
