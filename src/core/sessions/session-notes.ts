/** What this process has done to database sessions lately, where the store may not show it yet. */
import { LRUCache } from "lru-cache"

/** All times in milliseconds since the epoch. */
export interface SessionNote {
  readonly createdAt?: number
  /** The expiry that the session is being, or was, prolonged to. */
  readonly prolongedTo?: number | undefined
  /** How many are prolonging it, who may not notice that it is ended meanwhile. */
  readonly writers?: number
  /** The session was ended here, whatever the store says. */
  readonly isEnded?: true
}

/** Notes by the token that the store knows. Losing one costs a write, or a look at the store. */
export type SessionNotes = LRUCache<string, SessionNote>

export function createSessionNotes(): SessionNotes {
  return new LRUCache({ max: 10_000 })
}
