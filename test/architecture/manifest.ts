/** package.json and tsconfig.json, as the checks see them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { listFiles, project, type Aliases } from "./modules.js"

type Target = string | null | { readonly [condition: string]: Target }
type Targets = Readonly<Record<string, Target>>

export interface Manifest {
  readonly name: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Targets
  readonly imports: Targets
  readonly files: readonly string[]
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as Manifest

/** A specifier of the package, and a source file that it leads to. */
export interface Entry {
  readonly specifier: string
  readonly source: string
}

/** Every entry that `targets` opens, patterns expanded by the source files that are there. */
export function listEntries(targets: Targets, sources: readonly string[]): readonly Entry[] {
  const closed = new Set(Object.keys(targets).filter((key) => targets[key] === null))
  return Object.entries(targets).flatMap(([key, target]) =>
    sourcesOf(target)
      .flatMap((source) => expand({ specifier: key, source }, sources))
      .filter(({ specifier }) => !closed.has(specifier))
      .map(({ specifier, source }) => ({ specifier: specifier.replace(/^\./, manifest.name), source })),
  )
}

const sources = listFiles("src")

/** What applications may import, by its full name: `latchkey/providers/github`. */
export const publicEntries = listEntries(manifest.exports, sources)

/** Source files that are run, not imported. */
export const programs: ReadonlySet<string> = new Set(
  Object.values(manifest.bin).map((path) => path.replace("dist/", "src/").replace(/js$/, "ts")),
)

/** Where specifiers of the package itself lead. */
export const aliases: Aliases = groupSources([...publicEntries, ...listEntries(manifest.imports, sources)])

/** `paths` of tsconfig.json: source files by specifier. */
export function readPaths(): ReadonlyMap<string, readonly string[]> {
  const { config } = ts.readConfigFile(join(project, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: { readonly paths: Readonly<Record<string, readonly string[]>> } }
  }
  return new Map(Object.entries(config.compilerOptions.paths))
}

/** The source files of a target: `./dist/core/jwt.js` and its declarations are both made from `src/core/jwt.ts`. */
function sourcesOf(target: Target): readonly string[] {
  if (target === null) return []
  if (typeof target === "object") return [...new Set(Object.values(target).flatMap(sourcesOf))]
  return target.startsWith("./dist/") ? [target.replace("./dist/", "src/").replace(/(?:\.d\.ts|\.js)$/, ".ts")] : []
}

function expand({ specifier, source }: Entry, sources: readonly string[]): readonly Entry[] {
  const [before, after] = source.split("*")
  if (before === undefined || after === undefined) return [{ specifier, source }]
  return sources
    .filter((path) => path.startsWith(before) && path.endsWith(after))
    .map((path) => ({
      specifier: specifier.replace("*", path.slice(before.length, path.length - after.length)),
      source: path,
    }))
}

function groupSources(entries: readonly Entry[]): Aliases {
  const grouped = new Map<string, readonly string[]>()
  for (const { specifier, source } of entries) grouped.set(specifier, [...(grouped.get(specifier) ?? []), source])
  return grouped
}
