/** The keys by which an issuer signs: ID tokens, logout tokens and userinfo are verified by them. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientFor } from "./client.js"
import { keySetOf, type KeySet } from "./documents.js"

/**
 * For `jwtVerify` and `compactVerify` of `jose`. The keys come from a cache: shared by issuer, good for
 * ten minutes, for a day while the issuer is out of reach. A key that they lack has them fetched once more, every 30 seconds
 * at most. Keys of the client's own (`HS256`) are not among them.
 *
 * The function throws `JWKSNoMatchingKey` or `JWKSMultipleMatchingKeys` of `jose`, or an Error when no keys can be had.
 */
export function issuerKeys(engine: Engine, provider: OAuthProvider): JWTVerifyGetKey {
  return async (header, token) => {
    const keys = await keysOf(engine, provider)
    const known = await keys.get()
    try {
      return await keyIn(known, header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      const renewed = await keys.renew()
      if (renewed === known) throw error
      return keyIn(renewed, header, token)
    }
  }
}

async function keysOf(engine: Engine, provider: OAuthProvider): Promise<KeySet> {
  const metadata = (await clientFor(engine, provider)).serverMetadata()
  const keys = keySetOf(engine, provider, metadata)
  if (!keys) throw new Error(`the issuer of "${provider.id}" publishes no keys ("jwks_uri")`)
  const { protocol } = new URL(keys.url)
  if (protocol !== "https:" && protocol !== "http:") {
    throw new Error(`the issuer of "${provider.id}" publishes its keys at an address that is not https ("jwks_uri")`)
  }
  // The issuer that was configured: a document may say anything of itself.
  const issuer = provider.issuer ?? provider.wellKnown
  if (protocol === "http:" && !issuer?.startsWith("http:")) {
    throw new Error(`the issuer of "${provider.id}" publishes its keys over plain http`)
  }
  return keys
}

function keyIn(text: string, ...asked: Parameters<JWTVerifyGetKey>): ReturnType<JWTVerifyGetKey> {
  return createLocalJWKSet(JSON.parse(text) as JSONWebKeySet)(...asked)
}
