import { describe, expect, it } from "@jest/globals"
import { modulesOf } from "./bad-example.js"
import {
  findBarrels,
  findDefaultExports,
  findExportStars,
  findLoadEffects,
  findLongFiles,
  findLongFunctions,
  findModuleState,
  findTopLevelAwaits,
} from "./habits.js"
import { aliases, programs, publicEntries } from "./manifest.js"
import { readSource } from "./modules.js"

const generated = "src/core/pages/compiled-views.ts"
const source = readSource(aliases)
const written = source.filter(({ path }) => path !== generated)

/** Files that may be longer than others, and why. */
const longOnPurpose: Readonly<Record<string, string>> = {
  "src/providers/vk.ts": "one idea, a profile of more than a hundred documented fields",
}

describe("every module", () => {
  it("exports by name", () => {
    expect(findExportStars(source)).toEqual([])
  })

  it("has no default export, unless the contract wants one", () => {
    expect(findDefaultExports(source)).toEqual([])
  })

  it("keeps no state of its own", () => {
    expect(findModuleState(source)).toEqual([])
  })

  it("does nothing when it is loaded, unless it is a program", () => {
    expect(findLoadEffects(source.filter(({ path }) => !programs.has(path)))).toEqual([])
  })

  it("can be loaded with require(): none awaits at module level", () => {
    expect(findTopLevelAwaits(source)).toEqual([])
  })

  it("is imported from its own file, not through a barrel", () => {
    expect(findBarrels(source, new Set(publicEntries.map((entry) => entry.source)))).toEqual([])
  })

  it("has at most 300 lines", () => {
    expect(
      findLongFiles(
        written.filter(({ path }) => !(path in longOnPurpose)),
        300,
      ),
    ).toEqual([])
  })

  it("has functions of at most 60 lines", () => {
    expect(findLongFunctions(written, 60)).toEqual([])
  })

  it("is short when nothing says that it may be long", () => {
    expect(findLongFiles(written, 300).map((violation) => violation.split(" ")[0])).toEqual(Object.keys(longOnPurpose))
  })
})

describe("the checks of habits", () => {
  const inBad = (text: string) => modulesOf({ "src/core/bad.ts": text })

  it.each(['export * from "./a.js"', 'export * as a from "./a.js"'])("find %s", (text) => {
    expect(findExportStars(inBad(text))).toEqual(["src/core/bad.ts:1 exports everything of a module: export by name"])
  })

  it.each(["export default 1", "export default function a() {}", "export { a as default }"])("find %s", (text) => {
    expect(findDefaultExports(inBad(text))).toEqual(["src/core/bad.ts:1 has a default export: export by name"])
  })

  it("let a provider have a default export", () => {
    expect(findDefaultExports(modulesOf({ "src/providers/acme.ts": "export default function Acme() {}" }))).toEqual([])
  })

  it.each(["let count = 0", "export let count = 0", "var count = 0"])("find %s", (text) => {
    expect(findModuleState(inBad(text))).toHaveLength(1)
    expect(findModuleState(inBad(`export function f() { ${text.replace("export ", "")} }`))).toEqual([])
  })

  it.each(["register()", 'import "./a.js"', "if (a) b()", "for (const a of b) a()", "globalThis.a = 1"])(
    "find that %s does something when the module is loaded",
    (text) => {
      expect(findLoadEffects(inBad(text))).toEqual(["src/core/bad.ts:1 does something when the module is loaded"])
      expect(findLoadEffects(inBad(`export function f() {\n${text}\n}`))).toEqual([])
    },
  )

  it.each(["const a = await b()", "for await (const a of b) c(a)", "const a = { b: await c }"])("find %s", (text) => {
    expect(findTopLevelAwaits(inBad(text))).toEqual(["src/core/bad.ts:1 awaits at module level"])
    expect(findTopLevelAwaits(inBad(`export async function f() { ${text} }`))).toEqual([])
  })

  it("find a barrel, by its name or by its content", () => {
    const bad = modulesOf({
      "src/core/http/index.ts": "export const a = 1",
      "src/core/http/all.ts": 'export { a } from "./a.js"\nexport type { B } from "./b.js"',
      "src/core/index.ts": 'export { a } from "./a.js"',
    })
    expect(findBarrels(bad, new Set(["src/core/index.ts"]))).toEqual([
      "src/core/http/index.ts is no entry of the package: import from the file itself",
      "src/core/http/all.ts is no entry of the package: import from the file itself",
    ])
  })

  it("find a file that is too long", () => {
    expect(findLongFiles(inBad("a\n".repeat(4)), 3)).toEqual(["src/core/bad.ts has 4 lines, more than 3"])
    expect(findLongFiles(inBad("a\n".repeat(3)), 3)).toEqual([])
  })

  it("find a function that is too long, blank lines and comments left out", () => {
    const body = "  // why\n\n  a()\n  /* one\n   * two */\n  b()\n"
    expect(findLongFunctions(inBad(`export const f = () => {\n${body}}`), 3)).toEqual([
      "src/core/bad.ts:1 is a function of 4 lines",
    ])
    expect(findLongFunctions(inBad(`export function f() {\n${body}}`), 4)).toEqual([])
  })
})
