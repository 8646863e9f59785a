/** Requests as the faulty provider reads and records them. */

export type FaultyEndpoint = "discovery" | "jwks" | "authorize" | "token" | "userinfo" | "end_session" | "other"

export interface FaultyRequest {
  readonly endpoint: FaultyEndpoint
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: URLSearchParams
  readonly redirect: RequestRedirect
  /** Whether whoever asks would give up at some point. Told in process only. */
  readonly hasDeadline: boolean
}

export async function readRequest(...[input, init]: Parameters<typeof fetch>): Promise<FaultyRequest> {
  const request = new Request(input, init)
  const url = new URL(request.url)
  return {
    endpoint: endpointOf(url),
    method: request.method,
    url,
    headers: request.headers,
    body: new URLSearchParams(await request.text()),
    redirect: request.redirect,
    hasDeadline: init?.signal instanceof AbortSignal,
  }
}

/** What tells that whoever asked has given up. */
export function signalOf(...[input, init]: Parameters<typeof fetch>): AbortSignal | undefined {
  return init?.signal ?? (input instanceof Request ? input.signal : undefined)
}

const endings: readonly (readonly [ending: string, FaultyEndpoint])[] = [
  ["/.well-known/openid-configuration", "discovery"],
  ["/jwks", "jwks"],
  ["/authorize", "authorize"],
  ["/token", "token"],
  ["/userinfo", "userinfo"],
  ["/end_session", "end_session"],
]

function endpointOf({ pathname }: URL): FaultyEndpoint {
  return endings.find(([ending]) => pathname.endsWith(ending))?.[1] ?? "other"
}
