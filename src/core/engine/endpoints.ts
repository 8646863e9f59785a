/** Endpoints of a provider, as the configuration has them. */
import type { AllowableParameter, AuthorizationEndpoint, OAuthConfig, TokenEndpoint } from "../../providers/kinds.js"

type Parameters = Readonly<Record<string, string>>

export interface ParsedAuthorization {
  /** Without its query, which is among `params`. */
  readonly url: URL | undefined
  readonly params: Parameters
  /** Reserved parameters that a browser may set. */
  readonly allow: readonly AllowableParameter[]
}

/** `params` are in the query of `url` already; without one, they are for whatever address the issuer tells. */
export type ParsedEndpoint<E extends object> = Omit<E, "url" | "params"> & {
  readonly url: URL | undefined
  readonly params: Parameters
}

const standardScope = "openid profile email"
/** Stands for "ask the issuer" in providers written for Auth.js. */
const placeholderHost = "authjs.dev"

export function parseAuthorization({ type, authorization }: OAuthConfig): ParsedAuthorization {
  const { url: address, params = {}, allow = [] }: AuthorizationEndpoint = asObject(authorization)
  const { url, query } = parseAddress(address)
  const own = { ...query, ...parameterTexts(params) }
  if (url) url.search = ""
  const scope: Parameters = type === "oidc" && !("scope" in own) ? { scope: standardScope } : {}
  return { url, params: { ...scope, ...own }, allow }
}

export function parseEndpoint<E extends Endpoint>(endpoint: string | URL | E | undefined): ParsedEndpoint<E> {
  const given = asObject(endpoint)
  const { url } = parseAddress(given.url)
  const params = parameterTexts(given.params ?? {})
  for (const [name, value] of Object.entries(params)) url?.searchParams.set(name, value)
  return { ...given, url, params }
}

type Endpoint = Pick<TokenEndpoint, "url" | "params">

function asObject<E extends Endpoint>(endpoint: string | URL | E | undefined): E {
  return typeof endpoint === "object" && !(endpoint instanceof URL) ? endpoint : ({ url: endpoint } as E)
}

/** A copy of the address without fragment, if it is one. */
function parseAddress(address: string | URL | undefined): {
  readonly url: URL | undefined
  readonly query: Parameters
} {
  const parsed = address === undefined ? undefined : new URL(address)
  if (parsed) parsed.hash = ""
  const query = Object.fromEntries([...(parsed?.searchParams ?? [])])
  return { url: parsed?.host === placeholderHost ? undefined : parsed, query }
}

function parameterTexts(params: Readonly<Record<string, unknown>>): Parameters {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, parameter(value)]))
}

function parameter(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)
}
