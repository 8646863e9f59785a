/** The core's door: a Web Request goes in, a Web Response comes out. */
import { outboundFetch } from "#fetch"
import { parseRoute } from "./actions/table.js"
import type { AuthConfig } from "./config/config.js"
import { handle } from "./dispatch.js"
import { compile, type Compiled } from "./engine/compile.js"
import { createMemory } from "./engine/memory.js"
import type { Engine, Ports } from "./engine/engine.js"
import { UnknownAction } from "./errors.js"
import { explain, explainMisconfiguration, report, UnexpectedError, type Failure } from "./failures.js"
import { BodyError } from "./http/body.js"
import { fromWebRequest, prefersJson, type AuthRequest } from "./http/request.js"
import { toRecord, toResponse, withReturnedRedirect, type Answer } from "./http/response.js"
import type { raw } from "./symbols.js"
import type { LoggerInstance, ResponseInternal } from "./types.js"

// A configuration is compiled the first time it is seen. Losing an entry costs compiling it again.
const compiled = new WeakMap<AuthConfig, Compiled>()

function webPorts(): Ports {
  const now = () => Date.now()
  return { now, fetch: outboundFetch(), development: false, ...createMemory(now) }
}

/** The engine of a configuration object, compiled at its first use. */
export function compiledFor(config: AuthConfig, ports?: Ports): Compiled {
  const known = compiled.get(config)
  if (known) return known
  const fresh = compile(config, ports ?? webPorts())
  compiled.set(config, fresh)
  return fresh
}

/**
 * Answers a request below `config.basePath` (default `/auth`).
 *
 * Of the environment it reads the proxy variables alone, on Node; see {@link setEnvDefaults} for the rest. A path that is
 * no action gives 400, a configuration with problems gives 500; every problem is logged.
 *
 * @throws AuthError only with the `raw` marker, when the failure is one that a caller on the server may handle.
 */
export function Auth(
  request: Request,
  config: AuthConfig & { readonly raw: typeof raw },
): Promise<ResponseInternal | Response>
export function Auth(request: Request, config: Omit<AuthConfig, "raw">): Promise<Response>
export async function Auth(request: Request, config: AuthConfig): Promise<ResponseInternal | Response> {
  const known = compiledFor(config)
  const { logger, basePath } = known.kind === "engine" ? known.engine : known.misconfiguration
  const read = await readRequest(request, basePath)
  if (read.kind === "refused") return badRequest(logger, read.error, read.status)
  if (!parseRoute(read.request.url.pathname, read.request.basePath)) {
    return badRequest(logger, new Error(`Cannot parse action at ${read.request.url.pathname}`))
  }
  const answered =
    known.kind === "engine" ? await answer(known.engine, read.request) : misconfigured(known, read.request)
  // The answer to HEAD is that to GET without its body (RFC 9110, section 9.3.2).
  return request.method === "HEAD" && answered instanceof Response ? new Response(null, answered) : answered
}

function badRequest(logger: LoggerInstance, error: Error, status: 400 | 413 = 400): Response {
  report({ logger }, new UnknownAction(error.message, { cause: { err: error } }))
  return Response.json(status === 413 ? "Payload too large." : "Bad request.", { status })
}

function misconfigured(
  { misconfiguration }: Extract<Compiled, { kind: "misconfigured" }>,
  request: AuthRequest,
): Response {
  misconfiguration.logger.error(misconfiguration.error)
  return toResponse(finish(explainMisconfiguration(misconfiguration, request), request))
}

type ReadRequest =
  | { readonly kind: "read"; readonly request: AuthRequest }
  | { readonly kind: "refused"; readonly status: 400 | 413; readonly error: Error }

async function readRequest(request: Request, basePath: string): Promise<ReadRequest> {
  try {
    return { kind: "read", request: await fromWebRequest(request, basePath) }
  } catch (error) {
    if (error instanceof BodyError) return { kind: "refused", status: error.status, error }
    throw error
  }
}

async function answer(engine: Engine, request: AuthRequest): Promise<ResponseInternal | Response> {
  const result = await handle(engine, request)
  const returnsRedirect = request.headers.has("x-auth-return-redirect")
  if (result.kind === "failure") {
    if (engine.raw && !returnsRedirect && isThrowable(result)) {
      report(engine, result.error)
      throw result.error
    }
    return toResponse(finish(await explain(engine, request, result), request))
  }
  const finished = finish(result, request)
  return engine.raw ? toRecord(finished) : toResponse(finished)
}

/** The last step for every integration: a program that posts is told where to go instead of being sent there. */
export function finish(answer: Answer, { headers, method }: AuthRequest): Answer {
  const isProgram = headers.has("x-auth-return-redirect") || (method === "POST" && prefersJson(headers))
  return isProgram ? withReturnedRedirect(answer) : answer
}

/** An error that arose as an `AuthError`, rather than one that we wrapped because it was none. */
function isThrowable({ error }: Failure): boolean {
  return !(error instanceof UnexpectedError)
}
