/** One OAuth client per provider, on `openid-client`. */
import { allowInsecureRequests, Configuration, customFetch, setJwksCache, type ExportedJWKSCache } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientIdentity, endpoints } from "./client-identity.js"
import { discoverClient, type DiscoveredClient } from "./discovery.js"
import { keySetOf, type KeySet } from "./documents.js"
import { withoutSecrets } from "./safe-error.js"
import { transport, type KeySource } from "./transport.js"

/** Seconds. openid-client drops keys that are 300 seconds old, and asks for others, if one is missing, once they are 60. */
const seededAge = 60
/** A client is made anew, from what the cache holds, before openid-client drops the keys that it was given. */
const keptMs = (300 - seededAge) * 1000

/** What is learnt of a client while it is in use. */
interface ClientState {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Where discovery found the metadata, and whether it need not be asked for again. */
  found: Pick<DiscoveredClient, "address" | "isCurrent"> | undefined
  /** Whether it has asked for keys, and so would not ask again for some time. */
  isSpent: boolean
}

interface KnownClient {
  readonly client: Promise<Configuration>
  readonly state: ClientState
}

// Losing an entry costs a copy of what the cache holds. The key is the provider of one engine.
const clients = new WeakMap<OAuthProvider, KnownClient>()

/**
 * The client of a provider, made at its first use and kept while its issuer's metadata is fresh. The signatures of what it
 * accepts, as an ID token or a profile, have been verified.
 * @throws when discovery fails, or the provider lacks what it takes.
 */
export function clientFor(engine: Engine, provider: OAuthProvider): Promise<Configuration> {
  const known = clients.get(provider)
  const now = engine.ports.now()
  const found = known?.state.found?.isCurrent() === false ? undefined : known?.state.found
  if (known && found === known.state.found && !known.state.isSpent && now - known.state.at < keptMs) return known.client

  const state: ClientState = { at: now, found, isSpent: false }
  const client = makeClient(engine, provider, state)
  clients.set(provider, { client, state })
  client.catch(() => clients.delete(provider))
  return client
}

async function makeClient(engine: Engine, provider: OAuthProvider, state: ClientState): Promise<Configuration> {
  try {
    const client = needsDiscovery(provider) ? await discover(engine, provider, state) : plainClient(provider)
    // The transport has the deadline; this one only has to come after it.
    client.timeout = Math.ceil(engine.timeouts.provider) + 1
    const keys = keySetOf(engine, provider, client.serverMetadata())
    client[customFetch] = transport(engine, provider, keys && shareKeys(keys, client, state))
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

/**
 * Gives a client the keys that the cache knows, as old ones: so it asks whenever one is missing, and whether the issuer is
 * asked is for the cache to say.
 */
function shareKeys(keys: KeySet, client: Configuration, state: ClientState): KeySource {
  const known = keys.known()
  if (known !== undefined) {
    // openid-client has a clock of its own.
    const uat = Math.floor(Date.now() / 1000) - seededAge
    setJwksCache(client, { jwks: JSON.parse(known) as ExportedJWKSCache["jwks"], uat })
  }
  return {
    url: keys.url,
    renew: () => {
      state.isSpent = true
      return keys.renew()
    },
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
