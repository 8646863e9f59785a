/** The findings of a check, for people and for programs. */
import type { Dialect } from "../../adapters/sql/schema.js"
import { escapeLine, escapeLines } from "../escape.js"
import type { Finding } from "./finding.js"
import type { SchemaOptions } from "./needs.js"
import { presetsLike } from "./recognise.js"

const dialectNames: Readonly<Record<Dialect, string>> = {
  sqlite: "SQLite",
  postgres: "PostgreSQL",
  mysql: "MySQL or MariaDB",
}

export function reportText(options: SchemaOptions, findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error")
  const advice = findings.filter(({ severity }) => severity === "advice")
  const sections = [
    describeOptions(options),
    ...section("Missing or wrong: sign-in will fail", errors, options.dialect),
    ...section("Advice: sign-in works without it", advice, options.dialect),
    summary(errors.length, advice.length),
  ]
  return `${sections.join("\n\n")}\n`
}

/** One object: the options compared with, whether sign-in works, and the findings. Statements are not run, only told. */
export function reportJson(options: SchemaOptions, findings: readonly Finding[]): string {
  const { dialect, tables, ids, dates } = options
  const ok = findings.every(({ severity }) => severity !== "error")
  const own = dialect === "sqlite" ? { dialect, tables, ids, dates } : { dialect, tables, ids }
  return `${escapeLines(JSON.stringify({ ...own, ok, findings }, null, 2))}\n`
}

function describeOptions({ dialect, tables, ids, dates }: SchemaOptions): string {
  const names = presetsLike(tables).join(" or ")
  const kinds = [`tables ${names}`, `ids ${ids}`, ...(dialect === "sqlite" ? [`dates ${dates}`] : [])].join(", ")
  return `${dialectNames[dialect]}, compared with: ${kinds}`
}

function section(title: string, findings: readonly Finding[], dialect: Dialect): readonly string[] {
  if (findings.length === 0) return []
  return [title, ...findings.map((finding) => describeFinding(finding, dialect))]
}

function describeFinding({ kind, what, why, fix }: Finding, dialect: Dialect): string {
  const noStatement = dialect === "sqlite" ? "(no statement of SQLite changes this: create the table anew)" : undefined
  // A statement that creates a table has lines; in another, a line break comes from a name in the database.
  const escape = kind === "table" ? escapeLines : escapeLine
  const lines = fix.length > 0 ? fix.map((statement) => `${escape(statement)};`) : [noStatement ?? ""]
  const indented = lines.filter((line) => line !== "").map((line) => line.replaceAll(/^/gm, "      "))
  return [`  - ${escapeLine(what)}`, `    ${escapeLine(why)}`, ...indented].join("\n")
}

function summary(errors: number, advice: number): string {
  if (errors + advice === 0) return "Nothing is missing."
  const count = `${errors} ${errors === 1 ? "error" : "errors"}, ${advice} ${advice === 1 ? "piece" : "pieces"} of advice`
  return `${count}. Nothing was changed: read the statements before you run them.`
}
