/** What becomes of the requests and answers of an OAuth client on their way. */
import type { CustomFetch, CustomFetchOptions } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { inTime, sender } from "./send.js"

/** Calls of one client. A provider's `token.conform` mends the token response on its way in. */
export function transport(engine: Engine, provider: OAuthProvider): CustomFetch {
  const send = sender(engine, provider)
  return async (url, options) => {
    const response = await send(url, options)
    if (!isTokenRequest(options)) return response
    const conforming = (await inTime(engine, provider.token.conform?.(response.clone()))) ?? response
    return mendTokenResponse(provider, conforming)
  }
}

/** Whether it asks for tokens: pushed authorization requests are posted, too. */
export function isTokenRequest({ method, body }: Pick<CustomFetchOptions, "method" | "body">): boolean {
  return method === "POST" && body instanceof URLSearchParams && body.has("grant_type")
}

/**
 * Some vendors refuse with status 200 (GitHub, Slack). And plain OAuth 2 has no issuer whose keys could verify an ID token,
 * so one that comes along is not looked at.
 */
async function mendTokenResponse({ type }: OAuthProvider, response: Response): Promise<Response> {
  if (!response.ok || !response.headers.get("content-type")?.includes("json")) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof body !== "object" || body === null) return response
  if ("error" in body && !("access_token" in body)) return Response.json(body, { status: 400 })
  if (type === "oidc" || !("id_token" in body)) return response
  const { id_token: _unverifiable, ...rest } = body
  return Response.json(rest, { status: response.status })
}
