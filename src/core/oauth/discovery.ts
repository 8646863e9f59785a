/** An OAuth client whose server tells its own endpoints and keys (OpenID Connect Discovery; RFC 8414). */
import {
  allowInsecureRequests,
  Configuration,
  customFetch,
  discovery,
  type CustomFetch,
  type ServerMetadata,
} from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { clientIdentity, endpointsOver } from "./client-identity.js"
import { discoveryTransport } from "./documents.js"
import { inTime, isTimeout } from "./send.js"

export interface DiscoveredClient {
  readonly client: Configuration
  /** Whether what the issuer said of itself need not be asked for again. */
  readonly isCurrent: () => boolean
}

/** @throws when no usable metadata can be had within `timeouts.provider`. */
export function discoverClient(engine: Engine, provider: OAuthProvider): Promise<DiscoveredClient> {
  return inTime(engine, discoverSomewhere(engine, provider))
}

async function discoverSomewhere(engine: Engine, provider: OAuthProvider): Promise<DiscoveredClient> {
  const { issuer, wellKnown } = provider
  if (wellKnown === undefined) return discoverAt(engine, provider, new URL(issuer ?? ""))
  try {
    return await discoverAt(engine, provider, new URL(wellKnown))
  } catch (error) {
    if (issuer === undefined || isTimeout(error)) throw error
    // Published providers have addresses that never were right, and that Auth.js never used: the issuer knows better.
    return discoverAt(engine, { ...provider, wellKnown: undefined }, new URL(issuer))
  }
}

async function discoverAt(engine: Engine, provider: OAuthProvider, address: URL): Promise<DiscoveredClient> {
  const documents = discoveryTransport(engine, provider)
  try {
    const discovered = await readDiscovery(engine, provider, address, documents.send)
    const metadata = discovered.serverMetadata()
    if (provider.wellKnown !== undefined) checkIssuer(provider, metadata)
    checkEndpoints(provider, metadata)
    const client = withOwnEndpoints(provider, discovered, metadata, address.protocol === "http:")
    return { client, isCurrent: documents.isCurrent }
  } catch (error) {
    documents.forget()
    throw error
  }
}

async function readDiscovery(
  { timeouts }: Engine,
  provider: OAuthProvider,
  address: URL,
  send: CustomFetch,
): Promise<Configuration> {
  if (provider.wellKnown !== undefined && !address.pathname.includes("/.well-known/")) {
    // openid-client takes any other address for an issuer, and looks for the document below it.
    const headers = { accept: "application/json" }
    const response = await send(address.href, { method: "GET", headers, body: undefined, redirect: "manual" })
    return new Configuration((await response.json()) as ServerMetadata, ...clientIdentity(provider))
  }
  return discovery(address, ...clientIdentity(provider), {
    execute: address.protocol === "http:" ? [allowInsecureRequests] : [],
    timeout: Math.ceil(timeouts.provider) + 1,
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

function checkEndpoints({ id, authorization, token }: OAuthProvider, metadata: ServerMetadata): void {
  const needed: readonly unknown[] = [
    authorization.url ?? metadata.authorization_endpoint,
    token.url ?? metadata.token_endpoint,
  ]
  const isComplete = needed.every((address) => /^https?:\/\//.test(String(address)) && URL.canParse(String(address)))
  if (!isComplete) throw new Error(`the discovery document of "${id}" has no authorization or no token endpoint`)
}

/** Endpoints of the configuration win over those of the discovery document. */
function withOwnEndpoints(
  provider: OAuthProvider,
  discovered: Configuration,
  metadata: ServerMetadata,
  insecure: boolean,
): Configuration {
  const own = endpointsOver(metadata, provider)
  const client =
    Object.keys(own).length === 0 ? discovered : new Configuration({ ...metadata, ...own }, ...clientIdentity(provider))
  if (insecure) allowInsecureRequests(client)
  return client
}
