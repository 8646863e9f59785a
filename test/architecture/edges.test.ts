import { join } from "node:path"
import { describe, expect, it } from "@jest/globals"
import { modulesOf } from "./bad-example.js"
import {
  findForeignPackages,
  findPlatformGlobals,
  findPlatformImports,
  findUndeclaredPackages,
  findUnusedPackages,
} from "./edges.js"
import { aliases, manifest } from "./manifest.js"
import { project, readSource } from "./modules.js"
import { checkAll } from "./type-check.js"

const source = readSource(aliases)
const dependencies = Object.keys(manifest.dependencies)

describe("what belongs to the edge", () => {
  it("is imported at the edge only", () => {
    expect(findPlatformImports(source)).toEqual([])
  })

  it("is not reached through globals either", () => {
    expect(findPlatformGlobals(source)).toEqual([])
  })
})

describe("the core", () => {
  it("passes the type checker where nothing of Node is known, unlike what uses Node", () => {
    const bad = join(project, "src/core/bad.ts")
    const problems = checkAll({
      files: ["src/core/index.ts", "src/core/jwt.ts", "src/adapters/contract.ts"],
      texts: new Map([[bad, 'import "node:crypto"\nexport const bad = process.env']]),
      options: {
        types: [],
        paths: {
          "#fetch": ["./src/core/http/fetch.web.ts"],
          "#hash": ["./src/core/crypto/hash.web.ts"],
          "#jwe": ["./src/core/crypto/jwe.web.ts"],
        },
      },
    })
    expect(problems).toEqual([
      expect.stringMatching(/^src\/core\/bad\.ts:1 TS\d+: .*node:crypto/),
      expect.stringMatching(/^src\/core\/bad\.ts:2 TS\d+: .*process/),
    ])
  }, 60_000)
})

describe("packages", () => {
  it("are imported only where they were meant to be", () => {
    expect(findForeignPackages(source)).toEqual([])
  })

  it("are all named in package.json as dependencies or peers", () => {
    const peers = Object.keys(manifest.peerDependencies ?? {})
    expect(findUndeclaredPackages(source, new Set([...dependencies, ...peers]))).toEqual([])
  })

  it("are all used, if everybody has to install them", () => {
    expect(findUnusedPackages(source, dependencies)).toEqual([])
  })
})

describe("the checks of the edge", () => {
  it.each(["node:crypto", "fs/promises", "express", "ejs"])("find an import of %s in the core", (specifier) => {
    const bad = modulesOf({ "src/core/http/bad.ts": `import type { Any } from "${specifier}"` })
    expect(findPlatformImports(bad)).toEqual([`src/core/http/bad.ts:1 imports "${specifier}"`])
  })

  it.each(["src/express/request.ts", "src/adapters/sql.ts", "src/core/crypto/jwe.node.ts"])(
    "let %s use Node",
    (path) => {
      const good = modulesOf({ [path]: 'import "node:crypto"\nprocess.exit(Buffer.length)' })
      expect([...findPlatformImports(good), ...findPlatformGlobals(good)]).toEqual([])
    },
  )

  it.each(["process.env.AUTH_SECRET", "globalThis.process", "Buffer.from([])", "(x: Buffer) => x", "{ process }"])(
    "find the global in %s",
    (expression) => {
      const bad = modulesOf({ "src/core/http/bad.ts": `export const bad = ${expression}` })
      expect(findPlatformGlobals(bad)).toHaveLength(1)
    },
  )

  it.each(["engine.process", "{ process: 1 }", '"process.env"'])("do not take %s for the global", (expression) => {
    const good = modulesOf({ "src/core/http/good.ts": `// process.env\nexport const good = ${expression}` })
    expect(findPlatformGlobals(good)).toEqual([])
  })

  it("find packages that are foreign to the core and to providers", () => {
    const bad = modulesOf({
      "src/core/http/bad.ts": 'import "jose"\nimport "@scope/left-pad/lib"',
      "src/core/http/fetch.node.ts": 'import "undici"',
      "src/core/http/fetch.web.ts": 'import "undici"',
      "src/providers/bad.ts": 'import "jose"',
    })
    expect(findForeignPackages(bad)).toEqual([
      "src/core/http/bad.ts:2 imports the package @scope/left-pad",
      "src/core/http/fetch.web.ts:1 imports the package undici",
      "src/providers/bad.ts:1 imports the package jose",
    ])
  })

  it("find packages that package.json does not name", () => {
    const bad = modulesOf({ "src/cli/bad.ts": 'import "jose"\nimport { x } from "left-pad/x.js"' })
    expect(findUndeclaredPackages(bad, new Set(["jose"]))).toEqual([
      "src/cli/bad.ts:2 imports left-pad, which is no dependency or peer",
    ])
  })

  it("find packages that nothing imports", () => {
    expect(findUnusedPackages(modulesOf({ "src/a.ts": 'import "jose"' }), ["jose", "left-pad"])).toEqual(["left-pad"])
  })
})
