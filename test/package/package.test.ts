/**
 * The package as applications get it: packed, installed, loaded, compiled against and bundled. Needs the npm
 * registry, and some twenty seconds.
 */
import { readFileSync } from "node:fs"
import { mkdir, rm, writeFile, cp } from "node:fs/promises"
import { join, posix } from "node:path"
import { afterAll, describe, expect, it } from "@jest/globals"
import { build } from "esbuild"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import ts from "typescript"
import { publicEntries } from "../architecture/manifest.js"
import { listFiles, project } from "../architecture/modules.js"
import { compile } from "./compile.js"
import { expectedNames } from "./expected-names.js"
import { installPackage } from "./install.js"
import { run } from "./run.js"

const specifiers = publicEntries.map(({ specifier }) => specifier)

const installed = await installPackage()
afterAll(() => rm(installed.application, { recursive: true, force: true }))

const textOf = (path: string): string => readFileSync(join(installed.root, path), "utf8")
const node = (...parameters: string[]): Promise<string> => run(process.execPath, parameters, installed.application)

/** What an import of one file of the tarball loads at once: its own files, and the packages that are not of Node. */
function loadedWith(first: string): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const files = new Set([first])
  const packages = new Set<string>()
  for (const file of files) {
    for (const [, specifier = ""] of textOf(file).matchAll(/^(?:import|export|\}) ?(?:.*? ?from )?"([^"]+)";$/gm)) {
      if (specifier.startsWith(".")) files.add(posix.join(posix.dirname(file), specifier))
      else if (!/^(?:node:|#)/.test(specifier)) packages.add(specifier)
    }
  }
  return { files: [...files], packages: [...packages].sort() }
}

