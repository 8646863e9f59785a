import { describe, expect, it } from "@jest/globals"
import { modulesOf } from "./bad-example.js"
import { findCycles, spansFolders } from "./cycles.js"
import { aliases } from "./manifest.js"
import { readSource } from "./modules.js"

const source = readSource(aliases)

describe("imports", () => {
  it("lead nowhere in a circle at run time", () => {
    expect(findCycles(source, ({ isErased }) => !isErased)).toEqual([])
  })

  it("lead from one folder back to it through no other, when those of types count", () => {
    expect(findCycles(source, () => true).filter(spansFolders)).toEqual([])
  })
})

describe("the check of cycles", () => {
  const circle = modulesOf({
    "src/a.ts": 'import { b } from "./b.js"',
    "src/b.ts": 'import { c } from "./c.js"',
    "src/c.ts": 'import { type A } from "./a.js"',
    "src/outside.ts": 'import { a } from "./a.js"',
  })

  it("finds the files that lead back to each other, and only those", () => {
    expect(findCycles(circle, () => true)).toEqual([["src/a.ts", "src/b.ts", "src/c.ts"]])
  })

  it("tells two circles apart, and knows a file that imports itself", () => {
    const texts = { "src/d.ts": 'export * from "./d.js"', "src/e.ts": 'import { d } from "./d.js"' }
    expect(findCycles([...circle, ...modulesOf(texts)], () => true)).toEqual([
      ["src/a.ts", "src/b.ts", "src/c.ts"],
      ["src/d.ts"],
    ])
  })

  it("tells a circle within a folder from one through several", () => {
    expect(spansFolders(["src/a.ts", "src/b.ts"])).toBe(false)
    expect(spansFolders(["src/a.ts", "src/core/b.ts"])).toBe(true)
  })

  it("leaves out what is erased, when asked to", () => {
    const texts = { "src/a.ts": 'import { b } from "./b.js"', "src/b.ts": 'import type { A } from "./a.js"' }
    expect(findCycles(modulesOf(texts), ({ isErased }) => !isErased)).toEqual([])
  })
})
