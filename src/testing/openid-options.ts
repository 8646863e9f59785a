/** What the local provider is told, and tells, about applications: types that need no `oidc-provider`. */
import type { SecureContextOptions } from "node:tls"

/**
 * An application, as its metadata describe it (OpenID Connect Dynamic Client Registration 1.0, section 2, and whatever
 * else `oidc-provider` knows: `token_endpoint_auth_method`, `jwks`, `require_pushed_authorization_requests`,
 * `require_signed_request_object`, `dpop_bound_access_tokens`, `tls_client_auth_san_dns`). Any redirect URI on a
 * loopback host will do, so none has to be named.
 */
export interface OpenIDClient {
  /** Default: `latchkey-local-1` for the first one, and so on. */
  readonly client_id?: string
  /** Default: a new one at each start, where the client authenticates with one. */
  readonly client_secret?: string
  readonly [metadata: string]: unknown
}

/** How an application makes itself known. */
export interface OpenIDCredentials {
  readonly clientId: string
  /** Nothing for a client that authenticates without one. */
  readonly clientSecret: string | undefined
}

/** A key and a certificate for 127.0.0.1, as PEM texts; `ca` signs those of clients. */
export type OpenIDTls = Pick<SecureContextOptions, "key" | "cert" | "ca">

/** A logout token that was sent. */
export interface OpenIDLogout {
  readonly clientId: string
  /** Whether the application accepted it: answered 200 or 204 within 2.5 seconds. */
  readonly ok: boolean
}
