/** Tokens that only the holder of a key can use (DPoP, RFC 9449). */
import { getDPoPHandle, type Configuration, type DPoPHandle } from "openid-client"
import type { OAuthProvider } from "../engine/providers.js"

// A handle remembers the nonces that its server has given. Losing one costs a request.
const handles = new WeakMap<OAuthProvider, Promise<DPoPHandle>>()

/**
 * What proves possession of the provider's `dpop` key in requests of `client`; `undefined` where none is configured.
 * @throws whatever a promise of a key pair was rejected with, or TypeError when it resolved to something else.
 */
export async function dpopHandleFor(client: Configuration, provider: OAuthProvider): Promise<DPoPHandle | undefined> {
  const { dpop } = provider
  if (dpop === undefined) return undefined
  const known = handles.get(provider)
  if (known) return known
  const handle = Promise.resolve(dpop).then((keys) => getDPoPHandle(client, keys))
  handles.set(provider, handle)
  return handle
}
