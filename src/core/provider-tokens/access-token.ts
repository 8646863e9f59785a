/** A provider's access token for a signed-in user: refreshed when it is about to expire, once for all who ask. */
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration, InvalidProvider, ReauthenticationRequired, type AuthErrorLike } from "../errors.js"
import type { CookieWrite } from "../http/cookies.js"
import { idText } from "../storage/records.js"
import { hasAccountRecords } from "../storage/store.js"
import { unreachable } from "../unreachable.js"
import { tokensFromRecord } from "./account-record.js"
import { clearKept, type Visit } from "./kept.js"
import { tokensFromCookie } from "./kept-cookie.js"
import { toAccessToken, type AccessToken, type AccessTokenOptions } from "./tokens.js"

/** A token or the reason why there is none, and what must reach the browser in either case. */
export type AccessTokenOutcome =
  | { readonly kind: "token"; readonly token: AccessToken; readonly cookies: readonly CookieWrite[] }
  | { readonly kind: "failure"; readonly error: AuthErrorLike; readonly cookies: readonly CookieWrite[] }

export interface TokenVisit extends Visit {
  /** Whether the session of this request was read, and lives: that it has cookies says little. */
  readonly isSignedIn: boolean
  /** Whether the answer to this request can still carry cookies. */
  readonly canWrite: boolean
}

/**
 * @throws ReauthenticationRequired when only a new sign-in helps; TokenRefreshError when the provider fails; AdapterError when
 * the store does; InvalidProvider for a provider that has no tokens; InvalidConfiguration where nothing keeps them.
 */
export async function findAccessToken(
  engine: Engine,
  visit: TokenVisit,
  providerId: string,
  options: AccessTokenOptions = {},
): Promise<AccessTokenOutcome> {
  const provider = requireProvider(engine, providerId)
  const { store } = engine
  if (!visit.isSignedIn) throw new ReauthenticationRequired(provider.id, "signed-out")
  if (hasAccountRecords(store)) {
    const userId = idText((await engine.sessions.currentUser(visit.session)) ?? {})
    if (userId === undefined) throw new ReauthenticationRequired(provider.id, "signed-out")
    const tokens = await tokensFromRecord({ engine, store, provider, userId, options })
    if (tokens === "subject-changed") return endSession(engine, visit, provider)
    return { kind: "token", token: toAccessToken(tokens), cookies: [] }
  }
  if (!engine.keepsTokens) throw new InvalidConfiguration(notKept)
  const found = await tokensFromCookie({ engine, visit, provider, options, canWrite: visit.canWrite })
  switch (found.kind) {
    case "subject-changed":
      return endSession(engine, visit, provider)
    case "failed":
      return failed(found.error, found.cookies)
    case "tokens":
      return { kind: "token", token: toAccessToken(found.tokens), cookies: found.cookies }
    default:
      return unreachable(found, "outcome")
  }
}

const notKept =
  "getAccessToken needs an adapter with listAccountsByUserId and updateAccount, as ours have, or `session.providerTokens: true`"

/** @throws InvalidProvider */
function requireProvider({ providers }: Engine, id: string): OAuthProvider {
  const provider = providers.get(id)
  if (provider?.type === "oauth" || provider?.type === "oidc") return provider
  throw new InvalidProvider(`"${id}" is no OAuth provider of this configuration, so it has no access tokens`)
}

/** Whose session this is cannot be relied on any more. */
async function endSession(engine: Engine, visit: Visit, { id }: OAuthProvider): Promise<AccessTokenOutcome> {
  const { cookies, event, failure } = await engine.sessions.end(visit.session)
  if (event) await emit(engine, "signOut", event)
  const error: AuthErrorLike = failure ?? new ReauthenticationRequired(id, "refused")
  return failed(error, [...cookies, ...clearKept(visit)])
}

function failed(error: AuthErrorLike, cookies: readonly CookieWrite[]): AccessTokenOutcome {
  return { kind: "failure", error, cookies }
}
