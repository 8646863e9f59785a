/** The nine HTTP actions, and what a provider says of logouts. The HTTP door, server functions and tests read this one table. */
import type { Engine } from "../engine/engine.js"
import type { ResolvedProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import type { AuthRequest } from "../http/request.js"
import { empty, type Result } from "../http/result.js"
import type { AuthAction, ProviderType } from "../types.js"
import { handleCallback } from "./callback.js"
import { showCsrfToken } from "./csrf.js"
import { showErrorPage } from "./error.js"
import { endProviderSessions, returnFromProviderLogout } from "./logout.js"
import { listProviders } from "./providers.js"
import { readSession, updateSession } from "./session.js"
import { showSignInPage, startSignIn } from "./signin.js"
import { showSignOutPage, signOut } from "./signout.js"
import { showVerifyRequestPage } from "./verify-request.js"

type Handler = (engine: Engine, scope: Scope, provider?: ResolvedProvider) => Result | Promise<Result>
type StatelessHandler = (engine: Engine, request: AuthRequest, providerId?: string) => Result | Promise<Result>

/** What the table has a row for. A name with `/` is of a path that goes on behind the provider. */
export type ActionName = AuthAction | "callback/logout"

export interface Action {
  /** Whether a provider id may follow in the path. */
  readonly takesProvider: boolean
  readonly GET?: Handler
  readonly POST?: Handler
  /** Which POSTs must carry the CSRF token. OAuth callbacks prove themselves by `state`. */
  readonly csrf: "always" | "never" | readonly ProviderType[]
  /** Answer instead of the handlers above, and neither read nor set a cookie. */
  readonly stateless?: { readonly GET?: StatelessHandler; readonly POST?: StatelessHandler }
  /** Browsers go there, so errors are pages; otherwise they are JSON. */
  readonly isPage: boolean
  /** POSTs come from a provider's server, so their errors are JSON in any case. */
  readonly isPostedByServer?: true
  /** GET completes something, so HEAD, which must be safe, is not answered (RFC 9110, section 9.2.1). */
  readonly isUnsafeOnGet?: true
}

export const actions: Readonly<Record<ActionName, Action>> = Object.freeze({
  providers: { takesProvider: false, stateless: { GET: listProviders }, csrf: "never", isPage: false },
  csrf: { takesProvider: false, GET: showCsrfToken, csrf: "never", isPage: false },
  session: { takesProvider: false, GET: readSession, POST: updateSession, csrf: "always", isPage: false },
  signin: { takesProvider: true, GET: showSignInPage, POST: startSignIn, csrf: "always", isPage: true },
  signout: { takesProvider: false, GET: showSignOutPage, POST: signOut, csrf: "always", isPage: true },
  callback: {
    takesProvider: true,
    GET: handleCallback,
    POST: handleCallback,
    csrf: ["credentials"],
    isPage: true,
    isUnsafeOnGet: true,
  },
  "callback/logout": {
    takesProvider: true,
    stateless: { GET: returnFromProviderLogout, POST: endProviderSessions },
    csrf: "never",
    isPage: true,
    isPostedByServer: true,
    isUnsafeOnGet: true,
  },
  "verify-request": { takesProvider: false, GET: showVerifyRequestPage, csrf: "never", isPage: true },
  error: { takesProvider: false, GET: showErrorPage, csrf: "never", isPage: true },
  "webauthn-options": { takesProvider: true, stateless: { GET: withoutPasskeys }, csrf: "never", isPage: false },
} satisfies Record<ActionName, Action>)

/** No configuration with a passkey provider compiles yet, so there is nothing to offer. */
function withoutPasskeys(): Result {
  return empty(404)
}

/** Whether `action` is one of the nine. */
export function isAuthAction(action: string): action is AuthAction {
  return isActionName(action) && action !== "callback/logout"
}

function isActionName(name: string): name is ActionName {
  return Object.hasOwn(actions, name)
}

/** The methods that an action answers, for the `Allow` header (RFC 9110, section 10.2.1). */
export function allowedMethods({ GET, POST, stateless, isUnsafeOnGet }: Action): string {
  const reading = GET || stateless?.GET ? ["GET", ...(isUnsafeOnGet ? [] : ["HEAD"])] : []
  return [...reading, ...(POST || stateless?.POST ? ["POST"] : [])].join(", ")
}

/** An action in a path, and the provider id that may follow it. */
export interface Route {
  readonly action: ActionName
  readonly providerId: string | undefined
}

/** Whether a browser is there to see what went wrong; otherwise it is told in JSON. */
export function answersPages({ action }: Route, method: string): boolean {
  const { isPage, isPostedByServer } = actions[action]
  return isPage && !(isPostedByServer && method === "POST")
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === "/") end -= 1
  return path.slice(0, end)
}

/** Reads `{basePath}/{action}[/{provider}[/logout]]`. `undefined` when the path is none of ours. */
export function parseRoute(pathname: string, basePath: string): Route | undefined {
  if (!pathname.startsWith(`${basePath}/`)) return undefined
  const [, first = "", providerId, part, ...more] = withoutTrailingSlashes(pathname.slice(basePath.length)).split("/")
  // `//` inside a path is not folded: whatever limits paths in front of us does not fold it either.
  const action = part === undefined ? first : `${first}/${part}`
  if (more.length > 0 || providerId === "" || !isActionName(action)) return undefined
  if (providerId !== undefined && !actions[action].takesProvider) return undefined
  return { action, providerId: providerId === "undefined" ? undefined : providerId }
}
