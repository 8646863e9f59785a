/** How sessions are kept: one door, behind which `jwt` and `database` differ. */
import type { AccountKey, AdapterSession, AdapterUser } from "../../adapters/contract.js"
import type { SignOutError } from "../errors.js"
import type { Cookies, CookieWrite } from "../http/cookies.js"
import type { Account, Awaitable, CookieOption, JWT, Profile, Session, User } from "../types.js"
import type { LogoutMarks } from "./logout-marks.js"

/** Where the session of a request is: its cookies, and the name and attributes of the session cookie. */
export interface SessionContext {
  readonly cookies: Cookies
  readonly setting: CookieOption
}

/**
 * Why a session is read. `visit`: an app route, which prolongs it once per `updateAge`. `touch`: the `session` action,
 * which prolongs it each time. `update`: the client sent data for the callbacks.
 */
export type SessionAccess =
  { readonly kind: "visit" } | { readonly kind: "touch" } | { readonly kind: "update"; readonly data: unknown }

/** What a read found, and the cookies that must reach the browser. */
export type SessionRead =
  | { readonly session: null; readonly cookies: readonly CookieWrite[] }
  | {
      readonly session: Session
      readonly cookies: readonly CookieWrite[]
      /** Message of the `session` event. */
      readonly event: { readonly session: Session; readonly token?: Readonly<JWT> }
    }

/** The facts of a completed sign-in. */
export interface NewSession {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
  /** What the provider will name this session by when it ends it; present where it may. */
  readonly logoutMarks?: LogoutMarks
}

/** Sessions that a provider has ended (OpenID Connect Back-Channel Logout 1.0, section 2.7). */
export interface Revocation {
  /** Whose; undefined where the logout token names no `sub`. */
  readonly account: AccountKey | undefined
  readonly marks: LogoutMarks
}

/** What became of a revocation. */
export interface Revoked {
  /** Messages of the `signOut` events, one for each session that is known to have ended. */
  readonly events: readonly NonNullable<EndedSession["event"]>[]
  /** Some sessions could not be ended. */
  readonly failure?: SignOutError
}

/** A session that was ended. */
export interface EndedSession {
  readonly cookies: readonly CookieWrite[]
  /** Message of the `signOut` event; absent when there was no session. */
  readonly event?: { readonly token: JWT | null } | { readonly session: AdapterSession | null | undefined | void }
  /** The store could not be told, and may take the session for alive. */
  readonly failure?: SignOutError
}

export interface SessionStrategy {
  /** Sessions are records that belong to a user, so whoever signs in must be a user of the store. */
  readonly needsStoredUser: boolean
  /**
   * The session of an app route, by the `Cookie` header of its request. Where it takes no waiting, no promise is made.
   * @throws JWTSessionError, SessionTokenError, then or at once.
   */
  visit(cookieHeader: string, setting: CookieOption): Awaitable<SessionRead>
  /** @throws JWTSessionError, SessionTokenError when a callback or the store fails. Never takes that for signed out. */
  read(context: SessionContext, access: SessionAccess): Promise<SessionRead>
  /**
   * The stored user of a live session, or `null`; changes nothing.
   * @throws AdapterError, SessionTokenError when the store fails.
   */
  currentUser(context: SessionContext): Promise<AdapterUser | null>
  /**
   * What a started sign-in remembers of the session it was started in, live or not: under `database` the session, under
   * `jwt`, whose tokens change all the time, its user. `undefined` when there is none.
   */
  mark(context: SessionContext): Promise<string | undefined>
  /** Starts a session in place of the one that the request came with. @throws whatever a callback or the store throws. */
  create(context: SessionContext, signIn: NewSession): Promise<readonly CookieWrite[]>
  /**
   * Ends the sessions that a provider has ended, whichever browsers hold them. None are found: none are ended.
   * @throws UnsupportedStrategy when they cannot be looked for; AdapterError when the store fails.
   */
  revoke(revocation: Revocation): Promise<Revoked>
  /** Ends the session. The cookies expire in any case. */
  end(context: SessionContext): Promise<EndedSession>
}
