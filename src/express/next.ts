/** Handing errors on. */
import { asError } from "../core/thrown.js"

/** The third parameter of middleware. */
export type Next = (error?: unknown) => void

/** Express takes `next(undefined)` and `next("route")` for "go on": thrown by a condition, they must not open the route. */
export function asThrown(thrown: unknown): unknown {
  return !thrown || thrown === "route" || thrown === "router" ? asError(thrown) : thrown
}
