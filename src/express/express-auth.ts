/** `ExpressAuth`: the middleware that answers below its mount path, with its guards. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Request, RequestHandler } from "express"
import { parseRoute } from "../core/actions/table.js"
import { finish } from "../core/auth.js"
import type { AuthConfig } from "../core/config/config.js"
import { handle } from "../core/dispatch.js"
import type { Compiled } from "../core/engine/compile.js"
import type { Engine } from "../core/engine/engine.js"
import { UnknownAction } from "../core/errors.js"
import { explain, explainMisconfiguration, isFault, report, type Failure } from "../core/failures.js"
import { BodyError } from "../core/http/body.js"
import type { AuthRequest } from "../core/http/request.js"
import type { Answer } from "../core/http/response.js"
import type { Awaitable, LoggerInstance, Session } from "../core/types.js"
import type { FrameworkRequest } from "./address.js"
import { createGuard, type RequireSession } from "./guard.js"
import { createInstance, type ExpressPorts, type Instance } from "./instance.js"
import { createProxyWarning } from "./proxy-warning.js"
import { hasErrorMiddleware, instanceFor, registerMount, registerRequest, type App } from "./registry.js"
import { locate, toAuthRequest } from "./request.js"
import { writeAnswer } from "./response.js"
import { readIntoRequest } from "./session.js"

type Next = (error?: unknown) => void

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
      next,
    )
  }
  const session = (req: FrameworkRequest, res: ServerResponse, next: Next): void => {
    registerRequest(req, instance)
    readIntoRequest(instance, req, res).then(() => next(), next)
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

/** What became of a request: answered, left to the next middleware, or an error for the app's own error middleware. */
type Outcome = "answered" | "not ours" | Error

async function serve(
  instance: Instance,
  warn: ReturnType<typeof createProxyWarning>,
  req: FrameworkRequest,
  res: ServerResponse,
): Promise<Outcome> {
  const compiled = await instance.compiledFor(req)
  const read = await readRequest(instance, compiled, req)
  if (read.kind === "not ours") return "not ours"
  if (read.kind === "refused") return refuse(compiled, read.error, req, res)
  const { request } = read
  warn(req, loggerOf(compiled))
  if (compiled.kind === "misconfigured") {
    writeAnswer(res, finish(explainMisconfiguration(compiled.misconfiguration, request), request), req.method)
    return "answered"
  }
  return answer(compiled.engine, request, req, res)
}

function loggerOf(compiled: Compiled): LoggerInstance {
  return compiled.kind === "engine" ? compiled.engine.logger : compiled.misconfiguration.logger
}

type ReadRequest =
  | { readonly kind: "not ours" }
  | { readonly kind: "read"; readonly request: AuthRequest }
  | { readonly kind: "refused"; readonly error: BodyError }

async function readRequest(instance: Instance, compiled: Compiled, req: FrameworkRequest): Promise<ReadRequest> {
  const { basePath } = compiled.kind === "engine" ? compiled.engine : compiled.misconfiguration
  try {
    const location = locate(req, instance.addressing, basePath)
    if (!parseRoute(location.url.pathname, location.basePath)) return { kind: "not ours" }
    return { kind: "read", request: await toAuthRequest(req, location) }
  } catch (error) {
    if (error instanceof BodyError) return { kind: "refused", error }
    throw error
  }
}

function refuse(compiled: Compiled, error: BodyError, req: FrameworkRequest, res: ServerResponse): Outcome {
  report({ logger: loggerOf(compiled) }, new UnknownAction(error.message, { cause: { err: error } }))
  // What is left of the body would be taken for the next request.
  if (!req.complete) res.setHeader("connection", "close")
  const title = error.status === 413 ? "Payload too large" : "Bad request"
  const body = { title, status: error.status, detail: error.message }
  const headers = { "content-type": "application/problem+json" }
  writeAnswer(res, { kind: "json", status: error.status, body, headers, cookies: [] }, req.method)
  return "answered"
}

async function answer(
  engine: Engine,
  request: AuthRequest,
  req: FrameworkRequest,
  res: ServerResponse,
): Promise<Outcome> {
  const result = await handle(engine, request)
  if (!result) return "not ours"
  if (result.kind === "failure") return answerFailure(engine, request, result, req, res)
  return write(result, request, req, res)
}

/** A fault of the server goes to the app's error middleware if it has one; a client that wants JSON gets JSON. */
async function answerFailure(
  engine: Engine,
  request: AuthRequest,
  failed: Failure,
  req: FrameworkRequest,
  res: ServerResponse,
): Promise<Outcome> {
  const isForApp = isFault(failed.error) && !request.headers.has("x-auth-return-redirect") && hasErrorMiddleware(req)
  if (!isForApp) return write(await explain(engine, request, failed), request, req, res)
  report(engine, failed.error)
  return failed.error
}

function write(answer: Answer, request: AuthRequest, req: FrameworkRequest, res: ServerResponse): Outcome {
  writeAnswer(res, finish(answer, request), req.method)
  return "answered"
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
