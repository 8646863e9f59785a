/** `GET csrf`: the token that forms of an application's own must carry. */
import type { Engine } from "../engine/engine.js"
import type { Scope } from "../engine/scope.js"
import { expireCookie } from "../http/cookies.js"
import { empty, json, type Result } from "../http/result.js"

export function showCsrfToken(engine: Engine, { csrf, settings }: Scope): Result {
  if (engine.csrfIsChecked) return json({ csrfToken: csrf.token })
  engine.logger.warn("csrf-disabled")
  const { name, options } = settings.csrfToken
  return empty(404, {}, [expireCookie(name, options)])
}
