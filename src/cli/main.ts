#!/usr/bin/env node
/** `npx latchkey`: the command line in this process. */
import { runCommandLine } from "./run.js"

void runCommandLine(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  env: process.env,
  folder: process.cwd(),
}).then((exitCode) => {
  // Not process.exit(): what was written to a pipe may still be on its way.
  process.exitCode = exitCode
})
