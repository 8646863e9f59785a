/** `latchkey schema`: prints the SQL that creates the tables, or compares a live database with what the adapter needs. */
import { parseArgs } from "node:util"
import type { Dialect } from "../adapters/sql/schema.js"
import { asError } from "../core/thrown.js"
import { choices, type SchemaChoices } from "./choices.js"
import { exitCodes, usageError, type Command, type Ports } from "./command.js"
import { readVersion } from "./version.js"

const usage = `Usage: latchkey schema --dialect sqlite|postgres|mysql [--ids <kind>] [--tables <names>] [--dates <kind>]
       latchkey schema --check <url> [--ids <kind>] [--tables <names>] [--dates <kind>] [--json]`

const help = `${usage}

Prints the SQL that creates the tables of latchkey/adapters/sql, or compares a live database with what the adapter
needs and names what is missing. Neither loads your configuration, and neither writes to a database.

Options:
  --dialect <name>   sqlite, postgres, or mysql (MariaDB too): print the SQL for it
  --check <url>      postgres://…, mysql://…, sqlite:path, file:path, or the path of a file: compare this database
  --ids <kind>       How ids of users are kept: text, uuid or integer. Default text; with --check, what is found
  --tables <names>   Table names of an Auth.js adapter: pg, kysely, drizzle or prisma. Default pg; with --check, what is found
  --dates <kind>     SQLite only: text or milliseconds. Default text, with drizzle milliseconds; with --check, what is found
  --json             With --check: print the findings as JSON
  -h, --help         This text

Exit codes:
  0   Printed, or nothing is missing that sign-in needs (there may be advice)
  1   Something is missing: sign-in would fail
  2   Wrong call, or the database could not be read`

type Call =
  | { readonly kind: "help" }
  | { readonly kind: "print"; readonly dialect: Dialect; readonly choices: SchemaChoices }
  | { readonly kind: "check"; readonly url: string; readonly choices: SchemaChoices; readonly isJson: boolean }

export const schemaCommand: Command = { help, usage, run }

async function run(args: readonly string[], ports: Ports): Promise<number> {
  const call = readCall(args)
  switch (call.kind) {
    case "help":
      ports.stdout(`${help}\n`)
      return exitCodes.ok
    case "print": {
      const { printSchema } = await import("./print-schema.js")
      ports.stdout(printSchema(call.dialect, call.choices, readVersion()))
      return exitCodes.ok
    }
    case "check": {
      const { checkDatabase } = await import("./check/check.js")
      return await checkDatabase(call, ports)
    }
    default:
      return call satisfies never
  }
}

/** No message quotes a value: it may be an address in the wrong place, and hold a password. */
function readCall(args: readonly string[]): Call {
  const { values, positionals } = parse(args)
  if (values.help) return { kind: "help" }
  if (positionals.length > 0) throw usageError("expected options only; an address follows --check")
  const own = {
    ids: oneOf("ids", values.ids),
    tables: oneOf("tables", values.tables),
    dates: oneOf("dates", values.dates),
  }
  const dialect = oneOf("dialect", values.dialect)
  if (values.check !== undefined && dialect !== undefined)
    throw usageError("expected either --dialect or --check: the address says which dialect it is")
  if (values.check !== undefined) return { kind: "check", url: values.check, choices: own, isJson: values.json }
  if (dialect === undefined) throw usageError("expected --dialect or --check")
  if (values.json) throw usageError("--json goes with --check")
  if (own.dates !== undefined && dialect !== "sqlite") throw usageError("--dates is for sqlite alone")
  return { kind: "print", dialect, choices: own }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dialect: { type: "string" },
        check: { type: "string" },
        ids: { type: "string" },
        tables: { type: "string" },
        dates: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    })
  } catch (thrown) {
    throw usageError(asError(thrown).message)
  }
}

function oneOf<Name extends keyof typeof choices>(
  name: Name,
  value: string | undefined,
): (typeof choices)[Name][number] | undefined {
  if (value === undefined) return undefined
  const known: readonly (typeof choices)[Name][number][] = choices[name]
  const chosen = known.find((each) => each === value)
  if (chosen === undefined) throw usageError(`--${name} must be one of ${known.join(", ")}`)
  return chosen
}
