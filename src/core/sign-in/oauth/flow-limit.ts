/** Keeps flows that nobody finished from filling the browser's cookie header. */
import type { Engine } from "../../engine/engine.js"
import type { Scope } from "../../engine/scope.js"
import { expireCookie, type CookieWrite } from "../../http/cookies.js"

/** Flows that one browser may have in flight. */
const maxFlows = 5
const suffixForm = /^[0-9a-f]{16}$/

/** Expires the oldest flows of this browser, so that there is room for one more. */
export async function evictOldFlows(engine: Engine, { request, settings }: Scope): Promise<readonly CookieWrite[]> {
  const prefix = `${settings.state.name}.`
  const suffixes = Object.keys(request.cookies)
    .filter((name) => name.startsWith(prefix) && suffixForm.test(name.slice(prefix.length)))
    .map((name) => name.slice(prefix.length))
  if (suffixes.length < maxFlows) return []

  const started = await Promise.all(
    suffixes.map(async (suffix) => ({
      suffix,
      at: await startOf(engine, settings.state.name, request.cookies[prefix + suffix]),
    })),
  )
  // Browsers send older cookies first (RFC 6265, section 5.4), which decides between flows of one moment.
  const old = started.toSorted((a, b) => a.at - b.at).slice(0, started.length - maxFlows + 1)
  const checks = [settings.state, settings.pkceCodeVerifier, settings.nonce]
  return old
    .flatMap(({ suffix }) => checks.map(({ name, options }) => expireCookie(`${name}.${suffix}`, options)))
    .filter(({ name }) => request.cookies[name] !== undefined)
}

/** When a flow was started; one that cannot be read goes first. */
async function startOf(engine: Engine, salt: string, cookie: string | undefined): Promise<number> {
  try {
    const { at } = await engine.keys.unseal(cookie ?? "", salt, engine.ports.now() / 1000)
    return typeof at === "number" ? at : 0
  } catch {
    return 0
  }
}
