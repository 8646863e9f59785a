/** Session tokens, written and opened: the built-in format, or the application's own `jwt.encode` and `jwt.decode`. */
import { LRUCache } from "lru-cache"
import { readClaims } from "../crypto/claims.js"
import { decode as decodeToken, encode as encodeToken, type JWTOptions } from "../crypto/jwt.js"
import type { KeyRing } from "../crypto/key-ring.js"
import type { JWT } from "../types.js"

export interface OpenedToken {
  readonly claims: JWT
  /** The claims as they were written, to see whether a callback changed them. */
  readonly plaintext: string
}

export interface TokenFormat {
  /** @throws Error when the token cannot be opened or has expired. */
  open(token: string, salt: string): Promise<OpenedToken>
  /** `open`, where it takes no waiting; `undefined` where it does. */
  openAtOnce(token: string, salt: string): JWT | undefined
  seal(claims: JWT, salt: string): Promise<string>
}

/** How many characters of tokens and claims are remembered per cookie name: some ten thousand usual sessions. */
const rememberedCharacters = 8_000_000

export interface TokenFormatOptions {
  readonly keys: KeyRing
  readonly jwt: JWTOptions
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export function createTokenFormat({ keys, jwt, now }: TokenFormatOptions): TokenFormat {
  const opened = new Map<string, LRUCache<string, string>>()

  function rememberedFor(salt: string): LRUCache<string, string> {
    const known = opened.get(salt)
    if (known) return known
    const cache = new LRUCache<string, string>({
      maxSize: rememberedCharacters,
      sizeCalculation: (plaintext, token) => plaintext.length + token.length,
    })
    opened.set(salt, cache)
    return cache
  }

  async function open(token: string, salt: string): Promise<OpenedToken> {
    if (jwt.decode !== decodeToken) return openCustom(token, salt)
    const remembered = rememberedFor(salt)
    // Decryption is remembered, validity is not: the claims are parsed and their times checked on every read.
    const known = remembered.get(token)
    const plaintext = known ?? (await keys.open(token, salt))
    const claims = readClaims(plaintext, now() / 1000)
    if (known === undefined) remembered.set(token, plaintext)
    return { claims, plaintext }
  }

  function openAtOnce(token: string, salt: string): JWT | undefined {
    if (jwt.decode !== decodeToken) return undefined
    const remembered = rememberedFor(salt)
    const known = remembered.get(token)
    const plaintext = known ?? keys.openAtOnce(token, salt)
    if (plaintext === undefined) return undefined
    const claims = readClaims(plaintext, now() / 1000)
    if (known === undefined) remembered.set(token, plaintext)
    return claims
  }

  async function openCustom(token: string, salt: string): Promise<OpenedToken> {
    const claims = await jwt.decode({ ...jwt, token, salt })
    if (!claims) throw new Error("jwt.decode found no claims")
    return { claims, plaintext: JSON.stringify(claims) }
  }

  async function seal(token: JWT, salt: string): Promise<string> {
    if (jwt.encode !== encodeToken) return jwt.encode({ ...jwt, token, salt })
    return keys.seal(token, salt, Math.floor(now() / 1000), jwt.maxAge)
  }

  return { open, openAtOnce, seal }
}
