/** How keys come out of a secret. Shared by both implementations of the token format, so that they cannot differ. */

import { withoutStack } from "../thrown.js"

/** Content encryption algorithms of the token format (RFC 7518, section 5). Tokens are written with the first. */
export const contentEncryption = {
  "A256CBC-HS512": { keyLength: 64, thumbprint: "SHA-512" },
  A256GCM: { keyLength: 32, thumbprint: "SHA-256" },
} as const

export type ContentEncryption = keyof typeof contentEncryption

export function isContentEncryption(enc: unknown): enc is ContentEncryption {
  return typeof enc === "string" && Object.hasOwn(contentEncryption, enc)
}

/** The HKDF `info` of a key (RFC 5869). The salt makes a key good for one purpose only. */
export function keyInfo(salt: string): string {
  return `Auth.js Generated Encryption Key (${salt})`
}

/** What the thumbprint of a symmetric key is calculated over (RFC 7638, section 3.2). */
export function thumbprintInput(base64urlKey: string): string {
  return JSON.stringify({ k: base64urlKey, kty: "oct" })
}

/** The protected header that we write (RFC 7516, section 4.1). */
export function protectedHeader(kid: string) {
  return { alg: "dir", enc: "A256CBC-HS512", kid } as const
}

/** The members of a protected header that we understand. */
export interface TokenHeader {
  readonly enc: ContentEncryption
  readonly kid: string | undefined
}

/**
 * The parts of a token: five, of which the second is empty, each in exact base64url. Decoders are lenient about spare
 * bits, padding and white space; a token must be what was written, or two texts would be the same token.
 */
export interface CompactToken {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

const alphabet = /^[\w-]+$/
/** What the last character may be where a part does not end with a whole group of four (RFC 4648, section 3.5). */
const lastCharacters: Readonly<Record<number, string>> = { 2: "AQgw", 3: "AEIMQUYcgkosw048" }

function isExactBase64url(part: string): boolean {
  const rest = part.length % 4
  if (rest !== 0 && !lastCharacters[rest]?.includes(part.charAt(part.length - 1))) return false
  return alphabet.test(part)
}

/** @throws Error when it is no such token. */
export function splitToken(token: string): CompactToken {
  const [header = "", encryptedKey, iv = "", ciphertext = "", tag = "", ...more] = token.split(".", 6)
  const isWhole = encryptedKey === "" && more.length === 0
  if (!isWhole || ![header, iv, ciphertext, tag].every(isExactBase64url)) throw unreadableToken()
  return { header, iv, ciphertext, tag }
}

/** One error for whatever makes a token unreadable: telling them apart would help whoever forges tokens. */
export function unreadableToken(): Error {
  return withoutStack(() => new Error("the token could not be decrypted"))
}

/**
 * Parses the text of a protected header. `zip` and `crit` are refused, as is every algorithm but the two above, and a
 * header that is not in canonical form, such as one with a member twice.
 * @throws Error when the token is not of our format.
 */
export function parseHeader(text: string): TokenHeader {
  const header = parseCanonical(text)
  if (typeof header !== "object" || header === null) throw unreadableToken()
  const { alg, enc, kid, zip, crit } = header as Readonly<Record<string, unknown>>
  if (alg !== "dir" || !isContentEncryption(enc) || zip !== undefined || crit !== undefined) throw unreadableToken()
  if (kid !== undefined && typeof kid !== "string") throw unreadableToken()
  return { enc, kid }
}

function parseCanonical(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // Other languages put spaces between members; a member that stands twice is lost when it is written again.
    return JSON.stringify(value) === text.replaceAll(" ", "") ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The keys that may open a token: the one that its `kid` names, or all where it names none.
 * @throws Error("no matching decryption secret")
 */
export function candidateKeys<K extends Readonly<Record<ContentEncryption, { readonly kid: string }>>>(
  keys: readonly K[],
  { enc, kid }: TokenHeader,
): readonly K[] {
  const candidates = kid === undefined ? keys : keys.filter((key) => key[enc].kid === kid)
  if (candidates.length === 0) throw new Error("no matching decryption secret")
  return candidates
}
