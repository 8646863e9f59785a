import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@jest/globals"
import { loadDriver } from "../../src/cli/check/drivers.js"
import { runCli } from "./run-cli.js"

const folder = mkdtempSync(join(tmpdir(), "latchkey-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** An application that has a driver of its own installed. */
function makeApplication(name: string, code: string, file = "index.js"): string {
  const application = mkdtempSync(join(folder, "app-"))
  const place = join(application, "node_modules", name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, "package.json"), JSON.stringify({ name, main: "index.js" }))
  writeFileSync(join(place, file), code)
  return application
}

describe("what is asked of a server", () => {
  const pgCode = `
    exports.asked = []
    exports.Client = class {
      on() {}
      async connect() { exports.asked.push("connect") }
      async query(sql) { exports.asked.push(sql); return { rows: [] } }
      async end() { exports.asked.push("end") }
    }`
  const mysqlCode = `
    exports.asked = []
    exports.createConnection = async () => {
      exports.asked.push("connect")
      return {
        on() {},
        async query({ sql }) { exports.asked.push(sql); return [sql.includes("@@") ? [{ folds: 0 }] : []] },
        async end() { exports.asked.push("end") },
      }
    }`

  it.each([
    ["postgres", "pg", "pg", "index.js", pgCode],
    ["mysql", "mysql2", "mysql2/promise", "promise.js", mysqlCode],
  ])("of %s is read in a transaction that cannot write", async (dialect, name, specifier, file, code) => {
    const application = makeApplication(name, code, file)
    const { exitCode } = await runCli(["schema", "--check", `${dialect}://host/app`], { folder: application })
    expect(exitCode).toBe(1)
    const driver = await loadDriver({ specifier, name, purpose: dialect }, application)
    const { asked } = driver as { readonly asked: readonly string[] }
    const [connect, begin, ...rest] = asked
    expect([connect, ...rest.slice(-2)]).toEqual(["connect", "rollback", "end"])
    expect(begin).toMatch(/^(?:begin|start) transaction\b.*\bread only$/)
    expect(rest.length).toBeGreaterThan(5)
    for (const question of rest.slice(0, -2)) expect(question).toMatch(/^\s*select\b/)
  })
})

describe("the driver of a database", () => {
  it("is the application's", async () => {
    const application = makeApplication("pg", "module.exports = { own: true }")
    expect(await loadDriver({ specifier: "pg", name: "pg", purpose: "PostgreSQL" }, application)).toEqual({ own: true })
  })

  it("is ours, where the application has none", async () => {
    const driver = await loadDriver({ specifier: "pg", name: "pg", purpose: "PostgreSQL" }, folder)
    expect(driver).toHaveProperty("Client")
  })

  it("can be installed with the command of the message, where there is none", async () => {
    const driver = { specifier: "no-such-driver/promise", name: "no-such-driver", purpose: "This database" }
    await expect(loadDriver(driver, folder)).rejects.toThrow(
      "This database is read through the package no-such-driver, which is not installed: npm install no-such-driver",
    )
  })

  it("is named when it does not load", async () => {
    const application = makeApplication("pg", `throw new Error("built for another Node")`)
    const { exitCode, stderr } = await runCli(["schema", "--check", "postgres://host/app"], { folder: application })
    expect(exitCode).toBe(2)
    expect(stderr).toBe("latchkey schema: the package pg is installed, but does not load: built for another Node\n")
  })

  const failing = (code: string) =>
    makeApplication(
      "pg",
      `exports.Client = class {
        on() {}
        async connect() {}
        async query() { ${code} }
        async end() { throw new Error("already closed") }
      }`,
    )

  it("never gets a password onto the terminal, whatever its errors quote", async () => {
    const application = failing(`throw new Error("cannot parse postgres://someone:pa%24s@host, pa$s, pgsecret")`)
    const address = "postgres://someone:pa%24s@host/app"
    const place = { folder: application, env: { PGPASSWORD: "pgsecret" } }
    const { exitCode, stdout, stderr } = await runCli(["schema", "--check", address], place)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toBe(
      "latchkey schema: the database cannot be read: cannot parse postgres://someone:***@host, ***, ***\n",
    )
  })

  it.each([
    [`throw Object.assign(new Error("x"), { code: "28P01" })`, "the user or the password is refused (28P01)"],
    [`throw Object.assign(new AggregateError([], ""), { code: "ECONNREFUSED" })`, "nothing answers"],
    [`throw Object.assign(new Error("odd"), { code: "XX000" })`, "odd (XX000)"],
    [`throw "text"`, "an unknown error"],
  ])("fails in words: %s", async (code, message) => {
    const place = { folder: failing(code) }
    const { exitCode, stderr } = await runCli(["schema", "--check", "postgres://host/app"], place)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`the database cannot be read: ${message}`)
  })
})
