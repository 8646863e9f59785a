/** What outlives an engine: whoever mounts a configuration that changes by request keeps it, and hands it in. */
import { LRUCache } from "lru-cache"
import { createDocumentCache } from "./document-cache.js"
import type { Ports } from "./engine.js"

/** @param now Milliseconds since the epoch. */
export function createMemory(now: () => number): Pick<Ports, "documents" | "spentFlows"> {
  return { documents: createDocumentCache(now), spentFlows: new LRUCache<string, true>({ max: 10_000 }) }
}
