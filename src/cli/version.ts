/** The version of this package. */
import { createRequire } from "node:module"

export function readVersion(): string {
  const manifest = createRequire(import.meta.url)("../../package.json") as { readonly version: string }
  return manifest.version
}
