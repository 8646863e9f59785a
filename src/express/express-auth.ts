/** `ExpressAuth`: the middleware that answers below its mount path, with its guards. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Request, RequestHandler } from "express"
import type { AuthConfig } from "../core/config/config.js"
import type { Awaitable, Session } from "../core/types.js"
import type { FrameworkRequest } from "./address.js"
import { createGuard, type RequireSession } from "./guard.js"
import { createInstance, type ExpressPorts } from "./instance.js"
import { asThrown, type Next } from "./next.js"
import { createProxyWarning } from "./proxy-warning.js"
import { instanceFor, registerMount, registerRequest, type App } from "./registry.js"
import { serve } from "./serve.js"
import { readIntoRequest } from "./session.js"

/** The middleware that {@link ExpressAuth} makes. Mount it with `app.use("/auth", auth)`. */
export interface AuthMiddleware extends RequestHandler {
  /** Middleware that fills `req.auth` for everything after it. A request without a session cookie costs it nothing. */
  readonly session: RequestHandler
  /** {@link requireSession}, bound to this configuration. */
  readonly requireSession: RequireSession
  /** The session of any request that carries its cookies, a WebSocket's too. `null` when signed out; throws on a fault. */
  readonly getSession: (req: IncomingMessage) => Promise<Session | null>
}

/** Makes an {@link AuthMiddleware} in given surroundings. Tests hand in a clock and a `fetch` of their own. */
export function createExpressAuth(
  config: AuthConfig | ((req: Request) => Awaitable<AuthConfig>),
  ports: ExpressPorts,
): AuthMiddleware {
  const instance = createInstance(config, ports)
  const warn = createProxyWarning(instance.addressing)

  const auth = (req: FrameworkRequest, res: ServerResponse, next: Next): void => {
    registerRequest(req, instance)
    serve(instance, warn, req, res).then(
      (outcome) => (outcome === "answered" ? undefined : next(outcome === "not ours" ? undefined : outcome)),
      (error: unknown) => next(asThrown(error)),
    )
  }
  const session = (req: FrameworkRequest, res: ServerResponse, next: Next): void => {
    registerRequest(req, instance)
    readIntoRequest(instance, req, res).then(
      () => next(),
      (error: unknown) => next(asThrown(error)),
    )
  }
  // Connect and Express share this signature; their types differ in what else a request has.
  const middleware = Object.assign(auth, {
    session,
    requireSession: createGuard(() => instance),
    getSession: (req: IncomingMessage) => instance.readSession(req, responseOf(req)),
  })
  return announceMount(middleware, (app, path) => registerMount(app, path, instance))
}

/**
 * Express tells a sub-application where it was mounted, and takes for one whatever has `handle` and `set`. This is the
 * one way for a middleware to learn its path before the first request.
 */
function announceMount(middleware: AuthMiddleware, onMount: (app: App, path: unknown) => void): AuthMiddleware {
  return Object.assign(middleware, {
    handle: middleware,
    set: () => middleware,
    mountpath: undefined,
    emit(this: { mountpath: unknown }, event: string, app: App) {
      if (event === "mount") onMount(app, this.mountpath)
    },
  })
}

function responseOf(req: IncomingMessage & { readonly res?: ServerResponse }): ServerResponse | undefined {
  return req.res
}

/**
 * Guards a route: whoever has no session is sent to sign in if they are looking at a page, and gets 401 otherwise. A
 * session that `where` refuses gets 403. The configuration is that of the `ExpressAuth` mounted on the same app.
 *
 * @example
 * app.get("/account", requireSession((req, res) => res.send(req.auth.user?.name)))
 * app.use("/admin", requireSession({ where: (session) => session.user?.role === "admin" }))
 */
export const requireSession: RequireSession = createGuard(instanceFor)
