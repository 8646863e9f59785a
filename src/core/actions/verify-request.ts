/** `GET verify-request`: tells somebody to look into their mailbox. */
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import { absoluteUrl, withQuery } from "../http/redirects.js"
import { page, redirect, type Result } from "../http/result.js"
import { pageFrame } from "./page-frame.js"

export function showVerifyRequestPage(engine: Engine, scope: Scope): Result {
  const { verifyRequest } = engine.pages
  const query = Object.fromEntries(scope.request.url.searchParams)
  if (verifyRequest) return redirect(withQuery(absoluteUrl(verifyRequest, scope.origin), query))
  return page({ view: "verify-request", ...pageFrame(engine.theme, scope) })
}
