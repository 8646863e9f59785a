/** Session tokens, written and opened: the built-in format, or the application's own `jwt.encode` and `jwt.decode`. */
import { LRUCache } from "lru-cache"
import { checkTimes, readClaims } from "../crypto/claims.js"
import { decode as decodeToken, encode as encodeToken, type JWTOptions } from "../crypto/jwt.js"
import type { KeyRing } from "../crypto/key-ring.js"
import type { JWT } from "../types.js"

export interface OpenedToken {
  readonly claims: JWT
  /** The claims as they were written, to see whether a callback changed them. */
  readonly plaintext: string
}

/** A token that was opened before. Nobody may write to its claims. */
export interface RememberedToken {
  readonly token: string
  readonly plaintext: string
  readonly claims: Readonly<JWT>
  /** ISO 8601 date and time of `exp`. */
  readonly expires: string
}

export interface TokenFormat {
  /** Claims that the caller may change. @throws Error when the token cannot be opened or has expired. */
  open(token: string, salt: string): Promise<OpenedToken>
  /**
   * The token where it takes no waiting; `undefined` where it does.
   * @throws Error when the token cannot be opened or has expired.
   */
  peek(token: string, salt: string): RememberedToken | undefined
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
  const memories = new Map<string, TokenMemory>()

  function memoryFor(salt: string): TokenMemory {
    const known = memories.get(salt)
    if (known) return known
    const memory = createTokenMemory()
    memories.set(salt, memory)
    return memory
  }

  // Decryption is remembered, validity is not: the times of a token are checked on every read.
  async function open(token: string, salt: string): Promise<OpenedToken> {
    if (jwt.decode !== decodeToken) return openCustom(token, salt)
    const memory = memoryFor(salt)
    const known = memory.find(token)
    const plaintext = known?.plaintext ?? (await keys.open(token, salt))
    const claims = readClaims(plaintext, now() / 1000)
    if (!known) memory.keep(token, plaintext)
    return { claims, plaintext }
  }

  function peek(token: string, salt: string): RememberedToken | undefined {
    if (jwt.decode !== decodeToken) return undefined
    const memory = memoryFor(salt)
    const known = memory.find(token)
    if (known) {
      checkTimes(known.claims, now() / 1000)
      return known
    }
    const plaintext = keys.openAtOnce(token, salt)
    if (plaintext === undefined) return undefined
    readClaims(plaintext, now() / 1000)
    return memory.keep(token, plaintext)
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

  return { open, peek, seal }
}

interface TokenMemory {
  find(token: string): RememberedToken | undefined
  /** Keeps a token whose claims have been found good. */
  keep(token: string, plaintext: string): RememberedToken
}

/** Tokens by their last part, which is shorter to look up than the whole, and which no two tokens share. */
function createTokenMemory(): TokenMemory {
  const tokens = new LRUCache<string, RememberedToken>({
    maxSize: rememberedCharacters,
    sizeCalculation: ({ token, plaintext }) => token.length + plaintext.length,
  })
  const keyOf = (token: string) => token.slice(-43)
  return {
    find(token) {
      const known = tokens.get(keyOf(token))
      return known?.token === token ? known : undefined
    },
    keep(token, plaintext) {
      const claims = JSON.parse(plaintext) as JWT
      const expires = new Date((claims.exp ?? 0) * 1000).toISOString()
      const remembered = { token, plaintext, claims, expires }
      tokens.set(keyOf(token), remembered)
      return remembered
    },
  }
}
