/** The one way in: identify → authorize → admit → establish → announce → redirect. */
import { findOwner } from "../accounts/owner.js"
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import { CallbackRouteError, isAuthError } from "../errors.js"
import { absoluteUrl, withQuery } from "../http/redirects.js"
import { failure, redirect, type Result } from "../http/result.js"
import { asError } from "../thrown.js"
import { admit } from "./admit.js"
import { announce } from "./announce.js"
import { authorize } from "./authorize.js"
import { establish } from "./establish.js"
import type { AdmittedIdentity, Identity } from "./identity.js"

export interface SignInAttempt {
  readonly provider: string
  /** The one step that depends on the type of provider. */
  readonly identify: () => Promise<Identity>
  /** Mark of the session that it was started in. */
  readonly startedBy: string | undefined
  /** Where to go when it worked; has passed the `redirect` callback. */
  readonly callbackUrl: string
}

/** Completes a sign-in. Whatever goes wrong becomes a failure, and nobody is signed in. */
export async function completeSignIn(engine: Engine, scope: Scope, attempt: SignInAttempt): Promise<Result> {
  try {
    const identity = await attempt.identify()
    const detour = await authorize(engine, scope, await withOwner(engine, identity))
    if (detour !== undefined) return redirect(detour)

    const admitted = await admit(engine, scope, identity, attempt.startedBy)
    const cookies = await establish(engine, scope, admitted)
    await announce(engine, admitted)
    return redirect(destination(engine, scope, admitted, attempt.callbackUrl), cookies)
  } catch (error) {
    return failure(isAuthError(error) ? error : wrap(error, attempt.provider))
  }
}

/** The `signIn` callback sees the stored user, where the account is known. */
async function withOwner(engine: Engine, identity: Identity): Promise<Identity> {
  const { account } = identity
  if (!engine.store || (account.type !== "oauth" && account.type !== "oidc")) return identity
  const user = await findOwner(engine.store, account)
  return user ? { ...identity, user } : identity
}

function destination(
  { pages }: Engine,
  { origin }: Scope,
  { isNewUser }: AdmittedIdentity,
  callbackUrl: string,
): string {
  return isNewUser && pages.newUser ? withQuery(absoluteUrl(pages.newUser, origin), { callbackUrl }) : callbackUrl
}

function wrap(error: unknown, provider: string): CallbackRouteError {
  return new CallbackRouteError(`Signing in with "${provider}" failed`, { cause: { err: asError(error), provider } })
}
