// @ts-check
import { existsSync } from "node:fs"

/** @throws {Error} Where Latchkey has not been built. */
export function assertBuilt() {
  if (existsSync(new URL("../../dist/index.js", import.meta.url))) return
  throw new Error('dist/index.js is missing: run "npm run build" in the folder above bench/ first')
}
