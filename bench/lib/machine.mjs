// @ts-check
import { cpus } from "node:os"
import { canPin } from "./pinned.mjs"

/** The machine, Node version and day a table was made on, in one line. */
export function describeMachine() {
  const cores = cpus()
  const pinning = canPin ? "server and load generator pinned to a core each" : "processes not pinned"
  const day = new Date().toISOString().slice(0, 10)
  return `${cores[0]?.model ?? "unknown CPU"}, ${cores.length} cores, Node ${process.versions.node}, ${day}; ${pinning}`
}
