/** The `database` strategy: the session is a record of the store, and the cookie holds the token that finds it. */
import type { AdapterSession, AdapterUser } from "../../adapters/contract.js"
import { isPromise } from "../awaitable.js"
import type { CallbacksOptions } from "../config/config.js"
import { sha256Hex } from "#hash"
import { AdapterError, SessionTokenError, SignOutError } from "../errors.js"
import {
  clearSessionCookie,
  findWholeCookie,
  parseCookies,
  readSessionCookie,
  writeSessionCookie,
  type CookieWrite,
} from "../http/cookies.js"
import { hasLostUser, isSameId, momentOf, readSessionAndUser, type StoredSession } from "../storage/records.js"
import { asError } from "../thrown.js"
import type { Awaitable, CookieOption, Session, User } from "../types.js"
import type { LogoutMarks } from "./logout-marks.js"
import {
  deleteRecord,
  discard,
  expiryFromNow,
  findRecord,
  isDue,
  isEnded,
  isFresh,
  isLive,
  isTokenShaped,
  prolong,
  type RecordsOptions,
} from "./records.js"
import { requireReturned } from "./returned.js"
import { markToken, revokeRecords } from "./revoke-records.js"
import type {
  EndedSession,
  NewSession,
  SessionAccess,
  SessionContext,
  SessionRead,
  SessionStrategy,
} from "./strategy.js"

export interface DatabaseSessionOptions extends RecordsOptions {
  readonly generateSessionToken: () => string
  readonly callbacks: Pick<CallbacksOptions, "session">
}

export function databaseSessions(options: DatabaseSessionOptions): SessionStrategy {
  return {
    needsStoredUser: true,
    visit: (cookieHeader, setting) => visit(options, cookieHeader, setting),
    read: (context, access) => read(options, context, access),
    currentUser: (context) => currentUser(options, context),
    mark: async (context) => {
      const token = tokenOf(context)
      return token === undefined ? undefined : sha256Hex(token)
    },
    create: (context, signIn) => create(options, context, signIn),
    revoke: (revocation) => revokeRecords(options, revocation),
    end: (context) => end(options, context),
  }
}

function tokenOf({ cookies, setting }: SessionContext): string | undefined {
  const token = readSessionCookie(cookies, setting.name)
  return token !== undefined && isTokenShaped(token) ? token : undefined
}

const visiting: SessionAccess = { kind: "visit" }

/** Most visits need nothing but the record: where the store answers at once, so does this. */
function visit(options: DatabaseSessionOptions, cookieHeader: string, setting: CookieOption): Awaitable<SessionRead> {
  const context = () => ({ cookies: parseCookies(cookieHeader), setting })
  const token = findWholeCookie(cookieHeader, setting.name)
  const isUsual = token !== undefined && isTokenShaped(token) && !isEnded(options, token)
  if (!isUsual || options.callbacks.session) return read(options, context(), visiting)
  const show = (record: unknown): Awaitable<SessionRead> => {
    const stored = readSessionAndUser(record, token)
    const isPlain = stored && isLive(options, stored) && !isDue(options, stored)
    return isPlain ? asRead(standardSession(stored)) : present(options, { record, token }, context(), visiting)
  }
  const found = findRecord(options, token)
  return isPromise(found) ? found.then(show) : show(found)
}

async function read(
  options: DatabaseSessionOptions,
  context: SessionContext,
  access: SessionAccess,
): Promise<SessionRead> {
  const token = tokenOf(context)
  if (token === undefined) return signedOut(context)
  if (isEnded(options, token)) {
    await discard(options, token)
    return signedOut(context)
  }
  return present(options, { record: await findRecord(options, token), token }, context, access)
}

/** What the store has under a token. */
interface Found {
  readonly token: string
  readonly record: unknown
}

/** What a record gives to see, having prolonged or removed it where it is time. */
async function present(
  options: DatabaseSessionOptions,
  { record, token }: Found,
  context: SessionContext,
  access: SessionAccess,
): Promise<SessionRead> {
  const stored = readSessionAndUser(record, token)
  if (!stored) return withoutSession(options, { record, token }, context)
  if (!isLive(options, stored)) {
    await discard(options, token)
    return signedOut(context)
  }
  const prolonging = isDue(options, stored) ? await prolong(options, token) : "not due"
  if (prolonging === "gone") return signedOut(context)

  const session = await viewSession(options, stored, access)
  const isUnchanged = access.kind === "visit" && prolonging === "not due"
  const cookies = isUnchanged ? [] : writeSessionCookie(token, expiryFromNow(options), context.setting, context.cookies)
  return { ...asRead(session, cookies), session: withHiddenToken(session, stored) }
}

/** There is no session to show; perhaps not yet. */
async function withoutSession(
  options: DatabaseSessionOptions,
  { record, token }: Found,
  context: SessionContext,
): Promise<SessionRead> {
  if (record && !hasLostUser(record))
    options.logger.error(new SessionTokenError("getSessionAndUser gave no usable session and user"))
  if (isFresh(options, token)) return { session: null, cookies: [] }
  if (hasLostUser(record)) await discard(options, token)
  return signedOut(context)
}

