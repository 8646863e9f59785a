/** `GET signout` asks; `POST signout` ends the session. */
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import { clearKept } from "../provider-tokens/kept.js"
import type { Scope } from "../engine/scope.js"
import { failure, page, redirect, type Result } from "../http/result.js"
import { ownPage, pageFrame } from "./page-frame.js"

export function showSignOutPage(engine: Engine, scope: Scope): Result {
  const own = ownPage(engine.pages.signOut, scope, "signout")
  if (own) return redirect(own)
  return page({
    view: "signout",
    ...pageFrame(engine.theme, scope),
    csrfToken: scope.csrf.token,
    action: `${scope.baseUrl}/signout`,
    callbackUrl: scope.callbackUrl,
  })
}

export async function signOut(engine: Engine, scope: Scope): Promise<Result> {
  const { event, cookies: ended, failure: error } = await engine.sessions.end(scope.session)
  const cookies = [...ended, ...clearKept(scope)]
  if (event) await emit(engine, "signOut", event)
  return error ? failure(error, cookies) : redirect(scope.callbackUrl, cookies)
}
