/** The application's say: its `signIn` callback lets an identity in, refuses it, or sends it elsewhere. */
import type { Engine } from "../engine/engine.js"
import { redirectTarget, type Scope } from "../engine/scope.js"
import { AccessDenied, isAuthError } from "../errors.js"
import { asError } from "../thrown.js"
import type { Identity } from "./identity.js"

/**
 * `undefined` when the sign-in may go on, or the address to go to instead.
 * @throws AccessDenied when the callback says no or throws; an `AuthError` of its own passes unchanged.
 */
export async function authorize(engine: Engine, scope: Scope, identity: Identity): Promise<string | undefined> {
  const answer = await askSignIn(engine, identity)
  if (!answer) throw new AccessDenied("The signIn callback refused this sign-in")
  return typeof answer === "string" ? redirectTarget(engine, answer, scope.origin) : undefined
}

async function askSignIn(engine: Engine, { user, account, profile, credentials }: Identity): Promise<boolean | string> {
  try {
    const given = account.type === "credentials" ? { credentials: { ...credentials } } : { profile }
    return await engine.callbacks.signIn({ user, account, ...given })
  } catch (error) {
    if (isAuthError(error)) throw error
    throw new AccessDenied(asError(error))
  }
}
