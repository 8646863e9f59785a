/** Asks a provider for a new access token (RFC 6749, section 6; OpenID Connect Core, section 12). */
import { refreshTokenGrant, ResponseBodyError } from "openid-client"
import { unverifiedClaims } from "../crypto/unverified.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { TokenRefreshError } from "../errors.js"
import { clientFor } from "../oauth/client.js"
import { dpopHandleFor } from "../oauth/dpop.js"
import { readIdToken } from "../oauth/id-token.js"
import { withoutSecrets } from "../oauth/safe-error.js"
import { readTokens } from "../oauth/token-response.js"
import type { KeptTokens, TokenSet } from "../types.js"

/**
 * What the provider made of a refresh token. `refused`: it is worth nothing any more. `subject-changed`: what came is about
 * another person, so whose session this is cannot be relied on. `failed`: nothing says that it was used.
 */
export type Refreshed =
  | { readonly kind: "fresh"; readonly tokens: TokenSet }
  | { readonly kind: "refused" }
  | { readonly kind: "subject-changed" }
  | { readonly kind: "failed"; readonly error: TokenRefreshError }

/** Errors by which providers say that a refresh token is over: RFC 6749, section 5.2, and what vendors have beside it. */
const overCodes: ReadonlySet<string> = new Set([
  "invalid_grant",
  "interaction_required",
  "login_required",
  "consent_required",
  "bad_refresh_token",
])

/** Never throws, so that whoever joins gets a value to decide by. Errors are without secrets. */
export async function refreshTokens(engine: Engine, provider: OAuthProvider, kept: KeptTokens): Promise<Refreshed> {
  try {
    const client = await clientFor(engine, provider)
    const DPoP = await dpopHandleFor(client, provider)
    const response = await refreshTokenGrant(client, kept.refresh_token ?? "", undefined, { DPoP })
    const tokens = readTokens(engine, provider, response)
    if (provider.type === "oidc" && tokens.id_token !== undefined) {
      const claims = await readIdToken(engine, provider, client.serverMetadata(), tokens)
      if (!isSamePerson(kept, claims.sub)) return { kind: "subject-changed" }
    }
    return { kind: "fresh", tokens: { ...tokens, ...leftOut(tokens, kept) } }
  } catch (error) {
    if (error instanceof ResponseBodyError && overCodes.has(error.error)) return { kind: "refused" }
    const message = `The access token of "${provider.id}" could not be refreshed`
    return { kind: "failed", error: new TokenRefreshError(message, { cause: { err: withoutSecrets(error) } }) }
  }
}

/** OpenID Connect Core, section 12.2: the subject stays. */
function isSamePerson({ id_token }: KeptTokens, sub: unknown): boolean {
  return !id_token || unverifiedClaims(id_token)?.["sub"] === sub
}

/** What a provider need not repeat (RFC 6749, sections 5.1 and 6) stays as it was. */
function leftOut({ refresh_token, scope, id_token }: KeptTokens, kept: KeptTokens): KeptTokens {
  return {
    refresh_token: refresh_token ?? kept.refresh_token,
    scope: scope ?? kept.scope,
    id_token: id_token ?? kept.id_token,
  }
}
