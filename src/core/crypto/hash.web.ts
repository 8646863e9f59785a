/** Digests and random values on runtimes without `node:crypto`; `hash.node.ts` has the same for Node. */

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
