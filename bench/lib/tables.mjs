// @ts-check
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url))

/**
 * The SQL that creates Latchkey's tables: under the names that `@auth/pg-adapter` uses too, and with the indexes that its
 * documentation leaves out.
 *
 * @param {"postgres" | "sqlite"} dialect
 */
export function tablesIn(dialect) {
  return execFileSync(process.execPath, [program, "schema", "--dialect", dialect], { encoding: "utf8" })
}
