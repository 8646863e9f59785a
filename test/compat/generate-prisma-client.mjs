/** Generates the Prisma client of `support/prisma-schema.prisma` into `node_modules`. Needs no network. */
import { execFileSync } from "node:child_process"
import { dirname, join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const prisma = join(here, "node_modules", "prisma", "build", "index.js")
// Prisma would download an engine that only migrations use.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: "/bin/true", CHECKPOINT_DISABLE: "1" }

try {
  execFileSync(process.execPath, [prisma, "generate", "--schema", "support/prisma-schema.prisma"], {
    cwd: here,
    env,
    encoding: "utf8",
    stdio: "pipe",
  })
} catch (error) {
  throw new Error(`prisma generate failed:\n${error.stdout}${error.stderr}`)
}
