/** The applications that the local provider knows. */
import { randomBytes } from "node:crypto"

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

export type ClientMetadata = Readonly<Record<string, unknown>>

const withoutSecret: readonly unknown[] = ["none", "private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth"]

/** The client that every local provider has: it authenticates with `client_secret_basic`. */
export function mainClient(
  backchannelLogoutUri: string | undefined,
): ClientMetadata & { readonly client_secret: string } {
  const logout = { backchannel_logout_uri: backchannelLogoutUri, backchannel_logout_session_required: true }
  return {
    ...defaults,
    client_id: "latchkey-local",
    client_secret: newSecret(),
    ...(backchannelLogoutUri === undefined ? {} : logout),
  }
}

/** The metadata of a client, complete. */
export function completeClient(client: OpenIDClient, index: number): ClientMetadata {
  const hasSecret = !withoutSecret.includes(client.token_endpoint_auth_method)
  return {
    ...defaults,
    client_id: `latchkey-local-${index + 1}`,
    ...(hasSecret ? { client_secret: newSecret() } : {}),
    ...client,
  }
}

export function credentialsOf({ client_id, client_secret }: ClientMetadata): OpenIDCredentials {
  return {
    clientId: String(client_id),
    clientSecret: typeof client_secret === "string" ? client_secret : undefined,
  }
}

const defaults: ClientMetadata = {
  grant_types: ["authorization_code", "refresh_token"],
  // At least one is required; which ones really count, isLoopbackUri says.
  redirect_uris: ["http://localhost/callback"],
}

function newSecret(): string {
  return randomBytes(32).toString("base64url")
}
