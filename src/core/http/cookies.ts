/** Cookies: names, attributes, reading, writing, and splitting a session token that is too long for one. */
import { parseCookie, stringifySetCookie } from "cookie"
import { definedOnly } from "../config/merge.js"
import type { CookieOption, CookiesOptions, CookieSerializeOptions } from "../types.js"

export type CookieKey = keyof CookiesOptions
export type CookieSettings = Readonly<Record<CookieKey, Readonly<CookieOption>>>

/** The cookies of a request. */
export type Cookies = Readonly<Record<string, string | undefined>>

/** A cookie to set. */
export interface CookieWrite {
  readonly name: string
  readonly value: string
  readonly options: CookieSerializeOptions
}

/** How long a started sign-in may take, in seconds. */
export const flowMaxAge = 15 * 60

const defaultNames: Readonly<
  Record<CookieKey, { readonly name: string; readonly prefix: string; readonly maxAge?: number }>
> = {
  sessionToken: { name: "session-token", prefix: "__Secure-" },
  callbackUrl: { name: "callback-url", prefix: "__Secure-" },
  // `__Host-` keeps a sibling domain from planting its own token (RFC 6265bis, section 4.1.3.2).
  csrfToken: { name: "csrf-token", prefix: "__Host-" },
  pkceCodeVerifier: { name: "pkce.code_verifier", prefix: "__Secure-", maxAge: flowMaxAge },
  state: { name: "state", prefix: "__Secure-", maxAge: flowMaxAge },
  nonce: { name: "nonce", prefix: "__Secure-" },
  webauthnChallenge: { name: "challenge", prefix: "__Secure-", maxAge: flowMaxAge },
  providerTokens: { name: "provider-tokens", prefix: "__Secure-" },
}

/** Names and attributes of every cookie: the defaults, overridden by `config.cookies`. */
export function cookieSettings(secure: boolean, overrides: Partial<CookiesOptions> = {}): CookieSettings {
  const setting = (key: CookieKey): CookieOption => {
    const { name, prefix, maxAge } = defaultNames[key]
    const shared = { httpOnly: true, sameSite: "lax", path: "/", secure } as const
    const own = overrides[key]
    return {
      name: own?.name ?? `${secure ? prefix : ""}authjs.${name}`,
      options: { ...shared, ...(maxAge === undefined ? {} : { maxAge }), ...definedOnly(own?.options) },
    }
  }
  return {
    sessionToken: setting("sessionToken"),
    callbackUrl: setting("callbackUrl"),
    csrfToken: setting("csrfToken"),
    pkceCodeVerifier: setting("pkceCodeVerifier"),
    state: setting("state"),
    nonce: setting("nonce"),
    webauthnChallenge: setting("webauthnChallenge"),
    providerTokens: setting("providerTokens"),
  }
}

/** Parses a `Cookie` header. Of two cookies of one name the first counts. */
export function parseCookies(header: string | null | undefined): Cookies {
  return header ? parseCookie(header) : {}
}

/**
 * The value of one cookie straight from the header, where it stands there once, unencoded and in one piece; `undefined`
 * says nothing. Parsing the whole header takes longer than all the rest of reading a session.
 */
export function findWholeCookie(header: string, name: string): string | undefined {
  const start = header.indexOf(`${name}=`)
  const isCookie = start === 0 || (header[start - 1] === " " && header[start - 2] === ";")
  if (start === -1 || !isCookie) return undefined
  const from = start + name.length + 1
  const end = header.indexOf(";", from)
  const value = end === -1 ? header.slice(from) : header.slice(from, end)
  return value === "" || value.includes("%") ? undefined : value
}

/** The value of a `Set-Cookie` header (RFC 6265, section 4.1). */
export function serializeCookie({ name, value, options }: CookieWrite): string {
  return stringifySetCookie({ ...options, name, value })
}

/** Tells the browser to forget a cookie. */
export function expireCookie(name: string, options: CookieSerializeOptions): CookieWrite {
  return { name, value: "", options: { ...options, maxAge: 0 } }
}

/** Longest value of one session cookie: browsers keep 4096 bytes, of which name and attributes need some. */
const chunkSize = 3936
const maxChunks = 10
const chunkNumber = /^\d$/

/** Names of the session cookies in a request: the plain one and its numbered chunks, nothing else. */
function sessionCookieNames(cookies: Cookies, name: string): readonly string[] {
  return Object.keys(cookies).filter(
    (each) => each === name || (each.startsWith(`${name}.`) && chunkNumber.test(each.slice(name.length + 1))),
  )
}

/** The session token of a request, put together from its chunks; `undefined` when there is none or a chunk is missing. */
export function readSessionCookie(cookies: Cookies, name: string): string | undefined {
  const whole = cookies[name]
  if (whole) return whole
  const chunks = Array.from({ length: maxChunks }, (_, index) => cookies[`${name}.${index}`] || undefined)
  const end = chunks.indexOf(undefined)
  const gapless = end === -1 || chunks.slice(end).every((chunk) => chunk === undefined)
  return gapless && end !== 0 ? chunks.join("") : undefined
}

/**
 * Writes a session token, in chunks where it is too long for one cookie, and expires what an earlier one left behind.
 * @throws RangeError when the token is longer than ten cookies hold.
 */
export function writeSessionCookie(
  token: string,
  expires: Date,
  { name, options }: CookieOption,
  cookies: Cookies,
): readonly CookieWrite[] {
  const values = Array.from({ length: Math.ceil(token.length / chunkSize) }, (_, index) =>
    token.slice(index * chunkSize, (index + 1) * chunkSize),
  )
  if (values.length > maxChunks) {
    throw new RangeError(`the session token has ${token.length} characters; browsers would drop it: store less in it`)
  }
  const written = values.map((value, index) => ({
    name: values.length === 1 ? name : `${name}.${index}`,
    value,
    options: { ...options, expires },
  }))
  const stale = sessionCookieNames(cookies, name).filter((old) => !written.some((write) => write.name === old))
  return [...stale.map((old) => expireCookie(old, options)), ...written]
}

/** Expires every session cookie of a request. */
export function clearSessionCookie({ name, options }: CookieOption, cookies: Cookies): readonly CookieWrite[] {
  return sessionCookieNames(cookies, name).map((each) => expireCookie(each, options))
}
