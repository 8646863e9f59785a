/** How the core reaches other servers where there is no Node: as the platform does. `fetch.node.ts` has the same for Node. */
import type { Env } from "./origin.js"

/** The platform's `fetch`. What it knows of proxies is its own affair. */
export function outboundFetch(_env?: Env): typeof fetch {
  return (input, init) => fetch(input, init)
}
