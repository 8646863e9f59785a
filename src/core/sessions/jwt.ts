/** The `jwt` strategy: the session is an encrypted token in the cookie, and nothing is kept on the server. */
import type { AdapterUser } from "../../adapters/contract.js"
import type { CallbacksOptions } from "../config/config.js"
import { JWTSessionError, SignOutError, UnsupportedStrategy } from "../errors.js"
import {
  clearSessionCookie,
  findWholeCookie,
  parseCookies,
  readSessionCookie,
  writeSessionCookie,
  type CookieWrite,
} from "../http/cookies.js"
import { idText, readUserOf } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import { asError, withoutStack } from "../thrown.js"
import type { Awaitable, CookieOption, JWT, LoggerInstance, Session, User } from "../types.js"
import { isRevoked, logoutClaim, readLogoutClaim, withLogoutClaim } from "./logout-claim.js"
import { requireReturned } from "./returned.js"
import type { EndedSessions } from "./revocations.js"
import type {
  EndedSession,
  NewSession,
  Revocation,
  Revoked,
  SessionAccess,
  SessionContext,
  SessionRead,
  SessionStrategy,
} from "./strategy.js"
import {
  createTokenFormat,
  type OpenedToken,
  type RememberedToken,
  type TokenFormat,
  type TokenFormatOptions,
} from "./token-format.js"

export interface JwtSessionOptions extends TokenFormatOptions {
  /** Seconds. */
  readonly maxAge: number
  /** Seconds. */
  readonly updateAge: number
  /** Undefined where the application left the default, which lets reads skip what it could not have changed. */
  readonly callbacks: Pick<CallbacksOptions, "jwt" | "session">
  /** Where users are kept, if they are. */
  readonly store: Store | undefined
  /** Where it is written down which sessions a provider has ended, if it is. */
  readonly revocations?: EndedSessions | undefined
  readonly logger: LoggerInstance
}

interface Strategy extends JwtSessionOptions {
  readonly tokens: TokenFormat
}

export function jwtSessions(options: JwtSessionOptions): SessionStrategy {
  const strategy: Strategy = { ...options, tokens: createTokenFormat(options) }
  return {
    needsStoredUser: false,
    visit: (cookieHeader, setting) => visit(strategy, cookieHeader, setting),
    read: (context, access) => read(strategy, context, access),
    currentUser: (context) => currentUser(strategy, context),
    // Tokens are issued anew all the time; whose they are stays.
    mark: async (context) => (await claimsOf(strategy, context))?.sub,
    create: (context, signIn) => create(strategy, context, signIn),
    revoke: (revocation) => revoke(strategy, revocation),
    end: (context) => end(strategy, context),
  }
}

/** Most sessions can be told at once, and change nothing; and whoever forges tokens need not be given more time. */
function visit(strategy: Strategy, cookieHeader: string, setting: CookieOption): Awaitable<SessionRead> {
  const { callbacks } = strategy
  const token = callbacks.jwt || callbacks.session ? undefined : findWholeCookie(cookieHeader, setting.name)
  if (token === undefined) return readVisit(strategy, cookieHeader, setting)
  const peeked = peek(strategy, token, setting.name)
  if (peeked instanceof Error) return refuseVisit(strategy, cookieHeader, setting, { token, error: peeked })
  const mustAsk = strategy.revocations && readLogoutClaim(peeked?.claims ?? {})
  if (!peeked || mustAsk || isDue(strategy, peeked.claims)) return readVisit(strategy, cookieHeader, setting)
  const session = sessionOf(peeked.claims, peeked.expires)
  return { session, cookies: [], event: { session, token: peeked.claims } }
}

function readVisit(strategy: Strategy, cookieHeader: string, setting: CookieOption): Promise<SessionRead> {
  return read(strategy, { cookies: parseCookies(cookieHeader), setting }, { kind: "visit" })
}

function peek({ tokens }: Strategy, token: string, salt: string): RememberedToken | Error | undefined {
  try {
    return tokens.peek(token, salt)
  } catch (error) {
    return asError(error)
  }
}

