/** `ExpressAuth`: the middleware that answers below its mount path, with its guards. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Request } from "express"
import { parseRoute } from "../core/actions/table.js"
import type { AuthConfig } from "../core/config/config.js"
import type { Awaitable, Session } from "../core/types.js"
import type { AccessToken } from "../core/provider-tokens/tokens.js"
import { getAccessToken, type ExpressAccessTokenOptions } from "./access-token.js"
import type { FrameworkRequest } from "./address.js"
import { createGuard, type RequireSession } from "./guard.js"
import { createInstance, type ExpressPorts, type Instance } from "./instance.js"
import { asThrown, type Middleware, type Next } from "./next.js"
import { createProxyWarning } from "./proxy-warning.js"
import { instanceFor, mountPathOf, registerHandler, registerMount, registerRequest, type App } from "./registry.js"
import { serve } from "./serve.js"
import { isPromise } from "../core/awaitable.js"
import { signOutOf, type ExpressSignOutOptions } from "./sign-out.js"
import { readIntoRequest, readSession } from "./session.js"

/** The middleware that {@link ExpressAuth} makes. Mount it with `app.use("/auth", auth)`. */
export interface AuthMiddleware extends Middleware {
  /** Middleware that fills `req.auth` for everything after it. A request without a session cookie costs it nothing. */
  readonly session: Middleware
  /** {@link requireSession}, bound to this configuration. */
  readonly requireSession: RequireSession
  /** The session of any request that carries its cookies, a WebSocket's too. `null` when signed out; throws on a fault. */
  readonly getSession: (req: IncomingMessage) => Promise<Session | null>
  /**
   * The access token that a provider gave for the signed-in user, refreshed when it is about to expire: once, however many
   * requests and servers ask at the same time. The tokens are those of the account record, or, with
   * `session.providerTokens`, of the browser.
   * @throws ReauthenticationRequired (401) when only a new sign-in helps; TokenRefreshError (502) when the provider cannot be
   * asked; AdapterError.
   */
  readonly getAccessToken: (
    req: IncomingMessage,
    provider: string,
    options?: ExpressAccessTokenOptions,
  ) => Promise<AccessToken>
  /**
   * Ends the session of a request, in a route of your own, which must not be reachable by a link or from other sites.
   * Resolves to the address to send the browser to; with `federated`, that is the provider's.
   * @throws SignOutError when the store fails; the cookies are expired all the same.
   */
  readonly signOut: (req: IncomingMessage, res: ServerResponse, options?: ExpressSignOutOptions) => Promise<string>
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
    // Our own actions read the session themselves: read twice, it would be prolonged twice.
    if (isOwnAction(instance, req)) return next()
    const reading = readIntoRequest(instance, req, res)
    if (!isPromise(reading)) return next()
    reading.then(
      () => next(),
      (error: unknown) => next(asThrown(error)),
    )
  }
  // Connect and Express share this signature; their types differ in what else a request has.
  const middleware = Object.assign(auth, {
    session,
    requireSession: createGuard(() => instance),
    getAccessToken: async (req: IncomingMessage, provider: string, options?: ExpressAccessTokenOptions) =>
      getAccessToken(instance, req, provider, options),
    signOut: async (req: IncomingMessage, res: ServerResponse, options?: ExpressSignOutOptions) =>
      signOutOf(instance, req, res, options),
    getSession: async (req: IncomingMessage) => readSession(instance, req, responseOf(req)),
  })
  registerHandler(middleware, instance)
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

function isOwnAction(instance: Instance, { originalUrl, url = "" }: FrameworkRequest): boolean {
  const path = mountPathOf(instance)
  const [pathname = ""] = (originalUrl ?? url).split("?", 1)
  return path !== undefined && parseRoute(pathname, path) !== undefined
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
