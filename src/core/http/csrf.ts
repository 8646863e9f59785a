/** Double-submit protection: a cookie `{token}|{SHA-256 of token + secret}`, and the token again in the form. */
import { randomHex, sha256Hex } from "#hash"
import { timingSafeEqual } from "../crypto/timing-safe-equal.js"
import type { CookieOption } from "../types.js"
import type { Cookies, CookieWrite } from "./cookies.js"

export interface Csrf {
  /** For the hidden field of forms, and the answer of `GET csrf`. 64 hexadecimal characters. */
  readonly token: string
  /** Whether the body carried the token of this browser's own cookie. */
  readonly verified: boolean
  /** The cookie to set, when the browser had none of ours. */
  readonly cookies: readonly CookieWrite[]
}

/** Reads the browser's token, or makes one. `submitted` is the body's `csrfToken`. Secrets newest first. */
export async function checkCsrf(
  cookies: Cookies,
  submitted: unknown,
  { name, options }: CookieOption,
  secrets: readonly string[],
): Promise<Csrf> {
  const known = await authenticToken(cookies[name], secrets)
  if (known !== undefined) {
    const verified = typeof submitted === "string" && timingSafeEqual(submitted, known)
    return { token: known, verified, cookies: [] }
  }
  const token = randomHex(32)
  const [newest = ""] = secrets
  const value = `${token}|${await sha256Hex(token + newest)}`
  return { token, verified: false, cookies: [{ name, value, options }] }
}

const cookieForm = /^([0-9a-f]{64})\|([0-9a-f]{64})$/

async function authenticToken(cookie: string | undefined, secrets: readonly string[]): Promise<string | undefined> {
  const [, token, hash] = cookieForm.exec(cookie ?? "") ?? []
  if (token === undefined || hash === undefined) return undefined
  // Auth.js hashes with the whole list of secrets, joined: its tokens stay good after the switch.
  const candidates = secrets.length > 1 ? [...secrets, secrets.join(",")] : secrets
  const hashes = await Promise.all(candidates.map(async (secret) => sha256Hex(token + secret)))
  return hashes.some((expected) => timingSafeEqual(expected, hash)) ? token : undefined
}
