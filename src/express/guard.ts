/** `requireSession`: one runner decides between the route, a sign-in, 401 and 403. */
import type { ServerResponse } from "node:http"
import type { RequestHandler } from "express"
import { pageFrame } from "../core/actions/page-frame.js"
import { absoluteUrl, withQuery } from "../core/http/redirects.js"
import type { Answer } from "../core/http/response.js"
import type { Awaitable, Session } from "../core/types.js"
import type { FrameworkRequest } from "./address.js"
import type { Instance } from "./instance.js"
import { asThrown, type Middleware, type Next } from "./next.js"
import { writeAnswer } from "./response.js"
import { readIntoRequest } from "./session.js"

export interface RequireSessionOptions {
  /** Whether this session may pass, by role or claim. A signed-in user who may not gets 403. Default: every session. */
  readonly where?: (session: Session) => Awaitable<boolean>
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

/** Makes `requireSession` for whatever instance a request belongs to. */
export function createGuard(instanceOf: (req: GuardRequest) => Instance): RequireSession {
  const requireSession = (first?: RequireSessionOptions | GuardHandler, second?: GuardHandler): GuardHandler => {
    const handler = typeof first === "function" ? first : second
    const { where } = typeof first === "function" ? {} : (first ?? {})

    return async (req, res, next) => {
      try {
        const instance = instanceOf(req)
        const refusal = await refuse(instance, req, await readIntoRequest(instance, req, res), where)
        if (refusal) return writeAnswer(res, refusal, req.method)
      } catch (error) {
        return next(asThrown(error))
      }
      if (!handler) return next()
      // A rejected promise reaches the error middleware on Express 4 as well.
      try {
        await handler(req, res, next)
      } catch (error) {
        next(asThrown(error))
      }
    }
  }
  // Connect and plain Node have the few members that are used here; the public type is that of Express.
  return requireSession as unknown as RequireSession
}

/** The answer to somebody who may not pass, or `undefined` for everybody else. */
async function refuse(
  instance: Instance,
  req: GuardRequest,
  session: Session | null,
  where: RequireSessionOptions["where"],
): Promise<Answer | undefined> {
  if (!session) return isNavigation(req) ? signInFirst(instance, req) : unauthorized
  if (!where || (await where(session))) return undefined
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
  const page = pages.signIn ? absoluteUrl(pages.signIn, origin) : `${baseUrl}/signin`
  const callbackUrl = `${prefix}${req.originalUrl ?? req.url ?? "/"}`
  return { kind: "redirect", status: 302, to: withQuery(page, { callbackUrl, error: "SessionRequired" }), cookies: [] }
}

async function forbiddenPage(instance: Instance, req: GuardRequest): Promise<Answer> {
  const { pages, theme } = await instance.engineFor(req)
  const { origin, baseUrl } = await instance.addressesOf(req)
  if (pages.error) {
    const to = withQuery(absoluteUrl(pages.error, origin), { error: "AccessDenied" })
    return { kind: "redirect", status: 302, to, cookies: [] }
  }
  const frame = pageFrame(theme, { origin, baseUrl })
  return { kind: "page", status: 403, page: { view: "error", ...frame, error: "AccessDenied" }, cookies: [] }
}
