/** How an OAuth client's requests are sent, and its answers read. */
import type { CustomFetch, CustomFetchOptions } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { isPromise } from "../awaitable.js"
import { readLimited } from "../bytes.js"
import { within } from "../deadline.js"
import type { Awaitable } from "../types.js"

/** Calls of one client. A provider's `token.conform` mends the token response on its way in. */
export function transport(engine: Engine, provider: OAuthProvider): CustomFetch {
  const send = sender(engine, provider)
  return async (url, options) => {
    const response = await send(url, options)
    if (!isTokenRequest(options)) return response
    const conforming = (await inTime(engine, provider.token.conform?.(response.clone()))) ?? response
    return provider.type === "oauth" ? withoutIdToken(conforming) : conforming
  }
}

/** Whether it asks for tokens: pushed authorization requests are posted, too. */
export function isTokenRequest({ method, body }: Pick<CustomFetchOptions, "method" | "body">): boolean {
  return method === "POST" && body instanceof URLSearchParams && body.has("grant_type")
}

/** Calls of one discovery. */
export interface DiscoveryTransport {
  /** The document comes from the cache while it is fresh, or while the issuer is out of reach. */
  readonly send: CustomFetch
  /** Forgets what was read, as it turned out to be of no use. */
  readonly forget: () => void
}

export function discoveryTransport(engine: Engine, provider: OAuthProvider): DiscoveryTransport {
  const { documents, fetch: plainFetch } = engine.ports
  const send = sender(engine, provider)
  const source = provider.fetch ?? plainFetch
  const asked = new Set<string>()
  return {
    async send(url, options) {
      asked.add(url)
      const text = await documents.get(source, url, async () => {
        const response = await send(url, options)
        if (response.status !== 200) throw new Error(`discovery at ${url} answered ${response.status}`)
        return requireMetadata(await response.text(), url)
      })
      return new Response(text, { headers: { "content-type": "application/json" } })
    },
    forget: () => asked.forEach((url) => documents.forget(source, url)),
  }
}

/** What is no metadata must not stay in the cache. */
function requireMetadata(text: string, url: string): string {
  try {
    const metadata: unknown = JSON.parse(text)
    if (typeof metadata === "object" && metadata !== null && "issuer" in metadata) return text
  } catch {
    // Reported below, without quoting it.
  }
  throw new Error(`discovery at ${url} answered with something else than an issuer's metadata`)
}

/**
 * Sends, and reads the whole answer, within `timeouts.provider`; a fetch of the application's own may not heed the signal.
 * openid-client types a body more widely than `fetch` does; it sends text and URLSearchParams only.
 */
function sender(engine: Engine, provider: OAuthProvider): CustomFetch {
  const fetchOnce = (provider.fetch ?? engine.ports.fetch) as CustomFetch
  return (url, options) => {
    const signal = AbortSignal.timeout(Math.ceil(engine.timeouts.provider * 1000))
    return inTime(engine, fetchOnce(url, { ...options, signal }).then(readLimited))
  }
}

/** @throws Error when it takes longer than a provider may take. */
export async function inTime<T>({ timeouts }: Pick<Engine, "timeouts">, answer: Awaitable<T>): Promise<T> {
  if (!isPromise(answer)) return answer
  return within(timeouts.provider, answer, () => new Error(`no answer within ${timeouts.provider} s`))
}

/** Plain OAuth 2 has no issuer whose keys could verify an ID token, so one that comes along is not looked at. */
async function withoutIdToken(response: Response): Promise<Response> {
  if (!response.ok || !response.headers.get("content-type")?.includes("json")) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof body !== "object" || body === null || !("id_token" in body)) return response
  const { id_token: _unverifiable, ...rest } = body
  return Response.json(rest, { status: response.status })
}
