/** Everything about one request that handlers need, worked out once. */
import { InvalidCallbackUrl } from "../errors.js"
import type { CookieSettings, CookieWrite } from "../http/cookies.js"
import { checkCsrf, type Csrf } from "../http/csrf.js"
import { absoluteUrl, parseTarget } from "../http/redirects.js"
import { baseUrlOf, type AuthRequest } from "../http/request.js"
import type { SessionContext } from "../sessions/strategy.js"
import { cookiesFor, type Engine } from "./engine.js"

export interface Scope {
  readonly request: AuthRequest
  readonly origin: string
  /** `https://app.example/auth`. */
  readonly baseUrl: string
  readonly settings: CookieSettings
  readonly session: SessionContext
  readonly csrf: Csrf
  /** Where to go after a sign-in or sign-out; has passed the `redirect` callback. */
  readonly callbackUrl: string
  /** Cookies that any answer to this request sets. */
  readonly cookies: readonly CookieWrite[]
}

/**
 * @param readsQuery Whether `callbackUrl` may come in the query. Not where anybody can send a browser, and it would stay.
 * @throws whatever the `redirect` callback throws.
 */
export async function openScope(engine: Engine, request: AuthRequest, readsQuery = true): Promise<Scope> {
  const { cookies, url, body } = request
  const settings = cookiesFor(engine, url)
  const [csrf, callbackUrl] = await Promise.all([
    checkCsrf(cookies, body?.["csrfToken"], settings.csrfToken, engine.secrets),
    resolveCallbackUrl(engine, request, cookies[settings.callbackUrl.name], readsQuery),
  ])
  const remembered =
    cookies[settings.callbackUrl.name] === callbackUrl ? [] : [{ ...settings.callbackUrl, value: callbackUrl }]
  return {
    request,
    origin: url.origin,
    baseUrl: baseUrlOf(request),
    settings,
    session: { cookies, setting: settings.sessionToken },
    csrf: engine.csrfIsChecked ? csrf : { ...csrf, verified: true, cookies: [] },
    callbackUrl,
    cookies: engine.csrfIsChecked ? [...csrf.cookies, ...remembered] : remembered,
  }
}

/** The first of body, query and cookie that names a target decides. */
async function resolveCallbackUrl(
  engine: Engine,
  { url, body }: AuthRequest,
  cookie: string | undefined,
  readsQuery: boolean,
): Promise<string> {
  const { origin, searchParams } = url
  const candidate = body?.["callbackUrl"] || (readsQuery && searchParams.get("callbackUrl")) || cookie
  if (!candidate) return origin
  if (typeof candidate !== "string" || !parseTarget(candidate, origin)) {
    engine.logger.error(new InvalidCallbackUrl(`Invalid callback URL. Received: ${quote(candidate)}`))
    return origin
  }
  return redirectTarget(engine, candidate, origin)
}

/** Asks the `redirect` callback where `url` may lead. Always absolute. */
export async function redirectTarget(engine: Pick<Engine, "callbacks">, url: string, baseUrl: string): Promise<string> {
  return absoluteUrl(await engine.callbacks.redirect({ url, baseUrl }), baseUrl)
}

function quote(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : typeof value
}
