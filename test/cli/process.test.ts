/** The command line as a process of its own, in the folder of an application. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "@jest/globals"
import Database from "libsql"
import { project } from "../architecture/modules.js"
import type { Outcome } from "./run-cli.js"

const folder = mkdtempSync(join(tmpdir(), "latchkey-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
const main = join(project, "src/cli/main.ts")

function latchkey(...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--no-warnings", "--import", tsx, main, ...args],
      { cwd: folder },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

// Whatever a command line may take for the configuration of an application tells when it is loaded.
const configuration = `import { writeFileSync } from "node:fs"; writeFileSync("loaded", ""); throw new Error("loaded")`
const names = ["auth", "auth.config", "latchkey", "latchkey.config", "index", "app", "server"]
for (const name of names)
  for (const ending of ["js", "mjs", "ts"]) writeFileSync(join(folder, `${name}.${ending}`), configuration)
writeFileSync(join(folder, ".env"), "DATABASE_URL=postgres://127.0.0.1:1/none")
writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", main: "index.js", latchkey: "./auth.js" }))

describe("npx latchkey", () => {
  it("prints a schema, checks a file with it, and never loads what the application is configured with", async () => {
    const before = readdirSync(folder)
    const printed = await latchkey("schema", "--dialect", "sqlite")
    expect(printed).toMatchObject({ exitCode: 0, stderr: "" })
    expect(readdirSync(folder)).toEqual(before)

    const database = new Database(join(folder, "app.db"))
    database.exec(printed.stdout)
    database.close()
    const checked = await latchkey("schema", "--check", "app.db")
    expect(checked).toMatchObject({ exitCode: 0, stderr: "" })
    expect(checked.stdout).toContain("Nothing is missing.")
    expect(readdirSync(folder)).toEqual([...before, "app.db"].sort())
    expect(existsSync(join(folder, "loaded"))).toBe(false)
  }, 30_000)

  it("tells by its exit code that something is missing", async () => {
    new Database(join(folder, "empty.db")).exec("create table posts (id)")
    expect(await latchkey("schema", "--check", "empty.db")).toMatchObject({ exitCode: 1, stderr: "" })
  }, 30_000)

  it("tells by its exit code that it was called wrongly", async () => {
    expect(await latchkey("scheme")).toMatchObject({ exitCode: 2, stdout: "" })
  }, 30_000)

  it("tells that nothing answers, and forgets the password", async () => {
    const outcome = await latchkey("schema", "--check", "postgres://someone:hunter2@127.0.0.1:1/app")
    expect(outcome).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "latchkey schema: the database cannot be read: nothing answers at this host and port (ECONNREFUSED)\n",
    })
  }, 30_000)
})
