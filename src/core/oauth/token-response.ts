/** The tokens of a token response (RFC 6749, section 5.1), whichever grant it answers. */
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { TokenSet } from "../types.js"

/** The last second that a JavaScript date can name. */
const latestTime = 8.64e12

/**
 * What a token response says that openid-client has accepted, with the moment at which the access token expires.
 * @throws Error when a part of it cannot be used.
 */
export function readTokens(
  { ports }: Pick<Engine, "ports">,
  { dpop }: OAuthProvider,
  response: TokenSet & { readonly access_token: string },
): TokenSet {
  const { expires_in, access_token } = response
  const expires_at = expires_in ? Math.floor(ports.now() / 1000) + expires_in : statedExpiry(response)
  // RFC 6749, appendix A.12. Anything else would be quoted by whatever refuses it.
  if (!/^[\x20-\x7e]+$/.test(access_token)) throw new Error('"access_token" has characters that it must not have')
  if (expires_at !== undefined && !(expires_at < latestTime)) throw new Error('"expires_in" is beyond all time')
  // Without the bond, whoever steals the token can use it (RFC 9449, section 5).
  if (dpop && response.token_type !== "dpop") throw new Error('the provider has not bound the token to "dpop"')
  return { ...response, expires_at }
}

/** Some providers say when, instead of how long. */
function statedExpiry({ expires_at }: TokenSet): number | undefined {
  return typeof expires_at === "number" && Number.isFinite(expires_at) && expires_at > 0 ? expires_at : undefined
}
