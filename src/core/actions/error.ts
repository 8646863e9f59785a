/** `GET error`: says what went wrong, in the words of a closed set. */
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import { withQuery } from "../http/redirects.js"
import { page, redirect, type Result } from "../http/result.js"
import { errorPageStatus, type ErrorPage } from "../pages/models.js"
import { takeErrorNote } from "./error-note.js"
import { ownPage, pageFrame } from "./page-frame.js"

export async function showErrorPage(engine: Engine, scope: Scope): Promise<Result> {
  const { request, settings } = scope
  const given = request.url.searchParams.get("error")
  const own = ownPage(engine.pages.error, scope, "error")
  if (own) return redirect(withQuery(own, { error: given ?? "Default" }))
  const error = isKnown(given) ? given : "Default"
  const { note, cookies } = await takeErrorNote(engine, settings, request.cookies)
  return page({ view: "error", ...pageFrame(engine.theme, scope), error, ...note }, errorPageStatus[error], cookies)
}

function isKnown(error: string | null): error is ErrorPage["error"] {
  return error !== null && Object.hasOwn(errorPageStatus, error)
}
