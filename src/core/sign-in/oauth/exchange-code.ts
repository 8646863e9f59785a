/** Exchanges the code of a provider's answer for tokens (RFC 6749, section 4.1.3). */
import { authorizationCodeGrant, AuthorizationResponseError, type Configuration } from "openid-client"
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import { OAuthCallbackError } from "../../errors.js"
import { exchangeClient } from "../../oauth/custom-exchange.js"
import { dpopHandleFor } from "../../oauth/dpop.js"
import { maxAgeOf } from "../../oauth/requested-context.js"
import { readTokens } from "../../oauth/token-response.js"
import type { TokenSet } from "../../types.js"
import type { Flow } from "./flow.js"
import { isRefusalOfCode, RefusedCode } from "./refused-code.js"

/** @throws OAuthCallbackError when the answer is an error, another Error when it or the token response does not hold. */
export async function exchangeCode(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  flow: Flow,
  answer: URLSearchParams,
): Promise<TokenSet> {
  const url = new URL(flow.redirectUri)
  url.search = withComparableIssuer(provider, answer).toString()
  const checks = {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: provider.type === "oidc",
    maxAge: maxAgeOf(provider),
  }
  try {
    const response = provider.token.request
      ? await authorizationCodeGrant(exchangeClient(engine, client, provider, { ...flow, answer }), url, checks)
      : await authorizationCodeGrant(client, url, checks, undefined, { DPoP: await dpopHandleFor(client, provider) })
    return readTokens(engine, provider, response)
  } catch (error) {
    if (isRefusalOfCode(error)) throw new RefusedCode()
    if (!(error instanceof AuthorizationResponseError)) throw error
    const { error: code, error_description: description } = error
    throw new OAuthCallbackError(`The provider answered "${/^[a-z_]{1,40}$/.test(code) ? code : "an error"}"`, {
      cause: { provider: provider.id, code, description },
    })
  }
}

/** Without a configured issuer there is nothing to compare `iss` with (RFC 9207); redirect URIs differ by provider. */
function withComparableIssuer(provider: OAuthProvider, answer: URLSearchParams): URLSearchParams {
  if (provider.issuer !== undefined || provider.wellKnown !== undefined) return answer
  const comparable = new URLSearchParams(answer)
  comparable.delete("iss")
  return comparable
}
