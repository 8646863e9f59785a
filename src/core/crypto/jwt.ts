/** Session tokens as an API: what `latchkey/jwt` exports, and what `jwt.encode` and `jwt.decode` default to. */
import { deriveKey, openToken, sealToken } from "#jwe"
import type { Awaitable, JWT } from "../types.js"
import { readClaims } from "./claims.js"

/** 30 days, in seconds. */
export const defaultMaxAge = 30 * 24 * 60 * 60

export interface JWTEncodeParams {
  /** The claims. `iat`, `exp` and `jti` are overwritten. */
  token?: JWT | undefined
  /** A list is for rotation: the first entry encrypts. */
  secret: string | readonly string[]
  /** Keeps tokens of different purposes apart. For session tokens: the name of the session cookie. */
  salt: string
  /** Seconds until the token expires. Default 2592000 (30 days). */
  maxAge?: number | undefined
}

export interface JWTDecodeParams {
  token?: string | undefined
  /** A list is for rotation: every entry is tried. */
  secret: string | readonly string[]
  salt: string
}

/** Options of the `jwt` strategy. */
export interface JWTOptions {
  /** Default: `secret` of the configuration. */
  secret: string | readonly string[]
  /** Seconds until a token expires. Default: `session.maxAge`. */
  maxAge: number
  /** Replaces the token format. Gets the other options of `jwt` as well. */
  encode: (params: JWTEncodeParams) => Awaitable<string>
  /** Replaces the token format; `null` means that the token is not valid. */
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}

/** Completes claims with `iat`, `exp` and `jti`. `now` and `maxAge` in seconds. */
export function stampClaims(claims: JWT, now: number, maxAge: number): JWT {
  return { ...claims, iat: now, exp: now + maxAge, jti: crypto.randomUUID() }
}

/**
 * Encrypts claims into a token (JWE, RFC 7516).
 * @throws Error when the secret is empty.
 */
export async function encode({ token = {}, secret, salt, maxAge = defaultMaxAge }: JWTEncodeParams): Promise<string> {
  const [first = ""] = secretList(secret)
  const claims = stampClaims(token, Math.floor(Date.now() / 1000), maxAge)
  return sealToken(JSON.stringify(claims), await deriveKey(first, salt))
}

/**
 * Decrypts a token and checks its times. No token gives `null`.
 * @throws Error when the token was not encrypted with one of the secrets and this salt, or has expired.
 */
export async function decode({ token, secret, salt }: JWTDecodeParams): Promise<JWT | null> {
  if (!token) return null
  const keys = await Promise.all(secretList(secret).map(async (each) => deriveKey(each, salt)))
  return readClaims(await openToken(token, keys), Date.now() / 1000)
}

/** Secrets as a list, newest first. */
export function secretList(secret: string | readonly string[]): readonly string[] {
  return typeof secret === "string" ? [secret] : [...secret]
}
