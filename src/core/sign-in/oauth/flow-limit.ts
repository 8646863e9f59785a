/** Keeps flows that nobody finished from filling the browser's cookie header. */
import type { Engine } from "../../engine/engine.js"
import type { Scope } from "../../engine/scope.js"
import type { CookieSerializeOptions } from "../../types.js"
import { expireCookie, type CookieWrite } from "../../http/cookies.js"

/** Flows that one browser may have in flight, and how long their cookies may be together: servers take 16 KB of headers. */
const maxFlows = 5
const maxCharacters = 7000
const suffixForm = /^[0-9a-f]{16}$/

/** Expires the oldest flows of this browser, so that there is room for one more. */
export async function evictOldFlows(engine: Engine, { request, settings }: Scope): Promise<readonly CookieWrite[]> {
  const prefix = `${settings.state.name}.`
  const suffixes = Object.keys(request.cookies)
    .filter((name) => name.startsWith(prefix) && suffixForm.test(name.slice(prefix.length)))
    .map((name) => name.slice(prefix.length))
  const flows = await Promise.all(
    suffixes.map(async (suffix) => ({
      cookies: heldCookies({ request, settings }, suffix),
      at: await startOf(engine, settings.state.name, request.cookies[prefix + suffix]),
    })),
  )
  // Browsers send older cookies first (RFC 6265, section 5.4), which decides between flows of one moment.
  const newestFirst = flows.toSorted((a, b) => a.at - b.at).toReversed()
  return newestFirst
    .filter((_, index) => !fits(newestFirst.slice(0, index + 1)))
    .flatMap(({ cookies }) => cookies.map(({ name, options }) => expireCookie(name, options)))
}

interface HeldCookie {
  readonly name: string
  readonly length: number
  readonly options: CookieSerializeOptions
}

/** Whether flows leave room for one more. */
function fits(flows: readonly { readonly cookies: readonly HeldCookie[] }[]): boolean {
  const characters = flows.flatMap(({ cookies }) => cookies).reduce((sum, { length }) => sum + length, 0)
  return flows.length < maxFlows && characters <= maxCharacters
}

function heldCookies(
  { request, settings }: Pick<Scope, "request" | "settings">,
  suffix: string,
): readonly HeldCookie[] {
  return [settings.state, settings.pkceCodeVerifier, settings.nonce]
    .map(({ name, options }) => ({ name: `${name}.${suffix}`, options }))
    .flatMap(({ name, options }) => {
      const value = request.cookies[name]
      return value === undefined ? [] : [{ name, options, length: name.length + value.length }]
    })
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
