/**
 * Tokens that are kept with the browser where no store keeps them: sealed, in cookies of their own, so that the session
 * cookie stays small. They count only together with the session that they came with.
 */
import type { Engine } from "../engine/engine.js"
import {
  clearSessionCookie,
  readSessionCookie,
  writeSessionCookie,
  type Cookies,
  type CookieSettings,
  type CookieWrite,
} from "../http/cookies.js"
import type { SessionContext } from "../sessions/strategy.js"
import type { Account, KeptTokens } from "../types.js"
import { pickTokens } from "./tokens.js"

export interface KeptAccount extends KeptTokens {
  readonly providerAccountId: string
}

export interface Kept {
  /** Mark of the session. */
  readonly mark: string
  /** Whose session it is. */
  readonly userId: string
  /** By provider. */
  readonly accounts: Readonly<Record<string, KeptAccount>>
}

/** A request with the cookies that it brought. */
export interface Visit {
  readonly session: SessionContext
  readonly settings: CookieSettings
}

/** What is kept for the session of this request; `undefined` when there is nothing, or it belongs to another session. */
export async function readKept(engine: Engine, { session, settings }: Visit): Promise<Kept | undefined> {
  const sealed = readSessionCookie(session.cookies, settings.providerTokens.name)
  if (sealed === undefined) return undefined
  const kept = await openKept(engine, sealed, settings)
  return kept && kept.mark === (await engine.sessions.mark(session)) ? kept : undefined
}

async function openKept(engine: Engine, sealed: string, settings: CookieSettings): Promise<Kept | undefined> {
  try {
    const { kept } = await engine.keys.unseal(sealed, settings.providerTokens.name, engine.ports.now() / 1000)
    // Only we can seal, so this is what was written below.
    return kept as Kept
  } catch {
    return undefined
  }
}

/** Seals what is kept. @throws RangeError when it is longer than ten cookies hold. */
export async function writeKept(
  engine: Engine,
  { session: { cookies }, settings: { providerTokens } }: Visit,
  kept: Kept,
): Promise<readonly CookieWrite[]> {
  const { tokenMaxAge } = engine
  const now = Math.floor(engine.ports.now() / 1000)
  const sealed = await engine.keys.seal({ kept }, providerTokens.name, now, tokenMaxAge)
  return writeSessionCookie(sealed, new Date((now + tokenMaxAge) * 1000), providerTokens, cookies)
}

export function clearKept({ session: { cookies }, settings }: Visit): readonly CookieWrite[] {
  return clearSessionCookie(settings.providerTokens, cookies)
}

/**
 * Keeps the tokens of a sign-in, beside those of the same user's other providers.
 * @param sessionCookies The new session, as it is about to be written.
 */
export async function keepTokens(
  engine: Engine,
  visit: Visit,
  { account, userId }: { readonly account: Account; readonly userId: string },
  sessionCookies: readonly CookieWrite[],
): Promise<readonly CookieWrite[]> {
  const { session } = visit
  const mark = await engine.sessions.mark({ ...session, cookies: applied(session.cookies, sessionCookies) })
  if (mark === undefined || !account.access_token) return clearKept(visit)
  const earlier = await readKept(engine, visit)
  const others = earlier?.userId === userId ? earlier.accounts : {}
  const { provider, providerAccountId } = account
  const before = others[provider]
  const tokens = pickTokens(account)
  // Many providers give a refresh token with the first consent alone.
  const refresh_token =
    tokens.refresh_token ?? (before?.providerAccountId === providerAccountId ? before.refresh_token : undefined)
  const accounts = { ...others, [provider]: { ...tokens, refresh_token, providerAccountId } }
  return writeKept(engine, visit, { mark, userId, accounts })
}

/** The cookies as the browser will have them. */
function applied(cookies: Cookies, writes: readonly CookieWrite[]): Cookies {
  return { ...cookies, ...Object.fromEntries(writes.map(({ name, value }) => [name, value])) }
}
