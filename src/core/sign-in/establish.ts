/** Starts the session of an admitted identity. */
import { unverifiedClaims } from "../crypto/unverified.js"
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import type { CookieWrite } from "../http/cookies.js"
import { keepTokens } from "../provider-tokens/kept.js"
import { idText } from "../storage/records.js"
import { logoutMarks, type LogoutMarks } from "../sessions/logout-marks.js"
import type { AdmittedIdentity } from "./identity.js"

/** The cookies that carry the new session. */
export async function establish(
  engine: Engine,
  scope: Scope,
  identity: AdmittedIdentity,
): Promise<readonly CookieWrite[]> {
  const { user, account, profile, isNewUser } = identity
  const marks = await marksOf(engine, identity)
  const cookies = await engine.sessions.create(scope.session, { user, account, profile, isNewUser, logoutMarks: marks })
  engine.sweep()
  if (!engine.keepsTokens) return cookies
  return [...cookies, ...(await keepTokens(engine, scope, { account, userId: idText(user) ?? "" }, cookies))]
}

/** Where the profile is that of the userinfo endpoint, only the ID token names the provider's session. */
async function marksOf({ providers }: Engine, { account }: AdmittedIdentity): Promise<LogoutMarks | undefined> {
  const provider = providers.get(account.provider)
  if (provider?.type !== "oidc" || !provider.backChannelLogout) return undefined
  return logoutMarks(provider.id, unverifiedClaims(account.id_token) ?? {})
}
