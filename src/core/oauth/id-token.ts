/** The claims of an ID token, and the rules of OpenID Connect Core 3.1.3.7 that `openid-client` leaves to us. */
import { base64url, compactVerify, type CompactVerifyResult } from "jose"
import type { ServerMetadata } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { Profile, TokenSet } from "../types.js"
import { issuerKeys } from "./issuer-keys.js"
import { distance } from "./safe-error.js"
import { asymmetricAlgorithms, secretKey, symmetricAlgorithms } from "./signing-algorithms.js"

/** How long ago a token may have been issued that was asked for just now. */
const maxAgeSeconds = 10 * 60
/** What stands in an issuer's address for the tenant, whoever that is: anything else could change the address. */
const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The claims of an ID token whose issuer, audience, expiry and nonce `openid-client` has checked, and whose signature is
 * verified here.
 * @throws Error when it is not the issuer's, is for another party, was issued at another time, or with another access token;
 * InvalidConfiguration when it is signed with a client secret that is missing.
 */
export async function readIdToken(
  engine: Engine,
  provider: OAuthProvider,
  metadata: ServerMetadata,
  tokens: TokenSet,
): Promise<Profile> {
  const { payload, protectedHeader } = await verify(engine, provider, metadata, tokens)
  const now = engine.ports.now() / 1000
  const claims = JSON.parse(new TextDecoder().decode(payload)) as Profile
  const { azp, iat, at_hash, tid } = claims
  if (metadata.issuer.includes("{tenantid}") && !guid.test(String(tid))) throw new Error('the tenant has no id ("tid")')
  if (azp !== undefined && azp !== provider.clientId) throw new Error('the ID token is for another party ("azp")')
  if (typeof iat !== "number") throw new Error('the ID token does not say when it was issued ("iat")')
  if (iat > now + provider.clockTolerance || iat < now - maxAgeSeconds) {
    throw new Error(
      `the ID token was not issued just now: "iat" is ${distance(iat, now)}, compare both servers' clocks`,
    )
  }
  if (at_hash !== undefined && at_hash !== (await accessTokenHash(tokens, protectedHeader.alg))) {
    throw new Error('the ID token came with another access token ("at_hash")')
  }
  return claims
}

async function verify(
  engine: Engine,
  provider: OAuthProvider,
  metadata: ServerMetadata,
  { id_token = "" }: TokenSet,
): Promise<CompactVerifyResult> {
  const symmetric = symmetricAlgorithms(provider, metadata)
  if (symmetric.length > 0) return compactVerify(id_token, secretKey(provider), { algorithms: [...symmetric] })
  const algorithms = [...asymmetricAlgorithms(provider, metadata)]
  return compactVerify(id_token, issuerKeys(engine, provider), { algorithms })
}

/** OpenID Connect Core, section 3.1.3.6: the left half of the hash that the signature's algorithm uses. */
async function accessTokenHash({ access_token = "" }: TokenSet, alg: unknown): Promise<string> {
  const size = typeof alg === "string" ? /(256|384|512)$/.exec(alg)?.[1] : undefined
  const digest = await crypto.subtle.digest(`SHA-${size ?? "512"}`, new TextEncoder().encode(access_token))
  return base64url.encode(new Uint8Array(digest, 0, digest.byteLength / 2))
}
