/** How providers that fetch the profile in their own way ask for it. */
import { readLimited } from "../core/bytes.js"
import { customFetch, readSymbol } from "../core/symbols.js"
import type { TokenSet } from "../core/types.js"

/**
 * GETs JSON with the access token, by the `customFetch` of `options` if there is one.
 * @throws Error with the `status` of an answer that is no success; otherwise when it is not JSON, or takes longer than 10 seconds.
 */
export async function getJson(options: object, url: string | URL, { access_token }: TokenSet): Promise<unknown> {
  const send = (readSymbol(options, customFetch) ?? fetch) as typeof fetch
  // GitHub refuses requests without a User-Agent.
  const headers = { authorization: `Bearer ${access_token}`, "user-agent": "latchkey", accept: "application/json" }
  // The token is for this address alone, so a redirect is not followed.
  const response = await readLimited(
    await send(url, { headers, redirect: "manual", signal: AbortSignal.timeout(10_000) }),
  )
  const { host, pathname } = new URL(url)
  if (!response.ok) {
    const { status } = response
    throw Object.assign(new Error(`${host} answered ${status} at ${pathname}`), { status })
  }
  return response.json()
}
