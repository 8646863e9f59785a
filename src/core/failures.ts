/** What becomes of a failure: logged under a reference, then shown as a page, as JSON, or thrown. */
import { writeErrorNote } from "./actions/error-note.js"
import { pageFrame } from "./actions/page-frame.js"
import { actions, answersPages, parseRoute } from "./actions/table.js"
import { randomHex } from "#hash"
import { cookiesFor, type Engine, type Misconfiguration } from "./engine/engine.js"
import { AuthError, ErrorPageLoop, isAuthError, type AuthErrorLike } from "./errors.js"
import { rowOf } from "./error-table.js"
import type { CookieWrite } from "./http/cookies.js"
import { absoluteUrl, withQuery } from "./http/redirects.js"
import { baseUrlOf, prefersJson, type AuthRequest } from "./http/request.js"
import type { Answer } from "./http/response.js"
import { failure, json, page, problem, redirect, type Result } from "./http/result.js"
import { asError, isError, messageChain } from "./thrown.js"
import { errorPageStatus } from "./pages/models.js"

export type Failure = Extract<Result, { readonly kind: "failure" }>

/** Anything thrown, as a failure. */
export function toFailure(thrown: unknown): Failure {
  return failure(isAuthError(thrown) ? thrown : unexpected(asError(thrown))) as Failure
}

function unexpected(err: Error): UnexpectedError {
  return new UnexpectedError(err.message, { cause: { err } })
}

/** Something was thrown that nobody had thought of; `cause.err` holds it. */
export class UnexpectedError extends AuthError {}

/** Whether the server is to blame, rather than whoever asked. */
export function isFault(error: AuthErrorLike): boolean {
  return rowOf(error).status >= 500
}

/** Logs an error once, under a reference that it carries from now on. */
export function report({ logger }: Pick<Engine, "logger">, error: AuthErrorLike): string {
  const correlationId = randomHex(5)
  // An application may throw one of its own classes, or the same frozen error each time: that must not fail.
  Reflect.set(error, "correlationId", correlationId)
  logger.error(error)
  return correlationId
}

/** Logs a failure and turns it into an answer. */
export async function explain(engine: Engine, request: AuthRequest, { error, cookies }: Failure): Promise<Answer> {
  const correlationId = report(engine, error)
  if (error.type === "UntrustedHost") return explainMisconfiguration(engine, request)
  const route = parseRoute(request.url.pathname, request.basePath)
  const isPage = route !== undefined && answersPages(route, request.method)
  // The contract: whatever a client did wrong with an update, it learns nothing but that.
  if (route?.action === "session" && request.method === "POST" && !isFault(error))
    return answer(json(null, { status: 400, cookies }))
  const returnsRedirect = request.headers.has("x-auth-return-redirect")
  if (!isPage || (prefersJson(request.headers) && !returnsRedirect)) return explainInJson(error, correlationId, cookies)

  const { shows, clientSafe } = rowOf(error)
  const code = clientSafe && "code" in error && typeof error.code === "string" ? error.code : undefined
  const to = withQuery(errorAddress(engine, request, error), { error: shows, code })
  if (returnsRedirect) return answer(redirect(to, cookies))
  return answer(redirect(to, [...cookies, ...(await noteFor(engine, request, error, correlationId))]))
}

/** Only the built-in error page shows a reference. */
async function noteFor(
  engine: Engine,
  request: AuthRequest,
  error: AuthErrorLike,
  correlationId: string,
): Promise<readonly CookieWrite[]> {
  if (rowOf(error).page !== "error" || engine.pages.error) return []
  const detail = engine.ports.development && isFault(error) ? detailOf(error) : undefined
  return [await writeErrorNote(engine, cookiesFor(engine, request.url), { correlationId, detail })]
}

function errorAddress({ pages }: Engine, request: AuthRequest, error: AuthErrorLike): string {
  const kind = rowOf(error).page
  const own = pages[kind]
  return own ? absoluteUrl(own, request.url.origin) : `${baseUrlOf(request)}/${kind.toLowerCase()}`
}

function explainInJson(error: AuthErrorLike, correlationId: string, cookies: readonly CookieWrite[]): Answer {
  const { status, clientSafe, shows } = rowOf(error)
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {}
  const title = clientSafe ? shows : isFault(error) ? "Configuration" : error.type
  const message = isFault(error) ? serverProblem : clientProblem
  return answer(problem(status, title, { error: title, ...code, message, reference: correlationId }, cookies))
}

const serverProblem = "There was a problem with the server configuration. Check the server logs for more information."
const clientProblem = "The request was refused."

/** The message of an error and of what caused it, for whoever develops the application. */
function detailOf(error: AuthErrorLike): string {
  const { cause } = error
  const inner = typeof cause === "object" && cause !== null && "err" in cause ? cause.err : undefined
  const own = error.message.replace(/ ?Read more at \S+$/, "")
  return [`${error.type}: ${own}`, isError(inner) ? messageChain(inner) : ""]
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, 1000)
}

/** Answers where the configuration is at fault, which has been logged. */
export function explainMisconfiguration(
  { logger, pages, theme }: Pick<Misconfiguration, "logger" | "pages" | "theme">,
  request: AuthRequest,
): Answer {
  const route = parseRoute(request.url.pathname, request.basePath)
  const isPage =
    (request.method === "GET" || request.method === "HEAD") &&
    route !== undefined &&
    actions[route.action].isPage &&
    route.action !== "callback" &&
    route.action !== "callback/logout"
  if (!isPage) return answer(json({ message: serverProblem }, { status: 500 }))

  const own = pages?.error ? absoluteUrl(pages.error, request.url.origin) : undefined
  const loops = own !== undefined && leadsTo(own, request)
  if (loops) logger.error(new ErrorPageLoop(`pages.error (${pages?.error}) needs a session itself`))
  if (own !== undefined && !loops) return answer(redirect(withQuery(own, { error: "Configuration" })))
  const frame = pageFrame(theme, { origin: request.url.origin, baseUrl: baseUrlOf(request) })
  return answer(page({ view: "error", ...frame, error: "Configuration" }, errorPageStatus.Configuration))
}

function leadsTo(errorPage: string, { url }: AuthRequest): boolean {
  const target = url.searchParams.get("callbackUrl")
  return target !== null && absoluteUrl(target, url.origin).startsWith(errorPage)
}

function answer(result: Result): Answer {
  if (result.kind === "failure") throw new TypeError("a failure is no answer")
  return result
}