function refuseVisit(
  strategy: Strategy,
  cookieHeader: string,
  setting: CookieOption,
  { token, error }: { readonly token: string; readonly error: Error },
): Awaitable<SessionRead> {
  const cookies = parseCookies(cookieHeader)
  // What was found at a glance may not be what a parser finds.
  if (readSessionCookie(cookies, setting.name) !== token) return readVisit(strategy, cookieHeader, setting)
  logUnusable(strategy, error)
  return { session: null, cookies: clearSessionCookie(setting, cookies) }
}

async function read(strategy: Strategy, context: SessionContext, access: SessionAccess): Promise<SessionRead> {
  const { cookies, setting } = context
  const token = readSessionCookie(cookies, setting.name)
  if (token === undefined) return { session: null, cookies: [] }
  const opened = await openOrLog(strategy, token, setting.name)
  const signedOut = { session: null, cookies: clearSessionCookie(setting, cookies) }
  if (!opened) return signedOut
  try {
    if (await isRevoked(strategy.revocations, opened.claims)) return signedOut
    return await present(strategy, opened, context, access)
  } catch (error) {
    throw new JWTSessionError("The session could not be read", { cause: { err: asError(error) } })
  }
}

async function openOrLog(strategy: Strategy, token: string, salt: string): Promise<OpenedToken | undefined> {
  try {
    return await strategy.tokens.open(token, salt)
  } catch (error) {
    logUnusable(strategy, asError(error))
    return undefined
  }
}

function logUnusable({ logger }: Strategy, error: Error): void {
  logger.error(withoutStack(() => new JWTSessionError(error)))
}

async function present(
  strategy: Strategy,
  opened: OpenedToken,
  context: SessionContext,
  access: SessionAccess,
): Promise<SessionRead> {
  const token = await refreshClaims(strategy, opened.claims, access)
  if (token === null) return { session: null, cookies: clearSessionCookie(context.setting, context.cookies) }

  const prolonged = access.kind !== "visit" || isDue(strategy, token) || isChanged(strategy, token, opened)
  const expires = prolonged ? expiryFromNow(strategy) : expiryOf(strategy, token)
  const session = await viewSession(strategy, token, expires)
  const cookies = prolonged ? await issue(strategy, token, context) : []
  return { session, cookies, event: { session, token } }
}

type SessionParams = Parameters<NonNullable<CallbacksOptions["session"]>>[0]

async function refreshClaims({ callbacks }: Strategy, claims: JWT, access: SessionAccess): Promise<JWT | null> {
  if (!callbacks.jwt) return claims
  const update = access.kind === "update" ? ({ session: access.data, trigger: "update" } as const) : {}
  const logout = readLogoutClaim(claims)
  const token = requireReturned(await callbacks.jwt({ token: claims, ...update }), "jwt must return the token, or null")
  return token && withLogoutClaim(token, logout)
}

async function viewSession({ callbacks }: Strategy, token: JWT, expires: Date): Promise<Session> {
  const session = sessionOf(token, expires.toISOString())
  // The contract types `user` as always present, but gives it under the `database` strategy only.
  if (!callbacks.session) return session
  return requireReturned(
    await callbacks.session({ session, token } as SessionParams),
    "session must return the session",
  )
}

function sessionOf({ name, email, picture }: Readonly<JWT>, expires: string): Session & { user: User } {
  return { user: { name, email, image: picture }, expires }
}

function isDue({ updateAge, now }: Strategy, { iat }: Readonly<JWT>): boolean {
  return iat === undefined || (iat + updateAge) * 1000 <= now()
}

function isChanged({ callbacks }: Strategy, token: JWT, opened: OpenedToken): boolean {
  if (!callbacks.jwt || JSON.stringify(token) === opened.plaintext) return false
  const written = JSON.parse(opened.plaintext) as JWT
  return JSON.stringify(withoutStamp(token)) !== JSON.stringify(withoutStamp(written))
}

