/** `auth.getAccessToken`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { cookiesFor } from "../core/engine/engine.js"
import { parseCookies } from "../core/http/cookies.js"
import type { AccessToken, AccessTokenOptions } from "../core/provider-tokens/tokens.js"
import type { Instance } from "./instance.js"
import { appendCookies } from "./response.js"
import { readSession } from "./session.js"

export interface ExpressAccessTokenOptions extends AccessTokenOptions {
  /** The response, where `req.res` is not there: Express sets it, plain Node does not. */
  readonly res?: ServerResponse | undefined
}

export async function getAccessToken(
  instance: Instance,
  req: IncomingMessage & { readonly res?: ServerResponse },
  provider: string,
  { res = req.res, ...options }: ExpressAccessTokenOptions = {},
): Promise<AccessToken> {
  const engine = await instance.engineFor(req)
  const session = await readSession(instance, req, res)
  const settings = cookiesFor(engine, { protocol: instance.addressing.protocolOf(req) })
  const cookies = parseCookies(req.headers.cookie)
  // Loaded when it is needed: openid-client and jose are half of what an import costs.
  const { findAccessToken } = await import("../core/provider-tokens/access-token.js")
  const visit = {
    session: { cookies, setting: settings.sessionToken },
    settings,
    isSignedIn: session !== null,
    canWrite: res !== undefined && !res.headersSent,
  }
  const outcome = await findAccessToken(engine, visit, provider, options)
  if (res) appendCookies(res, outcome.cookies)
  if (outcome.kind === "failure") throw outcome.error
  return outcome.token
}
