/** Both implementations of the token format behind one interface, so that a test can run on each. */
import * as node from "../../../src/core/crypto/jwe.node.js"
import * as web from "../../../src/core/crypto/jwe.web.js"
import type { ContentEncryption } from "../../../src/core/crypto/keys.js"
import type { Awaitable } from "../../../src/core/types.js"

export interface ContentKey {
  readonly hex: string
  readonly kid: string
}

export interface Implementation {
  readonly name: string
  seal(plaintext: string, secret: string, salt: string): Promise<string>
  /** Opens with the keys of `secrets`, in their order. */
  open(token: string, secrets: readonly string[], salt: string): Promise<string>
  contentKey(secret: string, salt: string, enc: ContentEncryption): Promise<ContentKey>
}

type DerivedKeys = Readonly<Record<ContentEncryption, { readonly bytes: Uint8Array; readonly kid: string }>>

interface Module<K extends DerivedKeys> {
  deriveKey(secret: string, salt: string): Awaitable<K>
  sealToken(plaintext: string, key: K): Awaitable<string>
  openToken(token: string, keys: readonly K[]): Awaitable<string>
}

function adapt<K extends DerivedKeys>(name: string, { deriveKey, sealToken, openToken }: Module<K>): Implementation {
  return {
    name,
    async seal(plaintext, secret, salt) {
      return sealToken(plaintext, await deriveKey(secret, salt))
    },
    async open(token, secrets, salt) {
      return openToken(token, await Promise.all(secrets.map(async (secret) => deriveKey(secret, salt))))
    },
    async contentKey(secret, salt, enc) {
      const { bytes, kid } = (await deriveKey(secret, salt))[enc]
      return { hex: Buffer.from(bytes).toString("hex"), kid }
    },
  }
}

export const nodeImplementation = adapt("jwe.node", node)
export const webImplementation = adapt("jwe.web", web)
export const implementations: readonly Implementation[] = [nodeImplementation, webImplementation]
