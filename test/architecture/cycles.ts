/** Import cycles. */
import { posix } from "node:path"
import type { Import, Module } from "./modules.js"

/** Groups of files that all lead back to each other through imports that `counts`; each group in order of name. */
export function findCycles(modules: readonly Module[], counts: (found: Import) => boolean): readonly string[][] {
  const reachable = new Map(modules.map(({ path }) => [path, reach(path, graphOf(modules, counts))]))
  const leadsTo = (from: string, to: string): boolean => reachable.get(from)?.has(to) ?? false
  const inCycle = modules.map(({ path }) => path).filter((path) => leadsTo(path, path))
  const groups = inCycle.map((path) => inCycle.filter((other) => leadsTo(path, other) && leadsTo(other, path)).sort())
  return groups.filter(([first], index) => groups.findIndex((group) => group[0] === first) === index)
}

/** Types may know of each other within a folder, where it costs nothing at run time; folders depend on each other one way. */
export function spansFolders(cycle: readonly string[]): boolean {
  return new Set(cycle.map((path) => posix.dirname(path))).size > 1
}

type Graph = ReadonlyMap<string, readonly string[]>

function graphOf(modules: readonly Module[], counts: (found: Import) => boolean): Graph {
  return new Map(modules.map(({ path, imports }) => [path, imports.filter(counts).flatMap(({ targets }) => targets)]))
}

/** Everything that imports lead to from `start`, which is among it only when they lead back. */
function reach(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...(graph.get(start) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return reached
}
