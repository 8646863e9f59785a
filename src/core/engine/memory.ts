/** What outlives an engine: whoever mounts a configuration that changes by request keeps it, and hands it in. */
import { LRUCache } from "lru-cache"
import { createSessionNotes } from "../sessions/session-notes.js"
import { createDocumentCache } from "./document-cache.js"
import type { Ports } from "./engine.js"
import { createTurns } from "./turns.js"

export type Memory = Pick<
  Ports,
  "documents" | "spentFlows" | "spentLogoutTokens" | "sessionNotes" | "turns" | "renewals"
>

/** How late a request may come that was sent before renewed tokens reached the browser. */
const renewalMs = 5 * 60 * 1000

/** @param now Milliseconds since the epoch. */
export function createMemory(now: () => number): Memory {
  return {
    documents: createDocumentCache(now),
    spentFlows: new LRUCache<string, true>({ max: 10_000 }),
    spentLogoutTokens: new LRUCache<string, true>({ max: 10_000 }),
    sessionNotes: createSessionNotes(),
    turns: createTurns(),
    renewals: new LRUCache({ max: 10_000, ttl: renewalMs }),
  }
}
