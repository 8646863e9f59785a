/** E-mail addresses: one form for all who write them differently, and what a provider says of them. */
import type { Profile } from "../types.js"

/**
 * The form in which an address is stored and looked up: lower-case, NFKC, the domain in ASCII (UTS #46) without a final
 * dot. What is no address is only lower-cased.
 */
export function canonicalEmail(email: string): string {
  if (email.length > maxLength) return email.toLowerCase()
  // Lower-casing may leave what composes with its neighbour.
  const folded = email.normalize("NFKC").toLowerCase().normalize("NFKC")
  const at = folded.lastIndexOf("@")
  return at === -1 ? folded : `${folded.slice(0, at)}@${asciiDomain(folded.slice(at + 1))}`
}

/** RFC 5321, section 4.5.3.1, leaves no more for an address. Folding takes long where there is more. */
const maxLength = 254

/** Whether this can be an address at all: what providers send for none is not to be stored as one. */
export function isEmail(email: unknown): email is string {
  return typeof email === "string" && email.length <= maxLength && /^[^\s@](?:.*[^\s])?@[^\s@]+$/s.test(email)
}

function asciiDomain(domain: string): string {
  const url = `http://${domain}`
  // Anything that a URL would take for more than a host is left as it is.
  const host = /^[^\s/?#@:\\%[\]]+$/.test(domain) && URL.canParse(url) ? new URL(url).hostname : domain
  return host.replace(/\.+$/, "")
}

/**
 * Whether `email` is written like its canonical form, but for ASCII capitals: of two addresses that look alike, such as
 * with `ﬀ` for `ff`, somebody else may own the other.
 */
export function isPlainEmail(email: string): boolean {
  return email.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) === canonicalEmail(email)
}

/**
 * Whether the provider says that it has not verified the address (OpenID Connect Core, section 5.1). Some send the claim
 * as a text or a number. Where there is none, nothing is said.
 */
export function isUnverified(claims: Profile = {}): boolean {
  return verificationClaims.some((name) => {
    const said = claims[name]
    return said !== undefined && said !== true && said !== "true" && said !== 1 && said !== "1"
  })
}

/** The standard's name first; the others are those of Google's older endpoint, of Entra ID, and of smaller providers. */
const verificationClaims = [
  "email_verified",
  "verified_email",
  "is_email_verified",
  "emailVerified",
  "xms_edov",
] as const
