/** How sessions are kept: one door, behind which `jwt` (and `database`) differ. */
import type { AdapterSession } from "../../adapters/contract.js"
import type { Cookies, CookieWrite } from "../http/cookies.js"
import type { Account, CookieOption, JWT, Profile, Session, User } from "../types.js"

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
      readonly event: { readonly session: Session; readonly token?: JWT }
    }

/** The facts of a completed sign-in. */
export interface NewSession {
  readonly user: User
  readonly account: Account
  readonly profile?: Profile
  readonly isNewUser?: boolean
}

/** A session that was ended. */
export interface EndedSession {
  readonly cookies: readonly CookieWrite[]
  /** Message of the `signOut` event; absent when there was no session, or ending it failed. */
  readonly event?: { readonly token: JWT | null } | { readonly session: AdapterSession | null | undefined | void }
}

export interface SessionStrategy {
  /**
   * The session of an app route that can be told at once and changes nothing, which is most of them: no promise is made
   * and no cookie written. `undefined` says nothing, and {@link SessionStrategy.read} must be asked. Never throws.
   */
  peek(cookieHeader: string, setting: CookieOption): Session | undefined
  /** @throws JWTSessionError, SessionTokenError when a callback or the store fails. Never takes that for signed out. */
  read(context: SessionContext, access: SessionAccess): Promise<SessionRead>
  /** Starts a session. @throws whatever a callback or the store throws. */
  create(context: SessionContext, signIn: NewSession): Promise<readonly CookieWrite[]>
  /** Ends the session. What fails on the way is logged: the cookies expire in any case. */
  end(context: SessionContext): Promise<EndedSession>
}
