/** One OAuth client per provider, on `openid-client`: metadata, client authentication, transport. */
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretJwt,
  ClientSecretPost,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  PrivateKeyJwt,
  type ClientAuth,
  type ClientMetadata,
  type ServerMetadata,
} from "openid-client"
import type { Engine } from "../../engine/engine.js"
import type { OAuthProvider } from "../../engine/providers.js"
import { InvalidProvider } from "../../errors.js"
import { withoutSecrets } from "./safe-error.js"
import { cachedTransport, transport } from "./transport.js"

/** How long a provider may take to answer. */
const timeoutSeconds = 10
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
    client.timeout = timeoutSeconds
    client[customFetch] = transport(engine, provider)
    return client
  } catch (error) {
    throw withoutSecrets(error)
  }
}

/** OpenID Connect needs the issuer's keys; plain OAuth 2 whatever endpoints the configuration leaves to the issuer. */
function needsDiscovery({ type, authorization, token }: OAuthProvider): boolean {
  return type === "oidc" || !authorization.url || !token.url
}

async function discoverClient(engine: Engine, provider: OAuthProvider): Promise<Configuration> {
  const { issuer, wellKnown } = provider
  const address = new URL(wellKnown ?? issuer ?? "")
  const client = await readDiscovery(engine, provider, address)
  const metadata = client.serverMetadata()
  if (wellKnown !== undefined) checkIssuer(provider, metadata)
  return withOwnEndpoints(provider, client, metadata, address.protocol === "http:")
}

async function readDiscovery(engine: Engine, provider: OAuthProvider, address: URL): Promise<Configuration> {
  const send = cachedTransport(engine, provider)
  if (provider.wellKnown !== undefined && !address.pathname.includes("/.well-known/")) {
    // openid-client takes any other address for an issuer, and looks for the document below it.
    const options = { method: "GET", headers: {}, body: undefined, redirect: "manual" } as const
    const document = (await (await send(address.href, options)).json()) as ServerMetadata
    return new Configuration(document, ...clientIdentity(provider))
  }
  return discovery(address, ...clientIdentity(provider), {
    execute: address.protocol === "http:" ? [allowInsecureRequests] : [],
    timeout: timeoutSeconds,
    [customFetch]: send,
  })
}

/** An own `wellKnown` address is not derived from the issuer, so the document's issuer is compared (Discovery, section 4.3). */
function checkIssuer({ id, issuer }: OAuthProvider, metadata: ServerMetadata): void {
  const isTemplate = metadata.issuer.includes("{tenantid}")
  if (issuer !== undefined && !isTemplate && new URL(issuer).href !== new URL(metadata.issuer).href) {
    throw new Error(
      `the discovery document of "${id}" is of another issuer: expected ${issuer}, got ${metadata.issuer}`,
    )
  }
}

/** Endpoints of the configuration win over those of the discovery document. */
function withOwnEndpoints(
  provider: OAuthProvider,
  discovered: Configuration,
  metadata: ServerMetadata,
  insecure: boolean,
): Configuration {
  const own = endpoints(provider)
  const client =
    Object.keys(own).length === 0 ? discovered : new Configuration({ ...metadata, ...own }, ...clientIdentity(provider))
  if (insecure) allowInsecureRequests(client)
  if (provider.type === "oidc") enableNonRepudiationChecks(client)
  return client
}

function plainClient(provider: OAuthProvider): Configuration {
  const own = endpoints(provider)
  // openid-client wants an issuer to compare `iss` with. Where none is configured, `iss` is left out before it looks.
  const issuer = provider.issuer ?? provider.authorization.url?.origin ?? ""
  const client = new Configuration({ issuer, ...own }, ...clientIdentity(provider))
  if (Object.values(own).some((address) => address.startsWith("http:"))) allowInsecureRequests(client)
  return client
}

function endpoints({ authorization, token, userinfo }: OAuthProvider): Readonly<Record<string, string>> {
  const addresses = {
    authorization_endpoint: authorization.url?.href,
    token_endpoint: token.url?.href,
    userinfo_endpoint: userinfo.url?.href,
  }
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, href]) => (href === undefined ? [] : [[name, href]])),
  )
}

function clientIdentity(
  provider: OAuthProvider,
): [clientId: string, metadata: Partial<ClientMetadata>, auth: ClientAuth] {
  const { id, clientId, clientSecret, client } = provider
  if (!clientId) {
    const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_ID`
    throw new InvalidProvider(`The provider "${id}" has no clientId: set it, or the environment variable ${variable}`)
  }
  return [clientId, { ...client, client_id: clientId, client_secret: clientSecret }, clientAuthentication(provider)]
}

function clientAuthentication({ id, clientSecret, client, token }: OAuthProvider): ClientAuth {
  const method = client.token_endpoint_auth_method ?? (clientSecret ? "client_secret_basic" : "none")
  switch (method) {
    case "client_secret_basic":
      return ClientSecretBasic(clientSecret)
    case "client_secret_post":
      return ClientSecretPost(clientSecret)
    case "client_secret_jwt":
      return ClientSecretJwt(clientSecret)
    case "private_key_jwt":
      if (!token.clientPrivateKey) throw new InvalidProvider(`The provider "${id}" has no token.clientPrivateKey`)
      return PrivateKeyJwt(token.clientPrivateKey)
    case "none":
      return None()
    default:
      throw new InvalidProvider(`The provider "${id}" has an unknown token_endpoint_auth_method`)
  }
}
