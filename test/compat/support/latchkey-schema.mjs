/** The tables that `npx latchkey schema` prints. */
import { execFileSync } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"

export function latchkeySchema(dialect) {
  const command = fileURLToPath(new URL("../node_modules/latchkey/dist/cli/main.js", import.meta.url))
  return execFileSync(process.execPath, [command, "schema", "--dialect", dialect], { encoding: "utf8" })
}
