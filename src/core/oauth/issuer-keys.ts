/** The keys by which an issuer signs, for tokens that `openid-client` does not verify. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientFor } from "./client.js"
import { keySetAt } from "./documents.js"

/**
 * For `jwtVerify` and `compactVerify` of `jose`. The keys come from the cache that sign-ins use: shared by issuer, good for
 * ten minutes, for a day while the issuer is out of reach. A key that they lack has them fetched once more, every 30 seconds
 * at most. Keys of the client's own (`HS256`) are not among them.
 *
 * The function throws `JWKSNoMatchingKey` or `JWKSMultipleMatchingKeys` of `jose`, or an Error when no keys can be had.
 */
export function issuerKeys(engine: Engine, provider: OAuthProvider): JWTVerifyGetKey {
  return async (header, token) => {
    const { jwks_uri } = (await clientFor(engine, provider)).serverMetadata()
    if (jwks_uri === undefined) throw new Error(`the issuer of "${provider.id}" publishes no keys ("jwks_uri")`)
    const keys = keySetAt(engine, provider, jwks_uri)
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

function keyIn(text: string, ...asked: Parameters<JWTVerifyGetKey>): ReturnType<JWTVerifyGetKey> {
  return createLocalJWKSet(JSON.parse(text) as JSONWebKeySet)(...asked)
}
