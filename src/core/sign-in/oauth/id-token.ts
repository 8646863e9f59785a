/** The claims of an ID token, and the rules of OpenID Connect Core 3.1.3.7 that `openid-client` leaves to us. */
import { base64url } from "jose"
import type { Profile, TokenSet } from "../../types.js"

/** How long ago a token may have been issued that was asked for just now. */
const maxAgeSeconds = 10 * 60
const skewSeconds = 60

export interface IdTokenChecks {
  readonly clientId: string | undefined
  /** Seconds since the epoch. */
  readonly now: number
}

/**
 * The claims of an ID token whose signature, issuer, audience, expiry and nonce have been verified.
 * @throws Error when it is for another party, was issued at another time, or with another access token.
 */
export async function readIdToken(tokens: TokenSet, { clientId, now }: IdTokenChecks): Promise<Profile> {
  const [header = "", payload = ""] = tokens.id_token?.split(".") ?? []
  const claims = parsePart(payload)
  const { azp, iat, at_hash } = claims
  if (azp !== undefined && azp !== clientId) throw new Error('the ID token is for another party ("azp")')
  if (typeof iat !== "number" || iat > now + skewSeconds || iat < now - maxAgeSeconds) {
    throw new Error('the ID token was not issued just now ("iat"): compare the clocks of both servers')
  }
  if (at_hash !== undefined && at_hash !== (await accessTokenHash(tokens, parsePart(header)["alg"]))) {
    throw new Error('the ID token came with another access token ("at_hash")')
  }
  return claims
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
