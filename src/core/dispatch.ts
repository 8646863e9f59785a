/** Request → action → result. What goes wrong on the way is explained in `failures.ts`. */
import { actions, allowedMethods, parseRoute, type Action, type Route } from "./actions/table.js"
import type { Engine } from "./engine/engine.js"
import type { ResolvedProvider } from "./engine/providers.js"
import { requireTrustedHost } from "./engine/trust.js"
import { openScope } from "./engine/scope.js"
import { InvalidProvider, MissingCSRF, UnknownAction } from "./errors.js"
import { isPrefetch, type AuthRequest } from "./http/request.js"
import { empty, failure, withCookies, type Result } from "./http/result.js"
import { toFailure } from "./failures.js"

/** Answers a request for one of our actions. A path that is none is a failure: whoever calls looks first. */
export async function handle(engine: Engine, request: AuthRequest): Promise<Result> {
  try {
    const route = parseRoute(request.url.pathname, request.basePath)
    if (!route) throw new UnknownAction(`Cannot parse action at ${request.url.pathname}`)
    return await dispatch(engine, request, route)
  } catch (error) {
    return toFailure(error)
  }
}

async function dispatch(engine: Engine, request: AuthRequest, route: Route): Promise<Result> {
  const action = actions[route.action]
  // HEAD is GET whose body is not sent (RFC 9110, section 9.3.2).
  const method = request.method === "HEAD" && !action.isUnsafeOnGet ? "GET" : request.method
  requireTrustedHost(engine, request.url)
  const isAnswerable = method === "GET" || method === "POST"
  const stateless = isAnswerable ? action.stateless?.[method] : undefined
  if (stateless) return stateless(engine, request, route.providerId)
  const handler = isAnswerable ? action[method] : undefined
  if (!handler) return empty(405, { allow: allowedMethods(action) })
  // Browsers drop such an answer, and ask again when somebody really goes there; one of success they would show then.
  if ((method === "POST" || action.isUnsafeOnGet) && isPrefetch(request.headers)) return empty(503)

  const provider = providerOf(engine, route)
  const isReturn = route.action === "callback" && provider?.type !== "credentials"
  const scope = await openScope(engine, request, !isReturn)
  const mustProve = mustVerify(action, provider)
  if (method === "POST" && mustProve && !scope.csrf.verified) {
    return withCookies(failure(new MissingCSRF("The CSRF token is missing or wrong")), scope.cookies)
  }
  const result = await attempt(() => handler(engine, scope, provider))
  // A provider's post comes without this browser's cookies: setting them anew would replace those it has.
  return method === "POST" && !mustProve ? result : withCookies(result, scope.cookies)
}

function providerOf({ providers }: Engine, { providerId }: Route): ResolvedProvider | undefined {
  if (providerId === undefined) return undefined
  const provider = providers.get(providerId)
  if (provider) return provider
  throw new InvalidProvider(`There is no provider "${providerId}"; available: ${[...providers.keys()].join(", ")}`)
}

function mustVerify({ csrf }: Action, provider: ResolvedProvider | undefined): boolean {
  if (typeof csrf === "string") return csrf === "always"
  return provider !== undefined && csrf.includes(provider.type)
}

/** A failed action still leaves the cookies that this browser needs for the next one. */
async function attempt(run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    return toFailure(error)
  }
}
