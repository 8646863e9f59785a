/** The applications that the local provider knows. */
import { randomBytes } from "node:crypto"
import type { Adapter, Provider } from "oidc-provider"
import type { OpenIDClient, OpenIDCredentials } from "./openid-options.js"

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

/**
 * Makes a client known. As a stored one, and not in the configuration, of which `oidc-provider` makes copies that are no
 * plain objects inside of Jest.
 * @throws Error when its id is taken, or its metadata contradict each other.
 */
export async function addClient(provider: Provider, storage: Adapter, metadata: ClientMetadata): Promise<void> {
  const { clientId } = credentialsOf(metadata)
  if (await storage.find(clientId)) throw new Error(`Two clients have the client_id "${clientId}"`)
  await storage.upsert(clientId, metadata)
  await provider.Client.find(clientId).catch((cause: unknown) => {
    throw new Error(`The client "${clientId}" cannot be: ${describe(cause)}`, { cause })
  })
}

function describe(error: unknown): string {
  return error instanceof Error && "error_description" in error ? String(error.error_description) : String(error)
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
