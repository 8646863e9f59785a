// @ts-check
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onLeave } from "./leave.mjs"

/** The path of an empty folder, for database files; it goes with everything in it when the process ends. */
export async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "latchkey-bench-"))
  onLeave(() => rm(path, { recursive: true }))
  return path
}