function signedOut({ setting, cookies }: SessionContext): SessionRead {
  return { session: null, cookies: clearSessionCookie(setting, cookies) }
}

function asRead(session: Session, cookies: readonly CookieWrite[] = []): Extract<SessionRead, { session: Session }> {
  return { session, cookies, event: { session } }
}

type SessionParams = Parameters<NonNullable<CallbacksOptions["session"]>>[0]

/** @throws SessionTokenError when the callback throws. */
async function viewSession(
  { callbacks }: DatabaseSessionOptions,
  stored: StoredSession,
  access: SessionAccess,
): Promise<Session> {
  if (!callbacks.session) return standardSession(stored)
  const { session, user } = stored
  const update = access.kind === "update" ? { newSession: access.data, trigger: "update" } : {}
  try {
    // The contract types `token` as always present, but gives it under the `jwt` strategy only, and `expires` as a text.
    const params = { session: { ...session, user }, user, ...update } as unknown as SessionParams
    return withTextExpiry(requireReturned(await callbacks.session(params), "session must return the session"))
  } catch (error) {
    throw new SessionTokenError("The session could not be read", { cause: { err: asError(error) } })
  }
}

function withTextExpiry(view: Session): Session {
  const expires: unknown = view.expires
  return expires instanceof Date ? { ...view, expires: expires.toISOString() } : view
}

function standardSession({ session, user }: StoredSession): Session & { user: User } {
  const { name, email, image } = user
  return { user: { name, email, image }, expires: session.expires.toISOString() }
}

/**
 * What a callback returned, with the token for code alone, not for JSON: a script that could read it there would not need
 * the cookie, which scripts cannot read.
 */
function withHiddenToken(view: Session & { readonly sessionToken?: unknown }, { session }: StoredSession): Session {
  if (view.sessionToken !== session.sessionToken) return view
  const { sessionToken, ...shown } = view
  return Object.defineProperty(shown, "sessionToken", { value: sessionToken })
}

async function currentUser(options: DatabaseSessionOptions, context: SessionContext): Promise<AdapterUser | null> {
  const token = tokenOf(context)
  if (token === undefined || isEnded(options, token)) return null
  const stored = readSessionAndUser(await findRecord(options, token), token)
  return stored && isLive(options, stored) ? stored.user : null
}

async function create(
  options: DatabaseSessionOptions,
  context: SessionContext,
  { user, logoutMarks }: NewSession,
): Promise<readonly CookieWrite[]> {
  const { store, notes, now } = options
  const session = {
    sessionToken: newToken(options, logoutMarks),
    userId: requireId(user),
    expires: expiryFromNow(options),
  }
  const { sessionToken, expires } = readCreated(await store.createSession(session), session)
  notes.set(sessionToken, { createdAt: now() })
  // A new sign-in is a new session: whoever knew the token of the old one has nothing any more.
  const previous = tokenOf(context)
  if (previous !== undefined && previous !== sessionToken) await discard(options, previous)
  return writeSessionCookie(sessionToken, expires, context.setting, context.cookies)
}

/** What the store made of a session; some give nothing back. @throws AdapterError when it is not the one that was asked for. */
function readCreated(created: unknown, asked: AdapterSession): AdapterSession {
  const {
    sessionToken = asked.sessionToken,
    userId = asked.userId,
    expires,
  } = (created ?? {}) as Partial<AdapterSession>
  const isUsable = typeof sessionToken === "string" && isTokenShaped(sessionToken)
  if (isUsable && isSameId(userId, asked.userId)) {
    return { sessionToken, userId, expires: momentOf(expires) ?? asked.expires }
  }
  throw new AdapterError("The adapter's createSession returned another session than it was to create")
}

/** @throws TypeError */
function newToken({ generateSessionToken }: DatabaseSessionOptions, marks: LogoutMarks | undefined): string {
  const generated: unknown = generateSessionToken()
  if (typeof generated === "string" && generated !== "") {
    const token = markToken(generated, marks)
    if (isTokenShaped(token)) return token
  }
  throw new TypeError("session.generateSessionToken must return a text of 1 to 1024 cookie characters (RFC 6265)")
}

function requireId({ id }: User): string {
  if (id !== undefined) return id
  throw new TypeError("a database session needs a user with an id")
}

async function end(options: DatabaseSessionOptions, context: SessionContext): Promise<EndedSession> {
  const { cookies } = signedOut(context)
  const token = tokenOf(context)
  if (token === undefined) return { cookies }
  try {
    return { cookies, event: { session: await deleteRecord(options, token) } }
  } catch (error) {
    const failure = new SignOutError("The session could not be deleted", { cause: { err: asError(error) } })
    return { cookies, event: { session: undefined }, failure }
  }
}
