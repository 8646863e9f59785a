import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, describe, expect, it } from "@jest/globals"
import { readAddress } from "../../src/cli/check/address.js"

const folder = mkdtempSync(join(tmpdir(), "latchkey-cli-"))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, "my app #1.db")
writeFileSync(file, "")

describe("the address after --check", () => {
  it.each([
    ["postgres://someone@host/app", "postgres", "postgres://someone@host/app"],
    ["postgresql://host:5433/app?sslmode=require", "postgres", "postgresql://host:5433/app?sslmode=require"],
    ["POSTGRES://host/app", "postgres", "POSTGRES://host/app"],
    ["postgres:///app?host=/var/run/postgresql", "postgres", "postgres:///app?host=/var/run/postgresql"],
    ["mysql://someone:p%40ss@host/app", "mysql", "mysql://someone:p%40ss@host/app"],
    ["mariadb://host/app", "mysql", "mysql://host/app"],
  ])("names a server: %s", (text, dialect, url) => {
    expect(readAddress(text, folder)).toEqual({ dialect, url })
  })

  it.each([
    ["my app #1.db"],
    ["./my app #1.db"],
    [file],
    ["sqlite:my app #1.db"],
    [`sqlite:${file}`],
    [`sqlite://${file}`],
    ["file:my app #1.db"],
    ["file:./my app #1.db?mode=rw"],
    [pathToFileURL(file).href],
  ])("names a file: %s", (text) => {
    expect(readAddress(text, folder)).toEqual({ dialect: "sqlite", path: file })
  })

  it.each([
    ["missing.db", "no database file"],
    ["", "is empty"],
    [":memory:", "no database file"],
    ["sqlite:", "no database file"],
    [".", "no database file"],
    ["oracle://host/app", "must begin with"],
    ["someone:hunter2@host/app", "must begin with"],
    ["http://host/app", "must begin with"],
    ["file://other-host/app.db", "no file of this machine"],
    ["mysql://host", "names no database"],
    ["mysql://host/", "names no database"],
    ["postgres://someone:hunter2@ho st/app", "is no URL"],
    // The end of the password would be taken for a host or a path, and shown as such.
    ["postgres://someone:hunter/2@host/app", "is no URL"],
    ["postgres://someone:12/hunter2@host/app", "is no URL"],
    ["postgres://someone:x@hunter2/y@host/app", "is no URL"],
    ["mysql://someone:12#hunter2@host/app", "is no URL"],
    ["mysql://someone:12?hunter2@host/app", "is no URL"],
  ])("is refused without being quoted: %s", (text, message) => {
    expect(() => readAddress(text, folder)).toThrow(message)
    expect(() => readAddress(text, folder)).not.toThrow(/hunter/)
  })
})
