/** How providers that fetch the profile in their own way ask for it. */
import { customFetch, readSymbol } from "../core/symbols.js"
import type { TokenSet } from "../core/types.js"

/**
 * GETs JSON with the access token, by the `customFetch` of `options` if there is one.
 * @throws when the answer is no success, is not JSON, or takes longer than 10 seconds.
 */
export async function getJson(options: object, url: string | URL, { access_token }: TokenSet): Promise<unknown> {
  const send = (readSymbol(options, customFetch) ?? fetch) as typeof fetch
  // GitHub refuses requests without a User-Agent.
  const headers = { authorization: `Bearer ${access_token}`, "user-agent": "latchkey", accept: "application/json" }
  const response = await send(url, { headers, signal: AbortSignal.timeout(10_000) })
  const { host, pathname } = new URL(url)
  if (!response.ok) throw new Error(`${host} answered ${response.status} at ${pathname}`)
  return response.json()
}
