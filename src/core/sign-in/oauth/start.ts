/** Sends the browser to an OAuth provider (RFC 6749, section 4.1.1). */
import type { Configuration } from "openid-client"
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import type { Scope } from "../../engine/scope.js"
import { isAuthError } from "../../errors.js"
import { asError, messageChain } from "../../thrown.js"
import { redirect, type Result } from "../../http/result.js"
import { authorizationUrl } from "../../oauth/authorization-request.js"
import { clientFor } from "../../oauth/client.js"
import { evictOldFlows } from "./flow-limit.js"
import { startFlow } from "./flow.js"
import { requestedParameters } from "./requested-parameters.js"

export interface StartOptions {
  readonly callbackUrl: string
  /** Replaces a flow that was lost. A restarted flow is not restarted again. */
  readonly isRestart: boolean
}

/** @throws when the provider cannot be reached or is not configured. */
export async function startOAuth(
  engine: Engine,
  scope: Scope,
  provider: OAuthProvider,
  { callbackUrl, isRestart }: StartOptions,
): Promise<Result> {
  const client = await orExplain(provider, () => clientFor(engine, provider))
  const { redirectUri, origin } = returnAddress(scope, provider)
  const { params, cookies } = await startFlow(engine, scope, provider, {
    pkce: provider.checks.pkce && acceptsPkce(client),
    nonce: provider.checks.nonce,
    redirectUri,
    origin,
    callbackUrl,
    // A flow that replaces a lost one was not started by anybody: it signs in, and links nothing.
    startedBy: isRestart || !engine.store ? undefined : await engine.sessions.mark(scope.session),
    isRestart,
  })
  const request = {
    response_type: "code",
    redirect_uri: redirectUri,
    ...provider.authorization.params,
    ...(isRestart ? {} : requestedParameters(scope.request.url.searchParams, provider)),
    ...params,
  }
  const url = await orExplain(provider, () => authorizationUrl(client, provider, request))
  engine.logger.debug("authorization url is ready", { provider: provider.id, url })
  return redirect(url.href, [...(await evictOldFlows(engine, scope)), ...cookies])
}

async function orExplain<T>({ id }: OAuthProvider, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new Error(`Signing in with "${id}" could not be started: ${messageChain(asError(error))}`, {
      cause: asError(error),
    })
  }
}

/** With a redirect proxy the provider returns there, and `state` says whereto from there. */
function returnAddress({ baseUrl, origin }: Scope, { id, redirectProxyUrl }: OAuthProvider) {
  const own = `${baseUrl}/callback/${id}`
  if (redirectProxyUrl === undefined || new URL(redirectProxyUrl).origin === origin) return { redirectUri: own }
  return { redirectUri: `${redirectProxyUrl.replace(/\/$/, "")}/callback/${id}`, origin: own }
}

/** Only a server that lists its methods and leaves S256 out is known not to support it (RFC 8414, section 2). */
function acceptsPkce(client: Configuration): boolean {
  const methods: unknown = client.serverMetadata().code_challenge_methods_supported
  return !Array.isArray(methods) || methods.includes("S256")
}
