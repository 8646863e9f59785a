/** No row is lost: each has tests that bear its name. */
import { describe, expect, it } from "@jest/globals"
import { readFileSync } from "node:fs"
import { rows } from "./rows.js"

const root = new URL("../", import.meta.url)

/** Whether a text of the file, such as a test's title, has the name, and not merely one that goes on after it. */
function bears(source: string, name: string): boolean {
  const exact = `${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`
  return new RegExp(`"[^"\\n]*${exact}[^"\\n]*"`).test(source)
}

describe("every row is shown by a test of its name", () => {
  it.each(rows)("$name: $file", (row) => {
    expect(bears(readFileSync(new URL(row.file, root), "utf8"), row.name)).toBe(true)
  })
})

describe("the table", () => {
  it("has every number of the attacks on callbacks and linking, and of the faults of networks", () => {
    const numbers = (letter: string, from: number, to: number, gaps: readonly number[] = []) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index)
        .filter((number) => !gaps.includes(number))
        .map((number) => `${letter}-${String(number).padStart(letter === "A" ? 3 : 2, "0")}`)
    const wanted = [...numbers("A", 44, 78, [48, 56, 64, 72]), ...numbers("F", 31, 40)]

    const known = new Set(rows.map(({ name }) => name))

    expect(wanted.filter((name) => !known.has(name))).toEqual([])
  })

  it("takes no longer name for a shorter one", () => {
    expect(bears('it("oidcc-client-test-missing-sub", ', "oidcc-client-test")).toBe(false)
    expect(bears('it("oidcc-client-test, with userinfo", ', "oidcc-client-test")).toBe(true)
  })
})
