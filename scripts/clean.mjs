/** Removes the folders named on the command line, which must lie inside the project: `node scripts/clean.mjs dist`. */
import { existsSync, realpathSync } from "node:fs"
import { rm } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

const project = realpathSync(resolve(dirname(fileURLToPath(import.meta.url)), ".."))
const refused = new Set(["", "..", ".git", "node_modules"])

/** Absolute path of a folder below the project. A link on the way there counts as where it leads. */
function locate(name) {
  const path = resolve(project, name)
  const parent = existsSync(dirname(path)) ? realpathSync(dirname(path)) : dirname(path)
  const real = join(parent, basename(path))
  const [first] = relative(project, real).split(sep)
  if (refused.has(first) || !real.startsWith(project + sep)) {
    throw new Error(`expected a folder inside ${project}, got ${JSON.stringify(name)}`)
  }
  return real
}

const folders = process.argv.slice(2).map(locate)
if (folders.length === 0) throw new Error("expected the names of the folders to remove, as in: clean.mjs dist")
await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
