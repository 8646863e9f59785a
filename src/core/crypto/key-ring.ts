/** The secrets of one configuration, and the keys derived from them, each derived once. */
import { deriveKey, opensAtOnce, openToken, sealToken, type TokenKey } from "#jwe"
import type { Awaitable, JWT } from "../types.js"
import { readClaims } from "./claims.js"
import { stampClaims } from "./jwt.js"

export interface KeyRing {
  /** Decrypts to plaintext, without looking at the claims. @throws Error when no secret opens it. */
  open(token: string, salt: string): Awaitable<string>
  /** `open`, where it takes no waiting; `undefined` where it does. */
  openAtOnce(token: string, salt: string): string | undefined
  /** Encrypts claims that expire `maxAge` seconds after `now`. */
  seal(claims: JWT, salt: string, now: number, maxAge: number): Promise<string>
  /** `open`, then the claims, as of `now` (seconds). @throws Error when unreadable or expired. */
  unseal(token: string, salt: string, now: number): Promise<JWT>
}

/** Secrets newest first: the first one encrypts, every one decrypts. */
export function createKeyRing(secrets: readonly string[]): KeyRing {
  const derived = new Map<string, Awaitable<readonly TokenKey[]>>()

  function keysFor(salt: string): Awaitable<readonly TokenKey[]> {
    const known = derived.get(salt)
    if (known) return known
    const keys = Promise.all(secrets.map(async (secret) => deriveKey(secret, salt)))
    derived.set(salt, keys)
    keys.then(
      (ready) => derived.set(salt, ready),
      () => derived.delete(salt),
    )
    return keys
  }

  const open = (token: string, salt: string): Awaitable<string> => {
    const keys = keysFor(salt)
    return "then" in keys ? keys.then((ready) => openToken(token, ready)) : openToken(token, keys)
  }

  function openAtOnce(token: string, salt: string): string | undefined {
    const keys = derived.get(salt)
    if (!opensAtOnce || !keys || "then" in keys) return undefined
    const plaintext = openToken(token, keys)
    return typeof plaintext === "string" ? plaintext : undefined
  }

  return {
    open,
    openAtOnce,
    async seal(claims, salt, now, maxAge) {
      const [newest] = await keysFor(salt)
      if (!newest) throw new Error("a secret is needed to encrypt")
      return sealToken(JSON.stringify(stampClaims(claims, now, maxAge)), newest)
    },
    async unseal(token, salt, now) {
      return readClaims(await open(token, salt), now)
    },
  }
}
