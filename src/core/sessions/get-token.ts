/** Reading a session token straight from a request. */
import { decode as decodeToken, type JWTDecodeParams } from "../crypto/jwt.js"
import { MissingSecretError } from "../errors.js"
import { cookieSettings, parseCookies, readSessionCookie } from "../http/cookies.js"
import type { Awaitable, JWT, LoggerInstance } from "../types.js"

export interface GetTokenParams {
  /** Anything with headers: a Web Request, or Node's. */
  req: { headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>> }
  /** Needed unless `raw`. A list is for rotation. */
  secret?: string | readonly string[] | undefined
  /** Default: the cookie name. */
  salt?: string | undefined
  /** Whether the cookie has the `__Secure-` name. Default `false`. */
  secureCookie?: boolean | undefined
  cookieName?: string | undefined
  /** Return the token itself, without decrypting it. Default `false`. */
  raw?: boolean | undefined
  decode?: ((params: JWTDecodeParams) => Awaitable<JWT | null>) | undefined
  logger?: Partial<LoggerInstance> | undefined
}

/**
 * The claims of the session token in a request's cookies, or else in its `Authorization: Bearer` header.
 * `null` when there is none, or it cannot be opened.
 * @throws MissingSecretError without a secret, Error without `req`.
 */
export function getToken(params: GetTokenParams & { raw: true }): Promise<string | null>
export function getToken(params: GetTokenParams): Promise<JWT | null>
export async function getToken(params: GetTokenParams): Promise<string | JWT | null> {
  const { req, secret, secureCookie = false, raw = false, decode = decodeToken } = params
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- callers without types get a clear error
  if (!req) throw new Error("getToken needs `req`")
  const cookieName = params.cookieName ?? cookieSettings(secureCookie).sessionToken.name
  const token = readSessionCookie(parseCookies(headerOf(req.headers, "cookie")), cookieName) ?? bearerToken(req.headers)
  if (token === undefined) return null
  if (raw) return token
  if (!secret || secret.length === 0) throw new MissingSecretError("Must pass `secret` if not set to JWT getToken()")
  try {
    return await decode({ token, secret, salt: params.salt ?? cookieName })
  } catch {
    return null
  }
}

function headerOf(headers: GetTokenParams["req"]["headers"], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof value === "string" ? value : value?.join("; ")
}

/** RFC 6750, section 2.1. A token that is not well-formed is none. */
function bearerToken(headers: GetTokenParams["req"]["headers"]): string | undefined {
  const [scheme, value] = headerOf(headers, "authorization")?.split(" ") ?? []
  if (scheme !== "Bearer" || !value) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
