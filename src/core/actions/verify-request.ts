/** `GET verify-request`: tells somebody to look into their mailbox. */
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import { withSearch } from "../http/redirects.js"
import { page, redirect, type Result } from "../http/result.js"
import { ownPage, pageFrame } from "./page-frame.js"

export function showVerifyRequestPage(engine: Engine, scope: Scope): Result {
  const own = ownPage(engine.pages.verifyRequest, scope, "verify-request")
  if (own) return redirect(withSearch(own, scope.request.url.search))
  return page({ view: "verify-request", ...pageFrame(engine.theme, scope) })
}
