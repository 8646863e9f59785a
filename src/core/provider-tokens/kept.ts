/**
 * Tokens that are kept with the browser where no store keeps them: sealed, in cookies of their own, so that the session
 * cookie stays small. They count only together with the session that they came with.
 */
import { sha256Hex } from "#hash"
import type { Engine } from "../engine/engine.js"
import { InvalidConfiguration } from "../errors.js"
import {
  expireCookie,
  readSessionCookie,
  writeSessionCookie,
  type Cookies,
  type CookieSettings,
  type CookieWrite,
} from "../http/cookies.js"
import type { SessionContext } from "../sessions/strategy.js"
import type { Account, CookieOption, JWT, KeptTokens } from "../types.js"
import { pickTokens } from "./tokens.js"

export interface KeptAccount extends KeptTokens {
  readonly providerAccountId: string
}

export interface Kept {
  /** Mark of the session. */
  readonly mark: string
  /** Whose session it is. */
  readonly userId: string
  /** By provider: those that were linked to one user, where accounts are stored; otherwise the one of the sign-in. */
  readonly accounts: Readonly<Record<string, KeptAccount>>
}

/** A request with the cookies that it brought. */
export interface Visit {
  readonly session: SessionContext
  readonly settings: CookieSettings
}

/** What was kept, and when it was sealed, in seconds since the epoch. */
export type OpenedKept = Kept & { readonly sealedAt: number }

/** What is kept for the session of this request; `undefined` when there is nothing, or it belongs to another session. */
export async function readKept(engine: Engine, { session, settings }: Visit): Promise<OpenedKept | undefined> {
  if (!Object.keys(session.cookies).some((name) => name.startsWith(settings.providerTokens.name))) return undefined
  const mark = await engine.sessions.mark(session)
  if (mark === undefined) return undefined
  const sealed = readSessionCookie(session.cookies, (await cookieOf(settings, mark)).name)
  const kept = sealed === undefined ? undefined : await openKept(engine, sealed, settings)
  return kept?.mark === mark ? kept : undefined
}

/** A late answer to a request of another session must not replace what this one has. */
async function cookieOf({ providerTokens: { name, options } }: CookieSettings, mark: string): Promise<CookieOption> {
  return { name: `${name}-${(await sha256Hex(mark)).slice(0, 8)}`, options }
}

async function openKept(engine: Engine, sealed: string, settings: CookieSettings): Promise<OpenedKept | undefined> {
  try {
    return parseKept(await engine.keys.unseal(sealed, settings.providerTokens.name, engine.ports.now() / 1000))
  } catch {
    return undefined
  }
}

/** Only we can seal, but an earlier version of us may have. */
function parseKept({ iat = 0, mark, userId, accounts }: JWT): OpenedKept | undefined {
  if (typeof mark !== "string" || typeof userId !== "string") return undefined
  if (typeof accounts !== "object" || accounts === null) return undefined
  return { mark, userId, accounts: accounts as Kept["accounts"], sealedAt: iat }
}

/** Characters. With the session and the rest, servers take 16 KB of headers: beyond that nobody could even sign out. */
const maxCharacters = 7000

/** Seals what is kept: without ID tokens if it is too long, and not at all if it still is, which is logged. */
export async function writeKept(
  engine: Engine,
  { session: { cookies }, settings }: Visit,
  kept: Kept,
): Promise<readonly CookieWrite[]> {
  const cookie = await cookieOf(settings, kept.mark)
  const now = Math.floor(engine.ports.now() / 1000)
  const seal = ({ mark, userId, accounts }: Kept) =>
    engine.keys.seal({ mark, userId, accounts }, settings.providerTokens.name, now, engine.tokenMaxAge)
  const expires = new Date((now + engine.tokenMaxAge) * 1000)
  for (const candidate of [kept, withoutIdTokens(kept)]) {
    const sealed = await seal(candidate)
    if (sealed.length <= maxCharacters) return writeSessionCookie(sealed, expires, cookie, cookies)
  }
  engine.logger.error(new InvalidConfiguration(tooLong))
  return expireAll(cookies, (name) => name.startsWith(cookie.name), cookie)
}

const tooLong =
  "a provider's tokens are too long for `session.providerTokens`, and are not kept: use an adapter with listAccountsByUserId and updateAccount"

function withoutIdTokens(kept: Kept): Kept {
  const accounts = Object.entries(kept.accounts).map(([id, { id_token: _long, ...rest }]) => [id, rest] as const)
  return { ...kept, accounts: Object.fromEntries(accounts) }
}

/** Expires whatever is kept, of this session and of others. */
export function clearKept({ session: { cookies }, settings: { providerTokens } }: Visit): readonly CookieWrite[] {
  return expireAll(cookies, (name) => name.startsWith(`${providerTokens.name}-`), providerTokens)
}

function expireAll(
  cookies: Cookies,
  isMeant: (name: string) => boolean,
  { options }: CookieOption,
): readonly CookieWrite[] {
  return Object.keys(cookies)
    .filter(isMeant)
    .map((name) => expireCookie(name, options))
}

/**
 * Keeps the tokens of a sign-in, beside those of other accounts that are linked to the same user.
 * @param sessionCookies The new session, as it is about to be written.
 */
export async function keepTokens(
  engine: Engine,
  visit: Visit,
  { account, userId }: { readonly account: Account; readonly userId: string },
  sessionCookies: readonly CookieWrite[],
): Promise<readonly CookieWrite[]> {
  const { session } = visit
  const earlier = await readKept(engine, visit)
  const mark = await engine.sessions.mark({ ...session, cookies: applied(session.cookies, sessionCookies) })
  if (mark === undefined || !account.access_token) return clearKept(visit)
  const others = earlier?.userId === userId ? earlier.accounts : {}
  const own = keptAccount(account, earlier?.accounts[account.provider])
  const kept = { mark, userId, accounts: { ...others, [account.provider]: own } }
  const written = await writeKept(engine, visit, kept)
  const stale = clearKept(visit).filter(({ name }) => !written.some((write) => write.name === name))
  return [...stale, ...written]
}

/** Many providers give a refresh token with the first consent alone. Without a store, a sign-in makes another user id. */
function keptAccount(account: Account, earlier: KeptAccount | undefined): KeptAccount {
  const { providerAccountId } = account
  const tokens = pickTokens(account)
  const refresh_token = earlier?.providerAccountId === providerAccountId ? earlier.refresh_token : undefined
  return { ...tokens, refresh_token: tokens.refresh_token ?? refresh_token, providerAccountId }
}

/** The cookies as the browser will have them. */
function applied(cookies: Cookies, writes: readonly CookieWrite[]): Cookies {
  return { ...cookies, ...Object.fromEntries(writes.map(({ name, value }) => [name, value])) }
}
