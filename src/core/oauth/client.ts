/** One OAuth client per provider, on `openid-client`. */
import { allowInsecureRequests, Configuration, customFetch } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientIdentity, endpoints } from "./client-identity.js"
import { discoverClient } from "./discovery.js"
import { withoutSecrets } from "./safe-error.js"
import { transport } from "./transport.js"

const refreshMs = 60 * 60 * 1000

interface KnownClient {
  readonly client: Promise<Configuration>
  readonly at: number
}

// Losing an entry costs one discovery. The key is the provider of one engine, so nothing is shared between two.
const clients = new WeakMap<OAuthProvider, KnownClient>()

/**
 * The client of a provider, made at its first use and then once an hour.
 * @throws when discovery fails, or the provider lacks what it takes.
 */
export function clientFor(engine: Engine, provider: OAuthProvider): Promise<Configuration> {
  const known = clients.get(provider)
  const now = engine.ports.now()
  if (known && now - known.at < refreshMs) return known.client
  const client = createClient(engine, provider)
  clients.set(provider, { client, at: now })
  client.catch(() => clients.delete(provider))
  return client
}

async function createClient(engine: Engine, provider: OAuthProvider): Promise<Configuration> {
  try {
    const client = needsDiscovery(provider) ? await discoverClient(engine, provider) : plainClient(provider)
    // The transport has the deadline; this one only has to come after it.
    client.timeout = Math.ceil(engine.timeouts.provider) + 1
    client[customFetch] = transport(engine, provider)
    return client
  } catch (error) {
    throw withoutSecrets(error)
  }
}

/** OpenID Connect needs the issuer's keys; plain OAuth 2 whatever endpoints the configuration leaves to the issuer. */
function needsDiscovery({ type, authorization, token, issuer, pushedAuthorization }: OAuthProvider): boolean {
  return type === "oidc" || !authorization.url || !token.url || (pushedAuthorization && issuer !== undefined)
}

function plainClient(provider: OAuthProvider): Configuration {
  const own = endpoints(provider)
  // openid-client wants an issuer to compare `iss` with. Where none is configured, `iss` is left out before it looks.
  const issuer = provider.issuer ?? provider.authorization.url?.origin ?? ""
  const client = new Configuration({ issuer, ...own }, ...clientIdentity(provider))
  if (Object.values(own).some((address) => address.startsWith("http:"))) allowInsecureRequests(client)
  return client
}
