/** `token.request`: a code that is exchanged in the provider's own way. */
import { allowInsecureRequests, Configuration, customFetch } from "openid-client"
import type { TokenRequestContext } from "../../providers/kinds.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { definedOnly } from "../config/merge.js"
import type { TokenSet } from "../types.js"
import { clientIdentity } from "./client-identity.js"
import { inTime, providerForHooks } from "./send.js"
import { isTokenRequest } from "./transport.js"

/** What the exchange of a code takes. */
export interface CodeExchange {
  /** Parameters of the provider's answer. */
  readonly answer: URLSearchParams
  readonly redirectUri: string
  readonly codeVerifier: string | undefined
  readonly state: string
  readonly nonce: string | undefined
}

/**
 * A client like `client`, for this exchange alone. What the hook returns stands in the place of the token response, and is
 * checked like it.
 */
export function exchangeClient(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  exchange: CodeExchange,
): Configuration {
  const own = new Configuration(client.serverMetadata(), ...clientIdentity(provider))
  own.timeout = client.timeout
  const send = client[customFetch]
  own[customFetch] = async (url, options) => {
    if (isTokenRequest(options)) return requestTokens(engine, provider, exchange)
    if (!send) throw new TypeError("a client must have a transport")
    return send(url, options)
  }
  const { issuer, wellKnown, token } = provider
  if ([issuer, wellKnown, token.url?.href].some((address) => address?.startsWith("http:"))) allowInsecureRequests(own)
  return own
}

/** @throws whatever the hook throws, or Error when it takes too long or returns no tokens. */
async function requestTokens(engine: Engine, provider: OAuthProvider, exchange: CodeExchange): Promise<Response> {
  const { answer, redirectUri, codeVerifier, state, nonce } = exchange
  const context: TokenRequestContext = {
    params: { ...Object.fromEntries(answer), redirect_uri: redirectUri },
    checks: { code_verifier: codeVerifier, state, nonce },
    provider: { ...providerForHooks(engine, provider), callbackUrl: redirectUri },
  }
  const answered: unknown = await inTime(engine, provider.token.request?.(context))
  const { tokens } = (answered ?? {}) as { readonly tokens?: TokenSet | null }
  if (typeof tokens !== "object" || tokens === null) throw new Error("token.request must return { tokens }")
  const { id_token, ...rest } = { token_type: "bearer", ...definedOnly(tokens) }
  // Plain OAuth 2 has no issuer whose keys could verify an ID token.
  return Response.json(provider.type === "oidc" ? { ...rest, id_token } : rest)
}
