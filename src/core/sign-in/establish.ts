/** Starts the session of an admitted identity. */
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import type { CookieWrite } from "../http/cookies.js"
import { keepTokens } from "../provider-tokens/kept.js"
import { idText } from "../storage/records.js"
import type { AdmittedIdentity } from "./identity.js"

/** The cookies that carry the new session. */
export async function establish(
  engine: Engine,
  scope: Scope,
  identity: AdmittedIdentity,
): Promise<readonly CookieWrite[]> {
  const { user, account, profile, isNewUser } = identity
  const cookies = await engine.sessions.create(scope.session, { user, account, profile, isNewUser })
  engine.sweep()
  if (!engine.keepsTokens) return cookies
  return [...cookies, ...(await keepTokens(engine, scope, { account, userId: idText(user) ?? "" }, cookies))]
}
