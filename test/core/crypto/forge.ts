/** Makes tokens with headers of one's choice, as somebody would who knows the key. Built on `node:crypto` alone. */
import { createCipheriv, createHmac, randomBytes } from "node:crypto"

export type Header = Readonly<Record<string, unknown>>

export function encodeHeader(header: Header | string | Buffer): string {
  if (Buffer.isBuffer(header)) return header.toString("base64url")
  return Buffer.from(typeof header === "string" ? header : JSON.stringify(header)).toString("base64url")
}

/** Encrypts under `header` as it stands, with the algorithm that fits the length of `keyHex`. */
export function sealWithHeader(header: Header | string | Buffer, plaintext: string | Buffer, keyHex: string): string {
  const key = Buffer.from(keyHex, "hex")
  const encoded = encodeHeader(header)
  return key.length === 64
    ? sealCbc(encoded, Buffer.from(plaintext), key)
    : sealGcm(encoded, Buffer.from(plaintext), key)
}

function sealCbc(header: string, plaintext: Buffer, key: Buffer): string {
  const iv = randomBytes(16)
  const cipher = createCipheriv("aes-256-cbc", key.subarray(32), iv)
  return authenticate(header, iv, Buffer.concat([cipher.update(plaintext), cipher.final()]), key)
}

/** RFC 7518, section 5.2.2.1. */
export function authenticate(header: string, iv: Buffer, ciphertext: Buffer, key: Buffer): string {
  const headerBits = Buffer.alloc(8)
  headerBits.writeBigUInt64BE(BigInt(header.length * 8))
  const signed = Buffer.concat([Buffer.from(header, "latin1"), iv, ciphertext, headerBits])
  const tag = createHmac("sha512", key.subarray(0, 32)).update(signed).digest().subarray(0, 32)
  return [header, "", ...[iv, ciphertext, tag].map((part) => part.toString("base64url"))].join(".")
}

function sealGcm(header: string, plaintext: Buffer, key: Buffer): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(header, "latin1"))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return [header, "", ...[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString("base64url"))].join(".")
}
