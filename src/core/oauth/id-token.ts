/** The claims of an ID token, and the rules of OpenID Connect Core 3.1.3.7 that `openid-client` leaves to us. */
import { base64url, compactVerify } from "jose"
import type { ServerMetadata } from "openid-client"
import type { OAuthProvider } from "../engine/providers.js"
import type { Profile, TokenSet } from "../types.js"
import { distance } from "./safe-error.js"

/** How long ago a token may have been issued that was asked for just now. */
const maxAgeSeconds = 10 * 60
/** What stands in an issuer's address for the tenant, whoever that is: anything else could change the address. */
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The algorithms by which this provider signs ID tokens with the client secret, if it does: as its client metadata says,
 * or as the issuer does who offers no other.
 */
export function symmetricAlgorithms({ client }: OAuthProvider, metadata: ServerMetadata): readonly string[] {
  const own = client.id_token_signed_response_alg
  const offered = own === undefined ? (metadata.id_token_signing_alg_values_supported ?? []) : [own]
  return offered.every((alg) => alg.startsWith("HS")) ? offered : []
}

export interface IdTokenChecks {
  readonly provider: OAuthProvider
  readonly metadata: ServerMetadata
  /** Seconds since the epoch. */
  readonly now: number
}

/**
 * The claims of an ID token whose issuer, audience, expiry and nonce, and signature by the issuer, have been verified.
 * @throws Error when it is for another party, was issued at another time, or with another access token.
 */
export async function readIdToken(tokens: TokenSet, { provider, metadata, now }: IdTokenChecks): Promise<Profile> {
  const symmetric = symmetricAlgorithms(provider, metadata)
  if (symmetric.length > 0) await verifyWithSecret(tokens, provider, symmetric)
  const [header = "", payload = ""] = tokens.id_token?.split(".") ?? []
  const claims = parsePart(payload)
  const { azp, iat, at_hash, tid } = claims
  if (metadata.issuer.includes("{tenantid}") && !guid.test(String(tid))) throw new Error('the tenant has no id ("tid")')
  if (azp !== undefined && azp !== provider.clientId) throw new Error('the ID token is for another party ("azp")')
  if (typeof iat !== "number") throw new Error('the ID token does not say when it was issued ("iat")')
  if (iat > now + provider.clockTolerance || iat < now - maxAgeSeconds) {
    throw new Error(
      `the ID token was not issued just now: "iat" is ${distance(iat, now)}, compare both servers' clocks`,
    )
  }
  if (at_hash !== undefined && at_hash !== (await accessTokenHash(tokens, parsePart(header)["alg"]))) {
    throw new Error('the ID token came with another access token ("at_hash")')
  }
  return claims
}

/** OpenID Connect Core, section 10.1. @throws Error when the signature does not hold. */
async function verifyWithSecret(
  { id_token = "" }: TokenSet,
  { clientSecret = "" }: OAuthProvider,
  algorithms: readonly string[],
): Promise<void> {
  await compactVerify(id_token, new TextEncoder().encode(clientSecret), { algorithms: [...algorithms] })
}

function parsePart(part: string): Profile {
  return JSON.parse(new TextDecoder().decode(base64url.decode(part))) as Profile
}

/** OpenID Connect Core, section 3.1.3.6: the left half of the hash that the signature's algorithm uses. */
async function accessTokenHash({ access_token = "" }: TokenSet, alg: unknown): Promise<string> {
  const size = typeof alg === "string" ? /(256|384|512)$/.exec(alg)?.[1] : undefined
  const digest = await crypto.subtle.digest(`SHA-${size ?? "512"}`, new TextEncoder().encode(access_token))
  return base64url.encode(new Uint8Array(digest, 0, digest.byteLength / 2))
}