describe("the tarball", () => {
  it("holds the build, the documents and what every package has, and nothing else", () => {
    const others = installed.files.filter((path) => !/^(?:dist|docs)\//.test(path))
    expect(others).toEqual(["LICENSE", "README.md", "package.json"])
  })

  it("holds a build of the present source: no test, and nothing of a file that is gone", () => {
    const sources = new Set(listFiles("src"))
    const built = installed.files.filter((path) => path.startsWith("dist/"))
    const sourceOf = (path: string): string => path.replace("dist/", "src/").replace(/(?:\.d\.ts|\.js)$/, ".ts")
    const ofOneFile = built.filter((path) => !path.startsWith("dist/shared/"))
    expect(ofOneFile.filter((path) => !sources.has(sourceOf(path)))).toEqual([])
    const text = built.map(textOf).join("\n")
    const shared = built.filter((path) => path.startsWith("dist/shared/")).map((path) => path.replace("dist/", ""))
    expect(shared.filter((path) => !text.includes(path.replace("shared/", "")))).toEqual([])
    expect(installed.files.filter((path) => /(?:\.|\/)(?:test|spec|map)\b/.test(path))).toEqual([])
  })

  it("does not tell on which machine it was made", () => {
    const telling = installed.files.filter(
      (path) => /sourceMappingURL|file:\/\/\//.test(textOf(path)) || textOf(path).includes(project),
    )
    expect(telling).toEqual([])
  })

  it("has a program that runs", async () => {
    const { version } = JSON.parse(textOf("package.json")) as { version: string }
    const latchkey = join("node_modules", ".bin", "latchkey")
    expect(await node(latchkey, "--version")).toContain(version)
    expect(await node(latchkey, "schema", "--dialect", "sqlite")).toMatch(/create table/i)
  })

  it("asks nobody to install ejs", () => {
    const { dependencies, peerDependencies } = JSON.parse(textOf("package.json")) as Record<string, object | undefined>
    expect({ ...dependencies, ...peerDependencies }).not.toHaveProperty("ejs")
    expect(
      installed.files.filter((path) => path.endsWith(".js") && /from "ejs"|import\("ejs"\)/.test(textOf(path))),
    ).toEqual([])
  })

  it("loads with the first sign-in what only a sign-in needs, and itself in a few files", () => {
    const { files, packages } = loadedWith("dist/index.js")
    expect(packages).toEqual(["cookie", "lru-cache"])
    expect(files.length).toBeLessThan(25)
  })

  it("passes publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed.root, pack: false, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })
})

describe("every entry", () => {
  const expected = Object.fromEntries(specifiers.map((specifier) => [specifier, expectedNames(specifier)]))

  it("gives an import what it should, and no more", async () => {
    expect(JSON.parse(await node("import-all.mjs", ...specifiers))).toEqual(expected)
  })

  it("gives require() the same", async () => {
    const required = JSON.parse(await node("require-all.cjs", ...specifiers)) as Record<string, readonly string[]>
    const withoutMark = Object.entries(required).map(([specifier, names]) => [
      specifier,
      names.filter((name) => name !== "__esModule" && name !== "module.exports"),
    ])
    expect(Object.fromEntries(withoutMark)).toEqual(expected)
  })

  it.each(["latchkey/dist/index.js", "latchkey/core/auth", "latchkey/providers/user-info", "latchkey/providers/kinds"])(
    "is all there is: %s cannot be imported",
    async (specifier) => {
      await expect(node("import-all.mjs", specifier)).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED")
    },
  )
})

describe("an application in TypeScript", () => {
  const everyEntry = specifiers.map((specifier, index) => `export * as entry${index} from "${specifier}"`).join("\n")

  async function createApplication(name: string, type: "module" | "commonjs"): Promise<string> {
    const folder = join(installed.application, name)
    await mkdir(folder)
    for (const file of ["app.ts", "types.ts"]) await cp(join(installed.application, file), join(folder, file))
    await writeFile(join(folder, "package.json"), JSON.stringify({ type }))
    await writeFile(join(folder, "every-entry.ts"), everyEntry)
    return folder
  }
  const files = ["app.ts", "types.ts", "every-entry.ts"]

  const answers = [
    {
      path: "/auth/providers",
      status: 200,
      body: {
        github: {
          id: "github",
          name: "GitHub",
          type: "oauth",
          signinUrl: "http://app.test/auth/signin/github",
          callbackUrl: "http://app.test/auth/callback/github",
        },
      },
    },
    { path: "/", status: 200, body: null },
    { path: "/account", status: 401, body: expect.objectContaining({ title: "Unauthorized" }) },
  ]

  /** Node.js without a bundler, with every declaration of ours checked; and what a strict project of a server may set. */
  const settings: Readonly<Record<"module" | "commonjs", ts.CompilerOptions>> = {
    module: { skipLibCheck: false },
    commonjs: { lib: ["lib.es2023.d.ts"], types: ["node"], exactOptionalPropertyTypes: true },
  }

  it.each(["module", "commonjs"] as const)(
    "compiles with declarations and runs, as a package of type %s",
    async (type) => {
      const folder = await createApplication(type, type)
      const problems = compile(folder, files, settings[type])
      const served = await node("visit.mjs", `./${type}/out/app.js`, "/auth/providers", "/", "/account")
      expect({ problems, served: JSON.parse(served) as unknown }).toEqual({ problems: [], served: answers })
    },
    60_000,
  )

  it("compiles the way a bundler resolves", async () => {
    const folder = await createApplication("bundled", "module")
    const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
    expect(compile(folder, files, bundler)).toEqual([])
  }, 60_000)
})

describe("latchkey/core, bundled for an edge", () => {
  it("needs nothing of Node", async () => {
    const { metafile } = await build({
      stdin: {
        contents: 'export * from "latchkey/core"\nexport { decode, encode } from "latchkey/jwt"',
        resolveDir: installed.application,
      },
      outfile: join(installed.application, "edge-bundle.js"),
      bundle: true,
      format: "iife",
      globalName: "latchkey",
      platform: "browser",
      conditions: ["worker"],
      metafile: true,
      logLevel: "silent",
    })
    expect(Object.values(metafile.outputs).flatMap((output) => output.imports)).toEqual([])
    expect(Object.keys(metafile.inputs).filter((path) => path.includes("jwe."))).toEqual([
      expect.stringContaining("jwe.web.js"),
    ])

    expect(JSON.parse(await node("edge.mjs"))).toEqual({ status: 200, user: { name: "Ada" }, name: "Ada" })
  })
})
