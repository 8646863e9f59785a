/**
 * Puts Latchkey into `node_modules` as its package would be published: the files that `npm pack` would take, of the
 * build that is there, with the dependencies that the root has installed. An import of `latchkey/...` then goes through
 * its `exports`, as an application's does.
 */
import { execSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, "..", "..")
const target = join(here, "node_modules", "latchkey")

if (!existsSync(join(root, "dist", "index.js"))) {
  throw new Error("dist/ is missing: run `npm run build` at the root first")
}
rmSync(target, { recursive: true, force: true })

const options = { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
const [{ files }] = JSON.parse(execSync("npm pack --dry-run --json --ignore-scripts", options))
for (const { path } of files) cpSync(join(root, path), join(target, path))

const { dependencies } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"))
for (const name of Object.keys(dependencies)) {
  const link = join(target, "node_modules", name)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(join(root, "node_modules", name), link, "junction")
}
