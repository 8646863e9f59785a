import { describe, expect, it } from "@jest/globals"
import { createStatements } from "../../src/adapters/sql/ddl.js"
import { manifest } from "../architecture/manifest.js"
import { runCli, variants } from "./run-cli.js"

const { version } = manifest as unknown as { readonly version: string }

describe.each(["sqlite", "postgres", "mysql"] as const)("latchkey schema --dialect %s", (dialect) => {
  it.each(variants)("prints what the adapter creates: ids $ids, tables $tables", async ({ ids, tables }) => {
    const { exitCode, stdout, stderr } = await runCli([
      "schema",
      ...["--dialect", dialect],
      ...["--ids", ids],
      ...["--tables", tables],
    ])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    const [heading = "", ...statements] = stdout.split("\n\n")
    expect(heading).toMatch(new RegExp(`^-- Latchkey ${version}, ${dialect}: ids ${ids}, tables ${tables}\\b.*$`))
    const expected = createStatements({ dialect, ids, tables }).map((statement) => `${statement};`)
    expect(statements.join("\n\n")).toBe(`${expected.join("\n\n")}\n`)
  })

  it("has defaults: ids are texts, names those of the pg adapter", async () => {
    const { stdout } = await runCli(["schema", "--dialect", dialect])
    expect(await runCli(["schema", "--dialect", dialect, "--ids", "text", "--tables", "pg"])).toMatchObject({ stdout })
  })
})

describe("latchkey schema --dialect sqlite", () => {
  it("keeps dates as it is told", async () => {
    const { stdout } = await runCli(["schema", "--dialect", "sqlite", "--dates", "milliseconds"])
    expect(stdout).toContain('"expires" integer')
    expect(stdout).toContain("dates milliseconds")
  })
})
