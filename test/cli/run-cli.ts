/** The command line, called as a function. */
import { runCommandLine } from "../../src/cli/run.js"
import type { Finding } from "../../src/cli/check/finding.js"

export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export async function runCli(args: readonly string[], place: { folder?: string; env?: Record<string, string> } = {}) {
  const written = { stdout: "", stderr: "" }
  const exitCode = await runCommandLine(args, {
    stdout: (text) => void (written.stdout += text),
    stderr: (text) => void (written.stderr += text),
    env: place.env ?? {},
    folder: place.folder ?? process.cwd(),
  })
  return { exitCode, ...written } satisfies Outcome
}

export interface Report {
  readonly dialect: string
  readonly tables: string
  readonly ids: string
  readonly dates?: string
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

/** What `--json` tells of a database. */
export async function checkWithJson(url: string, ...options: readonly string[]): Promise<Report & Outcome> {
  const outcome = await runCli(["schema", "--check", url, "--json", ...options])
  if (outcome.stderr !== "") throw new Error(outcome.stderr)
  return { ...(JSON.parse(outcome.stdout) as Report), ...outcome }
}

/** Every kind of id under every preset. */
export const variants = (["text", "uuid", "integer"] as const).flatMap((ids) =>
  (["pg", "kysely", "drizzle", "prisma"] as const).map((tables) => ({ ids, tables })),
)
