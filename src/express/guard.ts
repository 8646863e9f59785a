/** `requireSession`: one runner decides between the route, a sign-in, 401 and 403. */
import type { ServerResponse } from "node:http"
import type { RequestHandler } from "express"
import { ownPage, pageFrame } from "../core/actions/page-frame.js"
import { withQuery } from "../core/http/redirects.js"
import type { Answer } from "../core/http/response.js"
import type { Awaitable, Session } from "../core/types.js"
import type { FrameworkRequest } from "./address.js"
import type { Instance } from "./instance.js"
import { asThrown, type Middleware, type Next } from "./next.js"
import { writeAnswer } from "./response.js"
import { attempt, isPromise } from "../core/awaitable.js"
import { keepInRequest } from "./session.js"

export interface RequireSessionOptions {
  /** Whether this session may pass, by role or claim. A signed-in user who may not gets 403. Default: every session. */
  readonly where?: ((session: Session) => Awaitable<boolean>) | undefined
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a handler of whatever route it turns out to stand in
type AnyHandler = RequestHandler<any, any, any, any, any>

/** A handler behind the guard: its `req.auth` is a session, and everything else what the route makes of it. */
export type SessionHandler<H> = H extends (req: infer Req, res: infer Res, next: infer Next) => unknown
  ? (req: Req & { auth: Session }, res: Res, next: Next) => unknown
  : never

/** Everything that `requireSession` takes. */
export interface RequireSession {
  (options?: RequireSessionOptions): Middleware
  <H extends AnyHandler>(handler: SessionHandler<H>): H
  <H extends AnyHandler>(options: RequireSessionOptions, handler: SessionHandler<H>): H
}

type GuardRequest = FrameworkRequest & { auth?: Session | null }
type GuardHandler = (req: GuardRequest, res: ServerResponse, next: Next) => unknown

/** What a guard decides on. */
interface Given {
  readonly instance: Instance
  readonly req: GuardRequest
  readonly res: ServerResponse
  readonly where: RequireSessionOptions["where"]
}

/** Makes `requireSession` for whatever instance a request belongs to. */
export function createGuard(instanceOf: (req: GuardRequest) => Instance): RequireSession {
  const requireSession = (first?: RequireSessionOptions | GuardHandler, second?: GuardHandler): GuardHandler => {
    checkGuard(first, second)
    const handler = typeof first === "function" ? first : second
    const { where } = typeof first === "function" ? {} : (first ?? {})

    const admit = (req: GuardRequest, res: ServerResponse): Awaitable<boolean> => {
      const given: Given = { instance: instanceOf(req), req, res, where }
      const session = given.instance.sessions.read(req)
      return isPromise(session) ? session.then((known) => decide(given, known)) : decide(given, session)
    }
    return (req, res, next) => {
      const pass = () => (handler ? runHandler(handler, req, res, next) : next())
      const admitted = attempt(() => admit(req, res))
      if (!isPromise(admitted)) return admitted ? pass() : undefined
      return admitted.then(
        (isAdmitted) => (isAdmitted ? pass() : undefined),
        (error: unknown) => next(asThrown(error)),
      )
    }
  }
  // Connect and plain Node have the few members that are used here; the public type is that of Express.
  return requireSession as unknown as RequireSession
}

/**
 * A guard that is set up wrongly must not stand open, so it is refused when the app is built.
 * @throws TypeError
 */
function checkGuard(first: unknown, second: unknown): void {
  if (isRequest(first)) throw new TypeError("requireSession is not middleware itself: write requireSession()")
  if (typeof first === "function") {
    if (second !== undefined) throw new TypeError("requireSession takes its options before the handler")
    return
  }
  if (first !== undefined && (typeof first !== "object" || first === null)) {
    throw new TypeError("requireSession takes options or a handler")
  }
  const unknown = Object.keys(first ?? {}).filter((name) => name !== "where")
  if (unknown.length > 0)
    throw new TypeError(`requireSession has no option "${unknown.join('", "')}": it takes { where }`)
  if (first && "where" in first && typeof first.where !== "function") {
    throw new TypeError("requireSession: where must be a function of the session that returns true or false")
  }
}

function isRequest(value: unknown): boolean {
  return typeof value === "object" && value !== null && "headers" in value && "method" in value
}

/** A rejected promise reaches the error middleware on Express 4 as well. */
async function runHandler(handler: GuardHandler, req: GuardRequest, res: ServerResponse, next: Next): Promise<void> {
  try {
    await handler(req, res, next)
  } catch (error) {
    next(asThrown(error))
  }
}

/**
 * Whether the request may go on; whoever may not has been answered. Most people need not wait: those who are signed in
 * where that is all it takes, and programs that are not.
 */
function decide(given: Given, session: Session | null): Awaitable<boolean> {
  const { instance, req, res, where } = given
  if (!session && !isNavigation(req)) {
    req.auth = null
    writeAnswer(res, { ...unauthorized, cookies: instance.sessions.takeCookies(req) }, req.method)
    return false
  }
  keepInRequest(instance, { req, res }, session)
  return session && !where ? true : decideAtLeisure(given, session)
}

async function decideAtLeisure({ instance, req, res, where }: Given, session: Session | null): Promise<boolean> {
  const refusal = await refuse(instance, req, session, where)
  if (refusal) writeAnswer(res, refusal, req.method)
  return refusal === undefined
}

/** The answer to somebody who may not pass, or `undefined` for everybody else. */
async function refuse(
  instance: Instance,
  req: GuardRequest,
  session: Session | null,
  where: RequireSessionOptions["where"],
): Promise<Answer | undefined> {
  if (!session) return signInFirst(instance, req)
  if (!where) return undefined
  const answer: unknown = await where(session)
  // Applications without types return all sorts of things: only a plain yes opens the route.
  if (answer === true) return undefined
  return isNavigation(req) ? forbiddenPage(instance, req) : forbidden
}

// A 401 must name a scheme (RFC 9110, section 11.6.1); there is none registered for cookies.
const unauthorized: Answer = {
  kind: "json",
  status: 401,
  body: { title: "Unauthorized", status: 401, detail: "This needs a signed-in session." },
  headers: { "content-type": "application/problem+json", "www-authenticate": "Session" },
  cookies: [],
}

const forbidden: Answer = {
  kind: "json",
  status: 403,
  body: { title: "Forbidden", status: 403, detail: "This session may not do that." },
  headers: { "content-type": "application/problem+json" },
  cookies: [],
}

/** Whether a person is looking at the answer, rather than a program (Fetch Metadata; older browsers by `Accept`). */
function isNavigation({ method, headers }: GuardRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false
  const mode = headers["sec-fetch-mode"]
  return mode === undefined ? (headers.accept ?? "").includes("text/html") : mode === "navigate"
}

async function signInFirst(instance: Instance, req: GuardRequest): Promise<Answer> {
  const { pages } = await instance.engineFor(req)
  const { origin, prefix, baseUrl } = await instance.addressesOf(req)
  const page = ownPage(pages.signIn, { origin, baseUrl }, "signin") ?? `${baseUrl}/signin`
  const callbackUrl = addressOf(req, prefix)
  return { kind: "redirect", status: 302, to: withQuery(page, { callbackUrl, error: "SessionRequired" }), cookies: [] }
}

/** Where the person wanted to go. */
function addressOf({ originalUrl, url = "/" }: GuardRequest, prefix: string): string {
  return `${prefix}${originalUrl ?? url}`
}

async function forbiddenPage(instance: Instance, req: GuardRequest): Promise<Answer> {
  const { pages, theme } = await instance.engineFor(req)
  const { origin, prefix, baseUrl } = await instance.addressesOf(req)
  const own = ownPage(pages.error, { origin, baseUrl }, "error")
  if (own) {
    const to = withQuery(own, { error: "AccessDenied" })
    return { kind: "redirect", status: 302, to, cookies: [] }
  }
  const frame = pageFrame(theme, { origin, baseUrl })
  const again = withQuery(`${baseUrl}/signin`, { callbackUrl: addressOf(req, prefix) })
  const signoutUrl = withQuery(`${baseUrl}/signout`, { callbackUrl: again })
  return {
    kind: "page",
    status: 403,
    page: { view: "error", ...frame, error: "AccessDenied", signoutUrl },
    cookies: [],
  }
}
