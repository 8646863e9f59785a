/**
 * The session token format on Node: JWE compact serialisation, `dir`, A256CBC-HS512 (RFC 7516; RFC 7518, section 5.2),
 * through the synchronous calls of `node:crypto`, many times faster than Web Crypto for tokens of this size.
 * `jwe.web.ts` does the same on every other runtime; the tests hold the two equal.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  timingSafeEqual,
  type Decipher,
} from "node:crypto"
import type { Awaitable } from "../types.js"
import { takeRandom } from "./random.node.js"
import {
  candidateKeys,
  parseHeader,
  splitToken,
  contentEncryption,
  keyInfo,
  protectedHeader,
  thumbprintInput,
  unreadableToken,
  type ContentEncryption,
} from "./keys.js"

interface ContentKey {
  readonly bytes: Buffer
  readonly kid: string
}

/** Everything that one secret and salt derive. Opaque: only the functions of this file look inside. */
export interface TokenKey extends Readonly<Record<ContentEncryption, ContentKey>> {
  /** Our protected header, encoded: the first part of every token that this key wrote. */
  readonly header: string
}

/** Whether `openToken` answers at once. */
export const opensAtOnce: boolean = true

/** Derives the keys of `secret` for one purpose (RFC 5869). `secret` must not be empty. */
export function deriveKey(secret: string, salt: string): Awaitable<TokenKey> {
  if (secret === "") throw new Error("a secret must not be empty")
  const cbc = deriveContentKey(secret, salt, "A256CBC-HS512")
  const header = Buffer.from(JSON.stringify(protectedHeader(cbc.kid))).toString("base64url")
  return { "A256CBC-HS512": cbc, A256GCM: deriveContentKey(secret, salt, "A256GCM"), header }
}

function deriveContentKey(secret: string, salt: string, enc: ContentEncryption): ContentKey {
  const { keyLength, thumbprint } = contentEncryption[enc]
  const bytes = Buffer.from(hkdfSync("sha256", secret, salt, keyInfo(salt), keyLength))
  const digest = createHash(thumbprint.replace("-", "").toLowerCase())
  return { bytes, kid: digest.update(thumbprintInput(bytes.toString("base64url"))).digest("base64url") }
}

/** Encrypts `plaintext` into a token. */
export function sealToken(plaintext: string, key: TokenKey): Awaitable<string> {
  const { bytes } = key["A256CBC-HS512"]
  const iv = takeRandom(16)
  const cipher = createCipheriv("aes-256-cbc", bytes.subarray(32), iv)
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
  const tag = authenticationTag(bytes, key.header, iv, ciphertext)
  return `${key.header}..${iv.toString("base64url")}.${ciphertext.toString("base64url")}.${tag.toString("base64url")}`
}

/**
 * Decrypts a token with the first key that fits.
 * @throws Error("no matching decryption secret"), or the one error for everything else that is wrong with it.
 */
export function openToken(token: string, keys: readonly TokenKey[]): Awaitable<string> {
  const { header, iv, ciphertext, tag } = splitToken(token)
  const own = keys.find((key) => key.header === header)
  const sealed = { header, iv: decode(iv), ciphertext: decode(ciphertext), tag: decode(tag) }
  if (own) return decryptCbc(own["A256CBC-HS512"].bytes, sealed)

  const protectedMembers = parseHeader(decode(header).toString("utf8"))
  const decrypt = decryption[protectedMembers.enc]
  return firstThatOpens(candidateKeys(keys, protectedMembers), (key) =>
    decrypt(key[protectedMembers.enc].bytes, sealed),
  )
}

interface SealedParts {
  readonly header: string
  readonly iv: Buffer
  readonly ciphertext: Buffer
  readonly tag: Buffer
}

const decryption: Readonly<Record<ContentEncryption, (key: Buffer, sealed: SealedParts) => string>> = {
  "A256CBC-HS512": decryptCbc,
  A256GCM: decryptGcm,
}

function decryptCbc(key: Buffer, { header, iv, ciphertext, tag }: SealedParts): string {
  if (iv.length !== 16 || tag.length !== 32) throw unreadableToken()
  if (!timingSafeEqual(tag, authenticationTag(key, header, iv, ciphertext))) throw unreadableToken()
  return finish(createDecipheriv("aes-256-cbc", key.subarray(32), iv), ciphertext)
}

function decryptGcm(key: Buffer, { header, iv, ciphertext, tag }: SealedParts): string {
  if (iv.length !== 12 || tag.length !== 16) throw unreadableToken()
  return finish(
    createDecipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(header, "latin1")).setAuthTag(tag),
    ciphertext,
  )
}

function finish(decipher: Decipher, ciphertext: Buffer): string {
  try {
    return decipher.update(ciphertext, undefined, "utf8") + decipher.final("utf8")
  } catch {
    throw unreadableToken()
  }
}

/** RFC 7518, section 5.2.2.1, step 5: the first half of an HMAC over header, IV, ciphertext and the header's length. */
function authenticationTag(key: Buffer, header: string, iv: Buffer, ciphertext: Buffer): Buffer {
  const headerBits = Buffer.alloc(8)
  headerBits.writeUInt32BE(header.length * 8, 4)
  const hmac = createHmac("sha512", key.subarray(0, 32))
  return hmac.update(header, "latin1").update(iv).update(ciphertext).update(headerBits).digest().subarray(0, 32)
}

function firstThatOpens(keys: readonly TokenKey[], open: (key: TokenKey) => string): string {
  for (const key of keys.slice(0, -1)) {
    try {
      return open(key)
    } catch {
      // A token without `kid` does not say whose it is: the next key may be the one.
    }
  }
  const last = keys.at(-1)
  if (!last) throw unreadableToken()
  return open(last)
}

function decode(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url")
}
