/** The storage contract of Auth.js: an adapter written for it plugs in unchanged. */
import type { Account, Awaitable, ProviderType, User } from "../core/types.js"

export interface AdapterUser extends User {
  id: string
  email: string
  /** When the address was first proved by an e-mail sign-in; `null` until then. */
  emailVerified: Date | null
}

export type AdapterAccountType = Extract<ProviderType, "oauth" | "oidc" | "email" | "webauthn">

export interface AdapterAccount extends Account {
  userId: string
  type: AdapterAccountType
}

export interface AdapterSession {
  /** Random value that the session cookie carries. */
  sessionToken: string
  userId: string
  /** Absolute moment of expiry. */
  expires: Date
}

export interface VerificationToken {
  /** The e-mail address. */
  identifier: string
  /** Hash of the token in the link. */
  token: string
  expires: Date
}

export interface Authenticator {
  /** Credential id, base64. */
  credentialID: string
  /** Public key, base64. */
  credentialPublicKey: string
  counter: number
  credentialDeviceType: string
  credentialBackedUp: boolean
  /** Transports, joined by commas. */
  transports?: string | null | undefined
  providerAccountId: string
  userId?: string | undefined
}

export interface AdapterAuthenticator extends Authenticator {
  userId: string
}

/**
 * Every method is optional; which ones a configuration needs is checked when it is compiled. They are called as methods,
 * so a class will do, and those of one object may call those of another that it was spread into.
 */
export interface Adapter extends AdapterExtras {
  createUser?(user: AdapterUser): Awaitable<AdapterUser>
  getUser?(id: string): Awaitable<AdapterUser | null>
  getUserByEmail?(email: string): Awaitable<AdapterUser | null>
  getUserByAccount?(account: AccountKey): Awaitable<AdapterUser | null>
  updateUser?(user: Partial<AdapterUser> & Pick<AdapterUser, "id">): Awaitable<AdapterUser>
  deleteUser?(userId: string): Awaitable<AdapterUser | null | undefined | void>
  linkAccount?(account: AdapterAccount): Awaitable<AdapterAccount | null | undefined | void>
  unlinkAccount?(account: AccountKey): Awaitable<AdapterAccount | undefined | void>
  getAccount?(providerAccountId: string, provider: string): Awaitable<AdapterAccount | null>
  createSession?(session: AdapterSession): Awaitable<AdapterSession>
  getSessionAndUser?(sessionToken: string): Awaitable<{ session: AdapterSession; user: AdapterUser } | null>
  updateSession?(
    session: Partial<AdapterSession> & Pick<AdapterSession, "sessionToken">,
  ): Awaitable<AdapterSession | null | undefined | void>
  deleteSession?(sessionToken: string): Awaitable<AdapterSession | null | undefined | void>
  createVerificationToken?(token: VerificationToken): Awaitable<VerificationToken | null | undefined | void>
  useVerificationToken?(params: { identifier: string; token: string }): Awaitable<VerificationToken | null>
  createAuthenticator?(authenticator: AdapterAuthenticator): Awaitable<AdapterAuthenticator>
  getAuthenticator?(credentialID: string): Awaitable<AdapterAuthenticator | null>
  listAuthenticatorsByUserId?(userId: string): Awaitable<AdapterAuthenticator[]>
  updateAuthenticatorCounter?(credentialID: string, newCounter: number): Awaitable<AdapterAuthenticator>
}

/**
 * What ours can do beyond that contract. Latchkey uses each where it is there and never requires it; an adapter of your
 * own may have as many as you like.
 */
export interface AdapterExtras {
  /**
   * Creates a user together with their first account, both or neither. `null` when it cannot vouch for that, as where an
   * application has put a `createUser` or `linkAccount` of its own in place: the two are then called one by one.
   */
  createUserWithAccount?(user: AdapterUser, account: NewAccount): Awaitable<AdapterUser | null>
  /**
   * Changes an account, found by `provider` and `providerAccountId`. `null` when there is none.
   * @param onlyIf The refresh token that must still be the stored one; otherwise nothing changes, and the answer is `null`.
   */
  updateAccount?(
    account: Partial<AdapterAccount> & AccountKey,
    onlyIf?: { readonly refresh_token: string | null },
  ): Awaitable<AdapterAccount | null>
  /** Empty for an unknown user. */
  listAccountsByUserId?(userId: string): Awaitable<AdapterAccount[]>
  /** Sessions that have not expired, in no particular order. */
  listSessionsByUserId?(userId: string): Awaitable<AdapterSession[]>
  /** How many there were. */
  deleteSessionsByUserId?(userId: string): Awaitable<number>
  /** Deletes sessions and verification tokens that had expired at `now` (default: this moment). How many there were. */
  deleteExpired?(now?: Date): Awaitable<{ sessions: number; verificationTokens: number }>
}

export type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

/** An account whose user does not exist yet. */
export interface NewAccount extends Account {
  type: AdapterAccountType
}

/** A memory of ended sessions that every server shares. Keys are opaque texts of at most 100 characters. */
export interface Revocations {
  /** Remembers `key` and the moment at which it was ended, until `expires`. */
  revoke(key: string, at: Date, expires: Date): Awaitable<void>
  /** The latest moment at which one of `keys` was ended; `null` if none was. */
  revokedAt(keys: readonly string[]): Awaitable<Date | null>
}

const isoDateTime = /^[+-]?\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** Whether `value` is an ISO 8601 date and time that can be parsed, as a store without dates would keep it. */
export function isDate(value: unknown): value is string {
  return typeof value === "string" && isoDateTime.test(value) && !Number.isNaN(Date.parse(value))
}
