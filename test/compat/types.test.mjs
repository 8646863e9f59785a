/** Applications in TypeScript that were written for Auth.js compile against Latchkey. Uses the compiler of the root. */
import assert from "node:assert/strict"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it } from "node:test"
import { fileURLToPath } from "node:url"
import ts from "typescript"
import { moduleNames } from "./support/published-providers.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const snippets = readdirSync(join(here, "types")).filter((file) => file.endsWith(".ts"))
const providersOf = (call) =>
  moduleNames
    .map(
      (name) => `
import { ExpressAuth } from "auth-package"
import factory from "@auth/core/providers/${name}"
export default ExpressAuth({ providers: [${call}] })`,
    )
    .map((text, index) => [moduleNames[index], text])

/** Files that are made up here, by their name. */
const generated = new Map([
  ...providersOf("factory").map(([name, text]) => [`bare ${name}`, text]),
  ...providersOf("factory({} as never)").map(([name, text]) => [`called ${name}`, text]),
])

/** What the compiler says of every file, when `auth-package` is the package whose types are at `types`. */
function compile(types) {
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    typeRoots: [join(here, "..", "..", "node_modules", "@types")],
    paths: { "auth-package": [join(here, "node_modules", types)] },
  }
  const host = ts.createCompilerHost(options)
  const pathOf = (name) => join(here, "types", `${name.replaceAll(" ", "-")}.generated.ts`)
  const texts = new Map([...generated].map(([name, text]) => [pathOf(name), text]))
  const { fileExists, readFile } = host
  host.fileExists = (path) => texts.has(path) || fileExists.call(host, path)
  host.readFile = (path) => texts.get(path) ?? readFile.call(host, path)
  const program = ts.createProgram(
    [...snippets.map((file) => join(here, "types", file)), ...texts.keys()],
    options,
    host,
  )
  const problemsIn = (path) => {
    const file = program.getSourceFile(path)
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
    return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
  }
  return {
    snippet: (file) => problemsIn(join(here, "types", file)),
    generated: (name) => problemsIn(pathOf(name)),
  }
}

const authJs = compile("@auth/express/index.d.ts")
const latchkey = compile("latchkey/dist/index.d.ts")

describe("An application in TypeScript", () => {
  for (const file of snippets) {
    it(`compiles as with Auth.js: ${file}`, () => {
      assert.deepEqual(authJs.snippet(file), [])
      assert.deepEqual(latchkey.snippet(file), [])
    })
  }
})

describe("The types of published providers", () => {
  for (const name of generated.keys()) {
    it(`fit: ${name}`, () => {
      // The bare factories of some are refused by the types of Auth.js itself.
      if (authJs.generated(name).length === 0) assert.deepEqual(latchkey.generated(name), [])
    })
  }
})
