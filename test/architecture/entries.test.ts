import { describe, expect, it } from "@jest/globals"
import { aliases, listEntries, manifest, publicEntries, readPaths } from "./manifest.js"
import { listFiles } from "./modules.js"

const sources = listFiles("src")

describe("the entries of package.json", () => {
  it("all lead to a file of src", () => {
    const entries = [...publicEntries, ...listEntries(manifest.imports, sources)]
    expect(entries.length).toBeGreaterThan(5)
    expect(entries.filter(({ source }) => !sources.includes(source))).toEqual([])
  })

  it("name their types and their code alike", () => {
    expect([...aliases].filter(([specifier, targets]) => !specifier.startsWith("#") && targets.length !== 1)).toEqual(
      [],
    )
  })

  it("are what tsconfig.json resolves, so that examples and tests import as applications do", () => {
    const exported = Object.keys(manifest.exports).filter((key) => key !== "./package.json")
    const paths = [...readPaths().keys()].filter((specifier) => !specifier.startsWith("#"))
    const open = exported.filter((key) => manifest.exports[key] !== null)
    expect(paths.sort()).toEqual(open.map((key) => key.replace(/^\./, manifest.name)).sort())
  })

  it("lead where tsconfig.json leads", () => {
    const paths = [...readPaths()].filter(([specifier]) => !specifier.startsWith("#") && !specifier.includes("*"))
    expect(paths.filter(([, targets]) => !sources.includes(targets[0]?.replace("./", "") ?? ""))).toEqual([])
    const differing = paths.filter(
      ([specifier, targets]) => aliases.get(specifier)?.[0] !== targets[0]?.replace("./", ""),
    )
    expect(differing).toEqual([])
  })
})

describe("a provider", () => {
  const providers = publicEntries.filter(({ specifier }) => specifier.startsWith("latchkey/providers/"))

  it.each(providers.map(({ specifier, source }) => [specifier, source] as const))(
    "%s can be imported, and exports its factory alone",
    async (_, source) => {
      const module = (await import(`../../${source}`)) as Readonly<Record<string, unknown>>
      expect(Object.keys(module)).toEqual(["default"])
      expect(module.default).toBeInstanceOf(Function)
    },
  )
})

describe("the reader of entries", () => {
  it("expands a pattern by the files there are, and leaves out what is closed", () => {
    const exports = {
      "./vendors/*": { types: "./dist/vendors/*.d.ts", default: "./dist/vendors/*.js" },
      "./vendors/shared": null,
      "./package.json": "./package.json",
    }
    const files = ["src/vendors/acme.ts", "src/vendors/shared.ts", "src/other.ts"]
    expect(listEntries(exports, files)).toEqual([{ specifier: "latchkey/vendors/acme", source: "src/vendors/acme.ts" }])
  })

  it("keeps every condition's file, whether or not it is there", () => {
    const imports = { "#jwe": { node: "./dist/jwe.node.js", default: "./dist/gone.js" } }
    expect(listEntries(imports, ["src/jwe.node.ts"])).toEqual([
      { specifier: "#jwe", source: "src/jwe.node.ts" },
      { specifier: "#jwe", source: "src/gone.ts" },
    ])
  })
})
