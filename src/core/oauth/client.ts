/** One OAuth client per provider, on `openid-client`. */
import { allowInsecureRequests, Configuration, customFetch } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientIdentity, endpoints } from "./client-identity.js"
import { discoverClient, type DiscoveredClient } from "./discovery.js"
import { withoutSecrets } from "./safe-error.js"
import { transport } from "./transport.js"

interface KnownClient {
  readonly client: Promise<Configuration>
  /** Whether what the issuer said of itself need not be asked for again. */
  readonly isCurrent: () => boolean
}

// Losing an entry costs a copy of what the cache holds. The key is the provider of one engine.
const clients = new WeakMap<OAuthProvider, KnownClient>()

/**
 * The client of a provider, made at its first use and kept while its issuer's metadata is fresh. It checks what tokens claim;
 * their signatures are for `issuerKeys` to verify.
 * @throws when discovery fails, or the provider lacks what it takes.
 */
export function clientFor(engine: Engine, provider: OAuthProvider): Promise<Configuration> {
  const known = clients.get(provider)
  if (known?.isCurrent()) return known.client

  const making = makeClient(engine, provider)
  const entry: KnownClient = { client: making.then(({ client }) => client), isCurrent: () => true }
  // Where there was one before, nobody but this caller waits for an issuer that does not answer.
  if (!known) clients.set(provider, entry)
  making.then(
    ({ isCurrent }) => clients.set(provider, { ...entry, isCurrent }),
    () => clients.get(provider) === entry && clients.delete(provider),
  )
  return entry.client
}

async function makeClient(engine: Engine, provider: OAuthProvider): Promise<DiscoveredClient> {
  try {
    const made = needsDiscovery(provider) ? await discoverClient(engine, provider) : plainClient(provider)
    // The transport has the deadline; this one only has to come after it.
    made.client.timeout = Math.ceil(engine.timeouts.provider) + 1
    made.client[customFetch] = transport(engine, provider)
    return made
  } catch (error) {
    throw withoutSecrets(error)
  }
}

/** OpenID Connect needs the issuer's keys; plain OAuth 2 whatever endpoints the configuration leaves to the issuer. */
function needsDiscovery({ type, authorization, token, issuer, pushedAuthorization }: OAuthProvider): boolean {
  return type === "oidc" || !authorization.url || !token.url || (pushedAuthorization && issuer !== undefined)
}

function plainClient(provider: OAuthProvider): DiscoveredClient {
  const own = endpoints(provider)
  // openid-client wants an issuer to compare `iss` with. Where none is configured, `iss` is left out before it looks.
  const issuer = provider.issuer ?? provider.authorization.url?.origin ?? ""
  const client = new Configuration({ issuer, ...own }, ...clientIdentity(provider))
  if (Object.values(own).some((address) => address.startsWith("http:"))) allowInsecureRequests(client)
  return { client, isCurrent: () => true }
}
