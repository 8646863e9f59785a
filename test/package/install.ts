/** The package as applications get it: built, packed, and installed into an empty folder. */
import { existsSync, readdirSync, statSync } from "node:fs"
import { cp, mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { manifest } from "../architecture/manifest.js"
import { project } from "../architecture/modules.js"
import { run } from "./run.js"

export interface InstalledPackage {
  /** An application's folder, with the files of `fixture/` in it. */
  readonly application: string
  /** Where our package lies in it. */
  readonly root: string
  /** What the tarball holds. */
  readonly files: readonly string[]
}

/** Packages that an application has beside ours, in the versions that we develop with. */
const companions = ["express", "@types/express", "@types/node", "kysely"].map(
  (name) => `${name}@${manifest.devDependencies[name]}`,
)

export async function installPackage(): Promise<InstalledPackage> {
  if (isBuildStale()) await run("npm", ["run", "build"], project)
  const application = await mkdtemp(join(tmpdir(), "latchkey-package-"))
  await writeFile(join(application, "package.json"), JSON.stringify({ private: true, type: "module" }))
  await cp(join(project, "test/package/fixture"), application, { recursive: true })

  const { filename, files } = await pack(application)
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--no-package-lock"]
  await run("npm", ["install", ...flags, `./${filename}`, ...companions], application)
  const root = join(application, "node_modules", manifest.name)
  return { application, root, files: files.map(({ path }) => path).sort() }
}

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

async function pack(destination: string): Promise<Packed> {
  const flags = ["--json", "--ignore-scripts", "--pack-destination", destination]
  const [packed] = JSON.parse(await run("npm", ["pack", ...flags], project)) as readonly Packed[]
  if (!packed) throw new Error("npm pack made no tarball")
  return packed
}

/** Whether something that the build reads is younger than what it wrote. Compiled views are made anew by every build. */
function isBuildStale(): boolean {
  if (!existsSync(join(project, "dist/index.js"))) return true
  const inputs = [...timesOf("src", /compiled-views\.ts$/), ...timesOf("views"), timeOf("tsconfig.build.json")]
  return Math.max(...inputs) > Math.min(...timesOf("dist"))
}

function timesOf(folder: string, except?: RegExp): readonly number[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => !except?.test(path) && statSync(join(project, folder, path)).isFile())
    .map((path) => timeOf(join(folder, path)))
}

function timeOf(path: string): number {
  return statSync(join(project, path)).mtimeMs
}
