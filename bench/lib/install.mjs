// @ts-check
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

const home = new URL("../", import.meta.url)

/** Installs the peers into `bench/node_modules` from the lock file, unless that was done since it last changed. */
export function installOnce() {
  // npm writes this file last, so that a broken installation is repeated.
  const installed = new URL("node_modules/.package-lock.json", home)
  if (existsSync(installed) && changedAt(installed) >= changedAt(new URL("package-lock.json", home))) return

  console.error("Installing the peers into bench/node_modules …")
  // npm's output goes to stderr: stdout is kept for the tables.
  const npm = spawnSync("npm ci", { cwd: fileURLToPath(home), shell: true, stdio: ["ignore", 2, 2] })
  if (npm.status !== 0) throw new Error(`"npm ci" in bench/ failed with exit code ${npm.status}`)
}

/** @param {URL} file */
function changedAt(file) {
  return statSync(file).mtimeMs
}
