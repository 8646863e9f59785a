/** RP-initiated logout: the provider's session ends, too (OpenID Connect RP-Initiated Logout 1.0). */
import { buildEndSessionUrl } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import { SignOutError } from "../errors.js"
import { clientFor } from "../oauth/client.js"
import { withoutSecrets } from "../oauth/safe-error.js"
import { asError } from "../thrown.js"
import { findIdToken, oidcProvider, type KeptIdToken } from "./id-token.js"
import { writeLogoutState } from "./logout-state.js"

/** Which provider's session is to end, as far as that can be said while ours still lives. */
export interface LogoutRequest {
  readonly provider: OAuthProvider | undefined
  readonly idToken: string | undefined
}

/** Never throws: whoever wants to leave must not be kept by a store that fails. */
export async function prepareLogoutRequest(engine: Engine, scope: Scope): Promise<LogoutRequest> {
  const wanted = oidcProvider(engine, scope.request.body?.["provider"])
  const kept = await keptIdToken(engine, scope, wanted)
  return { provider: wanted ?? kept?.provider, idToken: kept?.idToken }
}

async function keptIdToken(
  engine: Engine,
  scope: Scope,
  wanted: OAuthProvider | undefined,
): Promise<KeptIdToken | undefined> {
  try {
    return await findIdToken(engine, scope, wanted)
  } catch (error) {
    engine.logger.error(new SignOutError("The ID token could not be read", { cause: { err: asError(error) } }))
    return undefined
  }
}

/** The address at which the provider ends its session. `undefined` where there is none; failures are only logged. */
export async function endSessionUrl(engine: Engine, scope: Scope, logout: LogoutRequest): Promise<string | undefined> {
  const provider = logout.provider ?? (await onlyProvider(engine))
  if (!provider || !(await hasEndSession(engine, provider))) return undefined
  try {
    return await buildUrl(engine, scope, provider, logout.idToken)
  } catch (error) {
    engine.logger.error(cannotEnd(provider, error))
    return undefined
  }
}

/** Where nobody knows how the person signed in: the provider that is the only one to ask. */
async function onlyProvider(engine: Engine): Promise<OAuthProvider | undefined> {
  const candidates = [...engine.providers.keys()].flatMap((id) => oidcProvider(engine, id) ?? [])
  const answers = await Promise.all(candidates.map((provider) => hasEndSession(engine, provider)))
  const [only, ...others] = candidates.filter((_, index) => answers[index])
  return others.length === 0 ? only : undefined
}

async function hasEndSession(engine: Engine, provider: OAuthProvider): Promise<boolean> {
  try {
    const client = await clientFor(engine, provider)
    return client.serverMetadata().end_session_endpoint !== undefined
  } catch (error) {
    engine.logger.error(cannotEnd(provider, error))
    return false
  }
}

function cannotEnd({ id }: OAuthProvider, error: unknown): SignOutError {
  return new SignOutError(`The session at "${id}" could not be ended`, {
    cause: { err: withoutSecrets(error), provider: id },
  })
}

/** Characters. Servers take 8 KB or so of address; without a longer hint, the provider asks the person. */
const maxHint = 5000

async function buildUrl(
  engine: Engine,
  { baseUrl, callbackUrl }: Scope,
  provider: OAuthProvider,
  idToken: string | undefined,
): Promise<string> {
  const own = provider.client["post_logout_redirect_uris"]
  const registered: unknown = Array.isArray(own) ? own[0] : undefined
  const parameters = {
    post_logout_redirect_uri: typeof registered === "string" ? registered : `${baseUrl}/callback/${provider.id}/logout`,
    state: await writeLogoutState(engine, provider.id, callbackUrl),
    ...(idToken !== undefined && idToken.length <= maxHint ? { id_token_hint: idToken } : {}),
  }
  return buildEndSessionUrl(await clientFor(engine, provider), parameters).href
}