/** The claims without those that every token is given anew: a callback need not hand them on. */
function withoutStamp({ iat: _iat, exp: _exp, jti: _jti, ...claims }: JWT): JWT {
  return claims
}

function expiryOf(strategy: Strategy, { exp }: JWT): Date {
  return exp === undefined ? expiryFromNow(strategy) : new Date(exp * 1000)
}

function expiryFromNow({ now, maxAge }: Strategy): Date {
  return new Date(now() + maxAge * 1000)
}

async function issue(
  strategy: Strategy,
  token: JWT,
  { cookies, setting }: SessionContext,
): Promise<readonly CookieWrite[]> {
  const sealed = await strategy.tokens.seal(token, setting.name)
  return writeSessionCookie(sealed, expiryFromNow(strategy), setting, cookies)
}

/** @throws JWTSessionError when the `jwt` callback throws; AdapterError when the store fails. */
async function currentUser(strategy: Strategy, context: SessionContext): Promise<AdapterUser | null> {
  const claims = await claimsOf(strategy, context)
  if (!strategy.store || !claims) return null
  // An application that ends sessions does so in its callback.
  const sub = (await refreshLive(strategy, claims))?.sub
  return sub === undefined ? null : readUserOf(sub, await strategy.store.getUser(sub))
}

async function refreshLive(strategy: Strategy, claims: JWT): Promise<JWT | null> {
  try {
    return (await isRevoked(strategy.revocations, claims))
      ? null
      : await refreshClaims(strategy, claims, { kind: "visit" })
  } catch (error) {
    throw new JWTSessionError("The session could not be read", { cause: { err: asError(error) } })
  }
}

async function claimsOf({ tokens }: Strategy, { cookies, setting }: SessionContext): Promise<JWT | undefined> {
  const token = readSessionCookie(cookies, setting.name)
  if (token === undefined) return undefined
  try {
    return (await tokens.open(token, setting.name)).claims
  } catch {
    return undefined
  }
}

async function create(
  strategy: Strategy,
  context: SessionContext,
  { logoutMarks, ...signIn }: NewSession,
): Promise<readonly CookieWrite[]> {
  const { user, isNewUser } = signIn
  const { name, email, image: picture } = user
  const claims: JWT = { name, email, picture, sub: idText(user) }
  const { jwt } = strategy.callbacks
  const trigger = isNewUser ? "signUp" : "signIn"
  const token = jwt
    ? requireReturned(await jwt({ token: claims, ...signIn, trigger }), "jwt must return the token, or null")
    : claims
  if (token === null) return clearSessionCookie(context.setting, context.cookies)
  const logout = strategy.revocations && logoutMarks && logoutClaim(logoutMarks, strategy.now())
  return issue(strategy, withLogoutClaim(token, logout), context)
}

/** Longer than any token lives that was issued before. */
const marginMs = 60_000

/** Who holds the tokens is not known, so nobody can be told of them. */
async function revoke({ revocations, maxAge, jwt, now }: Strategy, { marks }: Revocation): Promise<Revoked> {
  const key = marks.session ?? marks.person
  if (!revocations || key === undefined) {
    throw new UnsupportedStrategy("token sessions can be ended from elsewhere only with `session.revocations`")
  }
  const lifetime = Math.max(maxAge, jwt.maxAge) * 1000
  await revocations.revoke(key, new Date(now()), new Date(now() + lifetime + marginMs))
  return { events: [] }
}

async function end({ tokens, logger }: Strategy, { cookies, setting }: SessionContext): Promise<EndedSession> {
  const cleared = clearSessionCookie(setting, cookies)
  const token = readSessionCookie(cookies, setting.name)
  if (token === undefined) return { cookies: cleared }
  try {
    const { claims } = await tokens.open(token, setting.name)
    return { cookies: cleared, event: { token: claims } }
  } catch (error) {
    logger.error(new SignOutError(asError(error)))
    return { cookies: cleared }
  }
}
