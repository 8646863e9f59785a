/**
 * Makes the JavaScript of `dist/`: each entry of package.json is one file, and what several of them share is in
 * `dist/shared/`. As one file for each of a hundred modules, Latchkey would take twice as long to import. The declarations
 * beside it are made by the TypeScript compiler.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const project = fileURLToPath(new URL("..", import.meta.url))
const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8"))

/** The files of `dist/` that something in the manifest points to, patterns included: `./dist/providers/*.js`. */
function targetsIn(value) {
  if (typeof value === "string") return value.startsWith("./dist/") || value.startsWith("dist/") ? [value] : []
  return Object.values(value ?? {}).flatMap(targetsIn)
}

function sourcesOf(target) {
  const source = target.replace(/^(?:\.\/)?dist\//, "src/").replace(/\.js$/, ".ts")
  if (!source.includes("*")) return [source]
  const folder = source.slice(0, source.indexOf("*"))
  return readdirSync(join(project, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => folder + entry.name)
}

const { exports, imports, bin } = manifest
const targets = targetsIn([exports, imports, bin]).filter((target) => target.endsWith(".js"))
const entries = [...new Set(targets.flatMap(sourcesOf))]
const missing = entries.filter((entry) => !existsSync(join(project, entry)))
if (missing.length > 0) throw new Error(`package.json points to what has no source: ${missing.join(", ")}`)

await build({
  absWorkingDir: project,
  entryPoints: entries,
  outbase: "src",
  outdir: "dist",
  bundle: true,
  splitting: true,
  chunkNames: "shared/[name]-[hash]",
  format: "esm",
  platform: "neutral",
  target: "es2022",
  packages: "external",
  // They lead to another file on another platform: whoever runs or bundles the package decides.
  external: ["node:*", ...Object.keys(imports)],
  // The paths of tsconfig.json are for our own tools.
  tsconfigRaw: {},
})
