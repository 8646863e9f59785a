import { describe, expect, it } from "@jest/globals"
import { manifest } from "../architecture/manifest.js"
import { aliases } from "../architecture/manifest.js"
import { readSource } from "../architecture/modules.js"
import { runCli } from "./run-cli.js"

describe("latchkey", () => {
  it.each([["--help"], ["-h"], ["help"]])("lists its commands with %s", async (...args) => {
    const { exitCode, stdout, stderr } = await runCli(args)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toMatch(/^Usage: latchkey <command>[\s\S]*\n {2}schema /)
  })

  it.each([["--version"], ["-v"]])("tells its version with %s", async (...args) => {
    const { version } = manifest as unknown as { readonly version: string }
    expect(await runCli(args)).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" })
  })

  it.each([[["shema"]], [["toString"]], [["__proto__"]], [[""]], [[]], [["--json"]]])(
    "tells what there is when it is called with %j",
    async (args) => {
      const { exitCode, stdout, stderr } = await runCli(args)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toMatch(/^latchkey: no .*command.*\n\nUsage: latchkey[\s\S]*\n {2}schema /)
    },
  )
})

describe("latchkey schema", () => {
  it("explains itself", async () => {
    const { exitCode, stdout } = await runCli(["schema", "--help"])
    expect(exitCode).toBe(0)
    for (const word of ["--dialect", "--check", "--ids", "--tables", "--dates", "--json", "Exit codes"])
      expect(stdout).toContain(word)
  })

  it.each([
    [[], "expected --dialect or --check"],
    [["--dialect", "oracle"], "--dialect must be one of sqlite, postgres, mysql"],
    [["--dialect", "postgres", "--ids", "cuid"], "--ids must be one of text, uuid, integer"],
    [["--dialect", "postgres", "--tables", "toString"], "--tables must be one of pg, kysely, drizzle, prisma"],
    [["--dialect", "sqlite", "--dates", "seconds"], "--dates must be one of text, milliseconds"],
    [["--dialect", "postgres", "--dates", "text"], "--dates is for sqlite alone"],
    [["--dialect", "sqlite", "--json"], "--json goes with --check"],
    [["--dialect", "sqlite", "--check", "app.db"], "either --dialect or --check"],
    [["--dialect"], "argument missing"],
    [["--check"], "argument missing"],
    [["--chek", "app.db"], "Unknown option '--chek'"],
    [["app.db"], "expected options only"],
  ])("refuses %j, and tells its usage", async (args, message) => {
    const { exitCode, stdout, stderr } = await runCli(["schema", ...args])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain(message)
    expect(stderr).toContain("Usage: latchkey schema")
  })

  const address = "postgres://someone:pa%24s-hunter2@127.0.0.1:1/app"

  it.each([
    [["schema", address]],
    [["schema", "--dialect", address]],
    [["schema", "--dialect", "postgres", "--ids", address]],
    [["schema", "--dialect", "postgres", "--tables", address]],
    [["schema", `--chek=${address}`]],
    [["schema", `--${address}`]],
    [["schema", `-${address}`]],
    [["schema", "--json=" + address]],
    [[address]],
  ])("shows no password of an address in the wrong place: %j", async (args) => {
    const { exitCode, stdout, stderr } = await runCli(args)
    expect(exitCode).toBe(2)
    expect(stdout + stderr).not.toMatch(/hunter2/)
  })

  it("starts fast: it imports no package, and drivers only when one is needed", () => {
    const modules = new Map(readSource(aliases).map((module) => [module.path, module]))
    const reached = new Set(["src/cli/main.ts"])
    // A set that grows while it is walked is walked to its end.
    for (const path of reached)
      for (const { targets, isErased } of modules.get(path)?.imports ?? [])
        if (!isErased) for (const target of targets) reached.add(target)
    const imported = [...reached].flatMap((path) => modules.get(path)?.imports ?? [])
    const packages = imported.filter(({ specifier, targets }) => targets.length === 0 && !specifier.startsWith("node:"))
    expect(reached).toContain("src/cli/check/read-postgres.ts")
    expect(packages.map(({ specifier }) => specifier)).toEqual([])
  })
})
