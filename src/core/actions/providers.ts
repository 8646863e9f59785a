/** `GET providers`: what the browser may know of the providers, keyed by id. */
import type { Engine } from "../engine/engine.js"
import { json, type Result } from "../http/result.js"
import { baseUrlOf, type AuthRequest } from "../http/request.js"
import type { PublicProvider } from "../types.js"

export function listProviders({ providers }: Engine, request: AuthRequest): Result {
  const base = baseUrlOf(request)
  const entries = [...providers.values()].map(({ id, name, type }): [string, PublicProvider] => {
    return [id, { id, name, type, signinUrl: `${base}/signin/${id}`, callbackUrl: `${base}/callback/${id}` }]
  })
  return json(Object.fromEntries(entries))
}
