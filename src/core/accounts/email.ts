/** E-mail addresses: one form for all who write them differently, and what a provider says of them. */
import type { Profile } from "../types.js"

/**
 * The form in which an address is stored and looked up: lower-case, NFKC, the domain in ASCII (UTS #46) without a final
 * dot. What is no address is only lower-cased.
 */
export function canonicalEmail(email: string): string {
  // Lower-casing may leave what composes with its neighbour.
  const folded = email.normalize("NFKC").toLowerCase().normalize("NFKC")
  const at = folded.lastIndexOf("@")
  return at === -1 ? folded : `${folded.slice(0, at)}@${asciiDomain(folded.slice(at + 1))}`
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
export function isUnverified({ email_verified: claim }: Profile = {}): boolean {
  const said: unknown = claim
  return said !== undefined && said !== true && said !== "true" && said !== 1 && said !== "1"
}
