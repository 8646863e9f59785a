/** A provider's tokens as they are kept, and how long they are good for. */
import type { KeptTokens, TokenSet } from "../types.js"

export interface AccessToken {
  readonly accessToken: string
  /** Undefined where the provider does not say. */
  readonly expiresAt: Date | undefined
  /** What it allows, separated by spaces, as far as the provider said so (RFC 6749, section 3.3). */
  readonly scope: string | undefined
  /** How it is to be sent: `bearer`, or `dpop`. */
  readonly tokenType: string
}

export interface AccessTokenOptions {
  /** Seconds for which the token must still be good; one with less left is refreshed. Default 30. */
  readonly minimumValidity?: number | undefined
  /** Refreshes even a token that should still be good, as when the provider's API has refused it. Default `false`. */
  readonly refresh?: boolean | undefined
  /** Which account, where the user has several with one provider. Default: the one whose token lasts longest. */
  readonly providerAccountId?: string | undefined
}

export function pickTokens(tokens: TokenSet): KeptTokens {
  const { access_token, refresh_token, expires_at, scope, token_type, id_token } = tokens
  return { access_token, refresh_token, expires_at: momentOf(expires_at), scope, token_type, id_token }
}

/** Stores may give numbers as texts. Seconds since the epoch. */
function momentOf(value: unknown): number | undefined {
  const moment = value === null || value === "" ? NaN : Number(value)
  return Number.isFinite(moment) ? moment : undefined
}

/** Whether an access token is there, and good for `seconds` more. */
export function lasts({ access_token, expires_at }: KeptTokens, seconds: number, now: number): boolean {
  return Boolean(access_token) && (expires_at === undefined || (expires_at - seconds) * 1000 > now)
}

export function toAccessToken({ access_token = "", expires_at, scope, token_type }: KeptTokens): AccessToken {
  return {
    accessToken: access_token,
    expiresAt: expires_at === undefined ? undefined : new Date(expires_at * 1000),
    scope: scope ?? undefined,
    tokenType: token_type ?? "bearer",
  }
}
