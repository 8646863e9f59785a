import { describe, expect, it } from "@jest/globals"
import { modulesOf } from "./bad-example.js"
import { findClimbs, findHomeless, findKindCrossings } from "./floors.js"
import { aliases } from "./manifest.js"
import { parseModule, readSource } from "./modules.js"

const source = readSource(aliases)

describe("the floors of the house", () => {
  it("have a place for every file", () => {
    expect(findHomeless(source)).toEqual([])
  })

  it("are left only downwards by imports, those of types included", () => {
    expect(findClimbs(source)).toEqual([])
  })

  it("keep the kinds of sign-in apart", () => {
    expect(findKindCrossings(source)).toEqual([])
  })
})

describe("the checks of the floors", () => {
  it("find a file without a floor", () => {
    expect(findHomeless(modulesOf({ "src/core/helpers.ts": "" }))).toEqual([
      "src/core/helpers.ts stands on no floor: give it one in test/architecture/floors.ts",
    ])
  })

  it.each([
    ['import { handle } from "../dispatch.js"', "imports src/core/dispatch.ts (floor 8)"],
    ['import type { handle } from "../dispatch.js"', "imports types of src/core/dispatch.ts (floor 8)"],
    ['export { handle } from "../dispatch.js"', "imports src/core/dispatch.ts (floor 8)"],
    ['type Handle = typeof import("../dispatch.js")', "imports types of src/core/dispatch.ts (floor 8)"],
    ['export const load = () => import("../dispatch.js")', "imports src/core/dispatch.ts (floor 8)"],
  ])("find a climb in %s", (text, violation) => {
    expect(findClimbs(modulesOf({ "src/core/http/bad.ts": text }))).toEqual([
      `src/core/http/bad.ts:1 (floor 2) ${violation}`,
    ])
  })

  it("find a climb through the package's own name", () => {
    const climber = parseModule("src/core/http/bad.ts", 'import { ExpressAuth } from "latchkey"', aliases)
    expect(findClimbs([climber])).toEqual(["src/core/http/bad.ts:1 (floor 2) imports src/index.ts (floor 10)"])
  })

  it("let imports go down and sideways", () => {
    const text = 'import "./result.js"\nimport type { User } from "../types.js"'
    expect(findClimbs(modulesOf({ "src/core/http/good.ts": text }))).toEqual([])
  })

  it("find an import from one kind of sign-in into another", () => {
    const texts = { "src/core/sign-in/email/bad.ts": 'import type { Flow } from "../oauth/flow.js"' }
    expect(findKindCrossings(modulesOf(texts))).toEqual([
      "src/core/sign-in/email/bad.ts:1 imports src/core/sign-in/oauth/flow.ts, another kind of sign-in",
    ])
  })
})
