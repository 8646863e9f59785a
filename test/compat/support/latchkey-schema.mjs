/** The tables that `npx latchkey schema` prints. */
import { execFileSync } from "node:child_process"
import process from "node:process"

export function latchkeySchema(dialect) {
  const command = new URL("../node_modules/latchkey/dist/cli/main.js", import.meta.url).pathname
  return execFileSync(process.execPath, [command, "schema", "--dialect", dialect], { encoding: "utf8" })
}
