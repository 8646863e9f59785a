/** The keys by which an issuer signs what is no answer to a request of ours. */
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientFor } from "../oauth/client.js"
import { transport } from "../oauth/transport.js"

// Losing an entry costs one request for the keys.
const known = new WeakMap<OAuthProvider, JWTVerifyGetKey>()

/** @throws Error when discovery fails, or names no keys. */
export async function issuerKeys(engine: Engine, provider: OAuthProvider): Promise<JWTVerifyGetKey> {
  const found = known.get(provider)
  if (found) return found
  const { jwks_uri } = (await clientFor(engine, provider)).serverMetadata()
  if (jwks_uri === undefined) throw new Error(`the discovery document of "${provider.id}" names no keys`)
  const send = transport(engine, provider)
  const keys = createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: Math.ceil(engine.timeouts.provider * 1000) + 1000,
    [customFetch]: (url, { headers, signal }) =>
      send(url, { method: "GET", headers: Object.fromEntries(headers), body: undefined, redirect: "manual", signal }),
  })
  known.set(provider, keys)
  return keys
}
