/** `auth.signOut`: what `POST signout` does, for a route of the application. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { signOut } from "../core/actions/signout.js"
import { definedOnly } from "../core/config/merge.js"
import { openScope } from "../core/engine/scope.js"
import { requireTrustedHost } from "../core/engine/trust.js"
import { report } from "../core/failures.js"
import { parseCookies } from "../core/http/cookies.js"
import type { AuthRequest } from "../core/http/request.js"
import type { Session } from "../core/types.js"
import type { Instance } from "./instance.js"
import { headersOf } from "./request.js"
import { appendCookies } from "./response.js"

export interface ExpressSignOutOptions {
  /** Ends the session at the OpenID provider, too (OpenID Connect RP-Initiated Logout 1.0). Default `false`. */
  readonly federated?: boolean | undefined
  /** Which provider's. Default: the one that the person signed in with last, as far as that is known. */
  readonly provider?: string | undefined
  /** Where to go afterwards; passes the `redirect` callback. Default: where the person was last sent, or the front page. */
  readonly redirectTo?: string | undefined
}

export async function signOutOf(
  instance: Instance,
  req: IncomingMessage & { auth?: Session | null },
  res: ServerResponse,
  { federated, provider, redirectTo: callbackUrl }: ExpressSignOutOptions = {},
): Promise<string> {
  const engine = await instance.engineFor(req)
  const url = new URL(`${(await instance.addressesOf(req)).baseUrl}/signout`)
  requireTrustedHost(engine, url)
  const request: AuthRequest = {
    method: "POST",
    url,
    basePath: url.pathname.slice(0, -"/signout".length),
    headers: headersOf(req),
    cookies: parseCookies(req.headers.cookie),
    body: definedOnly({ federated, provider, callbackUrl }),
  }
  const result = await signOut(engine, await openScope(engine, request))
  appendCookies(res, result.cookies)
  req.auth = null
  if (result.kind === "redirect") return result.to
  if (result.kind !== "failure") throw new TypeError(`signing out gave a ${result.kind}`)
  report(engine, result.error)
  throw result.error
}
