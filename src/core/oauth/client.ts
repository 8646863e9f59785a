/** One OAuth client per provider, on `openid-client`. */
import { allowInsecureRequests, Configuration, customFetch } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientIdentity, endpoints } from "./client-identity.js"
import { discoverClient, type DiscoveredClient } from "./discovery.js"
import { withoutSecrets } from "./safe-error.js"
import { transport } from "./transport.js"

/** What is learnt of a client while it is in use. */
interface ClientState {
  /** Where discovery found the metadata, and whether it need not be asked for again. */
  found: Pick<DiscoveredClient, "address" | "isCurrent"> | undefined
}

interface KnownClient {
  readonly client: Promise<Configuration>
  readonly state: ClientState
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
  if (known && known.state.found?.isCurrent() !== false) return known.client

  const state: ClientState = { found: known?.state.found }
  const entry: KnownClient = { client: makeClient(engine, provider, state), state }
  // Where there was one before, nobody but this caller waits for an issuer that does not answer.
  if (!known) clients.set(provider, entry)
  entry.client.then(
    () => clients.set(provider, entry),
    () => clients.get(provider) === entry && clients.delete(provider),
  )
  return entry.client
}

async function makeClient(engine: Engine, provider: OAuthProvider, state: ClientState): Promise<Configuration> {
  try {
    const client = needsDiscovery(provider) ? await discover(engine, provider, state) : plainClient(provider)
    // The transport has the deadline; this one only has to come after it.
    client.timeout = Math.ceil(engine.timeouts.provider) + 1
    client[customFetch] = transport(engine, provider)
    return client
  } catch (error) {
    throw withoutSecrets(error)
  }
}

async function discover(engine: Engine, provider: OAuthProvider, state: ClientState): Promise<Configuration> {
  const { client, ...found } = await discoverClient(engine, provider, state.found?.address)
  state.found = found
  return client
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
