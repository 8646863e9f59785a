/**
 * The session token format on runtimes without `node:crypto`, through `jose` and Web Crypto.
 * It reads what `jwe.node.ts` writes, and the other way round.
 */
import { base64url, compactDecrypt, CompactEncrypt } from "jose"
import type { Awaitable } from "../types.js"
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
  type TokenHeader,
} from "./keys.js"

interface ContentKey {
  readonly bytes: Uint8Array
  readonly kid: string
}

/** Everything that one secret and salt derive. Opaque: only the functions of this file look inside. */
export type TokenKey = Readonly<Record<ContentEncryption, ContentKey>>

const utf8 = new TextEncoder()
// A decoder left to itself drops a byte order mark, which Node keeps.
const utf8Text = new TextDecoder("utf-8", { ignoreBOM: true })

/** Whether `openToken` answers at once. */
export const opensAtOnce: boolean = false

/** Derives the keys of `secret` for one purpose (RFC 5869). `secret` must not be empty. */
export async function deriveKey(secret: string, salt: string): Promise<TokenKey> {
  if (secret === "") throw new Error("a secret must not be empty")
  const [cbc, gcm] = await Promise.all([
    deriveContentKey(secret, salt, "A256CBC-HS512"),
    deriveContentKey(secret, salt, "A256GCM"),
  ])
  return { "A256CBC-HS512": cbc, A256GCM: gcm }
}

async function deriveContentKey(secret: string, salt: string, enc: ContentEncryption): Promise<ContentKey> {
  const { keyLength, thumbprint } = contentEncryption[enc]
  const material = await crypto.subtle.importKey("raw", utf8.encode(secret), "HKDF", false, ["deriveBits"])
  const parameters = { name: "HKDF", hash: "SHA-256", salt: utf8.encode(salt), info: utf8.encode(keyInfo(salt)) }
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(parameters, material, keyLength * 8))
  const input = thumbprintInput(base64url.encode(bytes))
  const kid = base64url.encode(new Uint8Array(await crypto.subtle.digest(thumbprint, utf8.encode(input))))
  return { bytes, kid }
}

/** Encrypts `plaintext` into a token. */
export function sealToken(plaintext: string, key: TokenKey): Awaitable<string> {
  const { bytes, kid } = key["A256CBC-HS512"]
  return new CompactEncrypt(utf8.encode(plaintext)).setProtectedHeader(protectedHeader(kid)).encrypt(bytes)
}

/**
 * Decrypts a token with the first key that fits.
 * @throws Error("no matching decryption secret"), or the one error for everything else that is wrong with it.
 */
export async function openToken(token: string, keys: readonly TokenKey[]): Promise<string> {
  const header = readHeader(token)
  for (const key of candidateKeys(keys, header)) {
    const plaintext = await decrypt(token, key[header.enc].bytes)
    if (plaintext !== undefined) return plaintext
  }
  throw unreadableToken()
}

function readHeader(token: string): TokenHeader {
  return parseHeader(utf8Text.decode(base64url.decode(splitToken(token).header)))
}

async function decrypt(token: string, key: Uint8Array): Promise<string | undefined> {
  try {
    const { plaintext } = await compactDecrypt(token, key, {
      keyManagementAlgorithms: ["dir"],
      maxDecompressedLength: 0,
    })
    return utf8Text.decode(plaintext)
  } catch {
    return undefined
  }
}
