// @ts-check
import { readFileSync } from "node:fs"

/**
 * "name version" of a package, as installed in `bench/node_modules`; for Latchkey, as found in this repository.
 *
 * @param {string} name
 */
export function nameWithVersion(name) {
  const folder = name === "latchkey" ? "../../" : `../node_modules/${name}/`
  const manifest = JSON.parse(readFileSync(new URL(`${folder}package.json`, import.meta.url), "utf8"))
  return `${name} ${manifest.version}`
}
