/** What becomes of one request below the mount path. */
import type { ServerResponse } from "node:http"
import { parseRoute } from "../core/actions/table.js"
import { finish } from "../core/auth.js"
import { handle } from "../core/dispatch.js"
import type { Compiled } from "../core/engine/compile.js"
import type { Engine } from "../core/engine/engine.js"
import { UnknownAction } from "../core/errors.js"
import { explain, explainMisconfiguration, isFault, report, type Failure } from "../core/failures.js"
import { BodyError } from "../core/http/body.js"
import type { AuthRequest } from "../core/http/request.js"
import type { Answer } from "../core/http/response.js"
import type { LoggerInstance } from "../core/types.js"
import type { FrameworkRequest } from "./address.js"
import type { Instance } from "./instance.js"
import type { createProxyWarning } from "./proxy-warning.js"
import { hasErrorMiddleware } from "./registry.js"
import { locate, toAuthRequest } from "./request.js"
import { appendCookies, writeAnswer } from "./response.js"

/** What became of a request: answered, left to the next middleware, or an error for the app's own error middleware. */
export type Outcome = "answered" | "not ours" | Error

/** Answers a request for one of our actions. @throws whatever a configuration function throws. */
export async function serve(
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
    compiled.misconfiguration.logger.error(compiled.misconfiguration.error)
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
    if (!location.isCanonical || !parseRoute(location.url.pathname, location.basePath)) return { kind: "not ours" }
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
  appendCookies(res, failed.cookies)
  return failed.error
}

function write(answer: Answer, request: AuthRequest, req: FrameworkRequest, res: ServerResponse): Outcome {
  writeAnswer(res, finish(answer, request), req.method)
  return "answered"
}
