/** Back-channel logout: a provider says, server to server, that sessions have ended (OpenID Connect Back-Channel Logout 1.0). */
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidCheck, UnsupportedStrategy, type AuthErrorLike } from "../errors.js"
import type { AuthRequest } from "../http/request.js"
import { empty, failure, json, type Result } from "../http/result.js"
import { withoutSecrets } from "../oauth/safe-error.js"
import { logoutMarks } from "../sessions/logout-marks.js"
import type { Revoked } from "../sessions/strategy.js"
import { readLogoutToken, type LogoutToken } from "./logout-token.js"

/**
 * 200 when the sessions are gone, 400 when the token does not hold (section 2.8).
 * @throws Error when keys or store cannot be reached, so that the provider tries again.
 */
export async function endByProvider(engine: Engine, request: AuthRequest, provider: OAuthProvider): Promise<Result> {
  try {
    const token = request.body?.["logout_token"]
    if (typeof token !== "string") throw new InvalidCheck(`"${provider.id}" posted no logout_token`)
    const { events, failure: error } = await revokeOnce(
      engine,
      provider,
      await readLogoutToken(engine, provider, token),
    )
    for (const event of events) await emit(engine, "signOut", event)
    return error ? failure(error) : empty(200)
  } catch (error) {
    if (error instanceof InvalidCheck || error instanceof UnsupportedStrategy) return refuse(engine, error)
    throw withoutSecrets(error)
  }
}

function refuse({ logger }: Engine, error: AuthErrorLike): Result {
  logger.error(error)
  return json({ error: "invalid_request" }, { status: 400 })
}

/** @throws InvalidCheck when the token was used before. */
async function revokeOnce(engine: Engine, provider: OAuthProvider, logout: LogoutToken): Promise<Revoked> {
  const { spentLogoutTokens } = engine.ports
  const { id, issuer, wellKnown, clientId } = provider
  // One process may serve several configurations.
  const name = JSON.stringify([id, issuer ?? wellKnown, clientId, logout.jti])
  if (spentLogoutTokens.has(name)) throw new InvalidCheck(`A logout token of "${provider.id}" came twice`)
  spentLogoutTokens.set(name, true)
  try {
    const revoked = await revoke(engine, provider, logout)
    if (revoked.failure) spentLogoutTokens.delete(name)
    return revoked
  } catch (error) {
    // What could not be done may be asked for again.
    spentLogoutTokens.delete(name)
    throw error
  }
}

async function revoke(engine: Engine, { id: provider }: OAuthProvider, { sub, sid }: LogoutToken): Promise<Revoked> {
  const account = sub === undefined ? undefined : { provider, providerAccountId: sub }
  return engine.sessions.revoke({ account, marks: await logoutMarks(provider, { sub, sid }) })
}
