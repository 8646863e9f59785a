/** What an error leaves for the error page: its reference, sealed in a cookie that lives a minute. */
import type { Engine } from "../engine/engine.js"
import { expireCookie, type Cookies, type CookieSettings, type CookieWrite } from "../http/cookies.js"

const lifetime = 60

export interface ErrorNote {
  /** Names the occurrence in the log. */
  readonly correlationId: string
  /** What was expected and what arrived; only in development. */
  readonly detail?: string
}

/** Shares attributes with the callback-url cookie, of which it is the neighbour. */
function noteCookie({ callbackUrl }: CookieSettings) {
  return { name: callbackUrl.name.replace(/[^.]*$/, "error"), options: callbackUrl.options }
}

export async function writeErrorNote(engine: Engine, settings: CookieSettings, note: ErrorNote): Promise<CookieWrite> {
  const { name, options } = noteCookie(settings)
  const value = await engine.keys.seal({ ...note }, name, Math.floor(engine.ports.now() / 1000), lifetime)
  return { name, value, options: { ...options, maxAge: lifetime } }
}

/** The note of the error that led here, if there was one, and the cookie that removes it. */
export async function takeErrorNote(
  engine: Engine,
  settings: CookieSettings,
  cookies: Cookies,
): Promise<{ readonly note?: ErrorNote; readonly cookies: readonly CookieWrite[] }> {
  const { name, options } = noteCookie(settings)
  const sealed = cookies[name]
  if (sealed === undefined) return { cookies: [] }
  const expired = [expireCookie(name, options)]
  try {
    const { correlationId, detail } = await engine.keys.unseal(sealed, name, engine.ports.now() / 1000)
    if (typeof correlationId !== "string") return { cookies: expired }
    return { note: { correlationId, detail: typeof detail === "string" ? detail : undefined }, cookies: expired }
  } catch {
    // Not ours, or older than a minute: it says nothing about this error.
    return { cookies: expired }
  }
}
