/** What an issuer publishes of itself: its metadata and its keys, through the cache that every client shares. */
import type { CustomFetch, ServerMetadata } from "openid-client"
import type { DocumentPlace } from "../engine/document-cache.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { isObject } from "../is-object.js"
import { sender, sourceOf } from "./send.js"

const metadataFreshMs = 60 * 60 * 1000
/** A key that is withdrawn is believed no longer than this, as long as its issuer answers. */
const keysFreshMs = 10 * 60 * 1000
/** More keys than anybody has: each one of them may have to be tried. */
const mostKeys = 100

/** Calls of one discovery. */
export interface DiscoveryTransport {
  /** The document comes from the cache while it is fresh, or while the issuer is out of reach. */
  readonly send: CustomFetch
  /** Whether nothing that was read so far has to be asked for again. */
  readonly isCurrent: () => boolean
  /** Forgets what was read, as it turned out to be of no use. */
  readonly forget: () => void
}

export function discoveryTransport(engine: Engine, provider: OAuthProvider): DiscoveryTransport {
  const { documents } = engine.ports
  const source = sourceOf(engine, provider)
  const send = sender(engine, provider)
  const places: DocumentPlace[] = []
  return {
    async send(url, options) {
      const place = { source, url, freshFor: metadataFreshMs }
      const text = await documents.get(place, async () => {
        const response = await send(url, options)
        if (response.status !== 200) throw new Error(`discovery at ${url} answered ${response.status}`)
        return requireMetadata(await response.text(), url)
      })
      places.push(place)
      return jsonResponse(text)
    },
    isCurrent: () => places.every((place) => documents.known(place) !== undefined),
    forget: () => places.forEach((place) => documents.forget(place)),
  }
}

/** An issuer's key set, as JSON text (RFC 7517, section 5). */
export interface KeySet {
  readonly url: string
  /** @throws Error when there are no keys to be had. */
  readonly get: () => Promise<string>
  /** The keys after a new question, as the known ones lack one; asked at most every 30 seconds, whoever asks. */
  readonly renew: () => Promise<string>
}

/** The keys that an issuer's metadata names, if it names any. */
export function keySetOf(
  engine: Engine,
  provider: OAuthProvider,
  { jwks_uri }: Pick<ServerMetadata, "jwks_uri">,
): KeySet | undefined {
  if (jwks_uri === undefined || !URL.canParse(jwks_uri)) return undefined
  const { href: url } = new URL(jwks_uri)
  const { documents } = engine.ports
  const place = { source: sourceOf(engine, provider), url, freshFor: keysFreshMs }
  const send = sender(engine, provider)
  const load = async (): Promise<string> => {
    const headers = { accept: "application/json, application/jwk-set+json" }
    const response = await send(url, { method: "GET", headers, body: undefined, redirect: "manual" })
    return requireKeys(response, url)
  }
  return {
    url,
    get: () => documents.get(place, load),
    renew: () => documents.renew(place, load),
  }
}

export function jsonResponse(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/json" } })
}

/** What is no metadata must not stay in the cache. */
function requireMetadata(text: string, url: string): string {
  const metadata = parsed(text)
  if (isObject(metadata) && "issuer" in metadata) return text
  throw new Error(`discovery at ${url} answered with something else than an issuer's metadata`)
}

async function requireKeys(response: Response, url: string): Promise<string> {
  if (response.status !== 200) throw new Error(`the keys at ${url}: HTTP ${response.status}`)
  const type = response.headers.get("content-type") ?? ""
  if (!/^application\/(?:jwk-set\+)?json\b/i.test(type)) throw new Error(`the keys at ${url} are not of a JSON type`)
  const text = await response.text()
  const set = parsed(text)
  const keys: unknown = isObject(set) && "keys" in set ? set.keys : undefined
  if (!Array.isArray(keys) || !keys.every(isObject)) throw new Error(`the keys at ${url} are no JSON Web Key Set`)
  if (keys.length > mostKeys) throw new Error(`the keys at ${url} are more than ${mostKeys}`)
  return text
}

/** What cannot be parsed is not quoted either. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
