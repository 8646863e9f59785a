/** Middleware, and how it hands on. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { asError } from "../core/thrown.js"

/** The third parameter of middleware. */
export type Next = (error?: unknown) => void

/**
 * Middleware for Express, Connect and plain Node alike. It asks for no more of a request than Node gives, and so leaves
 * Express to work out the type of a route's parameters.
 */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => void

/** Express takes `next(undefined)` and `next("route")` for "go on": thrown by a condition, they must not open the route. */
export function asThrown(thrown: unknown): unknown {
  return !thrown || thrown === "route" || thrown === "router" ? asError(thrown) : thrown
}
