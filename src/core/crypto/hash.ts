/** Digests, random values and comparison, on Web Crypto. */

const utf8 = new TextEncoder()

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** SHA-256 of a text, as 64 lower-case hexadecimal characters. */
export async function sha256Hex(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8.encode(text))))
}

/** `length` random bytes, as lower-case hexadecimal characters. */
export function randomHex(length: number): string {
  return hex(crypto.getRandomValues(new Uint8Array(length)))
}

/** Compares two texts in a time that depends on their length only. */
export function timingSafeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
