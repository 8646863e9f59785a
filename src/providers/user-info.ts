/** How providers that fetch the profile in their own way ask for it. */
import { readLimited } from "../core/bytes.js"
import { customFetch } from "../core/symbols.js"
import type { TokenSet } from "../core/types.js"

/** What `userinfo.request` is called with. */
export interface UserinfoContext {
  readonly tokens: TokenSet
  readonly provider: {
    readonly userinfo: { readonly url: URL }
    /** The `fetch` in effect, with its limits. */
    readonly [customFetch]?: typeof fetch | undefined
  }
}

/**
 * GETs JSON with the access token.
 * @throws Error with the `status` of an answer that is no success; otherwise when it is not JSON, or longer than 256 KB.
 */
export async function getJson({ tokens, provider }: UserinfoContext, url: string | URL): Promise<unknown> {
  const send = provider[customFetch] ?? fetch
  // GitHub refuses requests without a User-Agent.
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    "user-agent": "latchkey",
    accept: "application/json",
  }
  // The token is for this address alone, so a redirect is not followed.
  const response = await readLimited(await send(url, { headers, redirect: "manual" }))
  const { host, pathname } = new URL(url)
  if (!response.ok) {
    const { status } = response
    throw Object.assign(new Error(`${host} answered ${status} at ${pathname}`), { status })
  }
  return response.json()
}
