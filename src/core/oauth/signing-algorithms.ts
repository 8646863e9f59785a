/** By which algorithms, and with which of its own keys, a provider signs ID tokens and logout tokens. */
import type { ServerMetadata } from "openid-client"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration } from "../errors.js"

/**
 * The algorithms by which this provider signs with the client secret, if it does: as its client metadata says, or as the
 * issuer does who offers no other (OpenID Connect Core, section 10.1).
 */
export function symmetricAlgorithms(provider: OAuthProvider, metadata: ServerMetadata): readonly string[] {
  const offered = offeredAlgorithms(provider, metadata)
  return offered.every(isSymmetric) ? offered : []
}

/** Those by which it signs with keys that the issuer publishes. Anybody who knows the client secret could sign by the others. */
export function asymmetricAlgorithms(provider: OAuthProvider, metadata: ServerMetadata): readonly string[] {
  const usable = offeredAlgorithms(provider, metadata).filter((alg) => alg !== "none" && !isSymmetric(alg))
  return usable.length > 0 ? usable : ["RS256"]
}

/** The key of `symmetricAlgorithms`. @throws InvalidConfiguration when there is no client secret. */
export function secretKey({ id, clientSecret }: OAuthProvider): Uint8Array {
  if (clientSecret) return new TextEncoder().encode(clientSecret)
  throw new InvalidConfiguration(
    `The provider "${id}" has no clientSecret, with which its tokens are signed: set it, or client.id_token_signed_response_alg`,
  )
}

function offeredAlgorithms({ client }: OAuthProvider, metadata: ServerMetadata): readonly string[] {
  const own = client.id_token_signed_response_alg
  return own === undefined ? (metadata.id_token_signing_alg_values_supported ?? []) : [own]
}

function isSymmetric(alg: string): boolean {
  return alg.startsWith("HS")
}
