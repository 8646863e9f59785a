/** Keys with which the faulty provider signs, and the ways in which it does so. */
import {
  calculateJwkThumbprint,
  CompactEncrypt,
  exportJWK,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
  type CryptoKey,
  type GenerateKeyPairResult,
  type JWK,
} from "jose"

export type Json = Readonly<Record<string, unknown>>

/**
 * How a token is signed: with the published RSA key (`RS256`), the published elliptic one (`ES256`), the client's secret
 * (`HS256`), not at all (`none`), with a signature that does not hold (`broken`), with a key that nobody published
 * (`foreign`), or properly and then encrypted for a key that the client does not have (`encrypted`).
 */
export type FaultySignature = "RS256" | "ES256" | "HS256" | "none" | "broken" | "foreign" | "encrypted"

export interface SigningOptions {
  /** Default `RS256`. */
  readonly sign?: FaultySignature | undefined
  /** Changes the header; `alg` stays. */
  readonly header?: ((header: Json) => Json) | undefined
}

const kinds = { own: "RS256", foreign: "RS256", elliptic: "ES256" } as const

type Kind = keyof typeof kinds

// Making RSA keys takes long, and no test minds that another one has the same.
const shared = new Map<Kind, Promise<GenerateKeyPairResult>>()

function sharedKeys(kind: Kind): Promise<GenerateKeyPairResult> {
  const keys = shared.get(kind) ?? generateKeyPair(kinds[kind], { extractable: true })
  shared.set(kind, keys)
  return keys
}

/** The keys of one provider. */
export class FaultyKeys {
  readonly #clientSecret: string
  #rotated: Promise<GenerateKeyPairResult> | undefined

  constructor(clientSecret: string) {
    this.#clientSecret = clientSecret
  }

  /** From now on another RSA key signs, and only that one is published. */
  async rotate(): Promise<void> {
    this.#rotated = generateKeyPair("RS256", { extractable: true })
    await this.#rotated
  }

  async published(): Promise<readonly JWK[]> {
    const rsa = { ...(await exportJWK((await this.#rsa()).publicKey)), kid: await this.#kid() }
    const ec = { ...(await exportJWK((await sharedKeys("elliptic")).publicKey)), kid: "ec" }
    return [rsa, ec].map((key) => ({ ...key, use: "sig" }))
  }

  async sign(claims: Json, { sign = "RS256", header }: SigningOptions = {}): Promise<string> {
    switch (sign) {
      case "none":
        return new UnsecuredJWT(claims).encode()
      case "HS256":
        return this.#signWith("HS256", new TextEncoder().encode(this.#clientSecret), claims, header)
      case "ES256":
        return this.#signWith("ES256", (await sharedKeys("elliptic")).privateKey, claims, header)
      case "foreign":
        return this.#signWith("RS256", (await sharedKeys("foreign")).privateKey, claims, header)
      case "encrypted":
        return this.#encrypt(await this.#signWith("RS256", (await this.#rsa()).privateKey, claims, header))
      case "broken":
      case "RS256": {
        const token = await this.#signWith("RS256", (await this.#rsa()).privateKey, claims, header)
        return sign === "broken" ? `${token.slice(0, -8)}AAAAAAAA` : token
      }
    }
  }

  async #signWith(
    alg: string,
    key: CryptoKey | Uint8Array,
    claims: Json,
    change: SigningOptions["header"],
  ): Promise<string> {
    const header = { alg, kid: alg === "ES256" ? "ec" : await this.#kid() }
    return new SignJWT({ ...claims }).setProtectedHeader({ ...(change?.(header) ?? header), alg }).sign(key)
  }

  async #encrypt(token: string): Promise<string> {
    const { publicKey } = await this.#rsa()
    return new CompactEncrypt(new TextEncoder().encode(token))
      .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM" })
      .encrypt(publicKey)
  }

  #rsa(): Promise<GenerateKeyPairResult> {
    return this.#rotated ?? sharedKeys("own")
  }

  async #kid(): Promise<string> {
    return calculateJwkThumbprint(await exportJWK((await this.#rsa()).publicKey))
  }
}
