/** The browser comes back from a provider that has ended its session (OpenID Connect RP-Initiated Logout 1.0, section 3). */
import type { Engine } from "../engine/engine.js"
import { redirectTarget } from "../engine/scope.js"
import type { AuthRequest } from "../http/request.js"
import { redirect, type Result } from "../http/result.js"
import { readLogoutState } from "./logout-state.js"

/** Nothing is left to be done, so nothing can fail: without a `state` of ours, the way leads to the front page. */
export async function returnFromLogout(engine: Engine, { url }: AuthRequest, providerId: string): Promise<Result> {
  const to = await readLogoutState(engine, providerId, url.searchParams.get("state") ?? "")
  return redirect(to === undefined ? url.origin : await redirectTarget(engine, to, url.origin))
}
