/** What an engine takes from the world around it: a clock that stands still, and no network. */
import { createMemory } from "../../src/core/engine/memory.js"
import type { Ports } from "../../src/core/engine/engine.js"

/** A clock that is set by hand. Milliseconds since the epoch. */
export interface HandMadeClock {
  now: number
}

export function testPorts({
  clock = { now: 1_700_000_000_000 },
  development = false,
}: { readonly clock?: HandMadeClock; readonly development?: boolean } = {}): Ports {
  const now = () => clock.now
  return {
    now,
    development,
    fetch: (input) => Promise.reject(new Error(`no network in tests, not even for ${new Request(input).url}`)),
    ...createMemory(now),
  }
}
