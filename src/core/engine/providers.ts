/** Providers, ready for use: options merged over defaults, endpoints parsed, hooks bound. */
import type {
  ClientOptions,
  CredentialField,
  CredentialsConfig,
  OAuthConfig,
  Provider,
  ProviderFactory,
  ProviderStyle,
  SigningKey,
  TokenEndpoint,
  UserinfoEndpoint,
} from "../../providers/kinds.js"
import { isPromise } from "../awaitable.js"
import { callFactory, unwrapModule } from "../config/env.js"
import { definedOnly, isPlainObject, mergeOptions } from "../config/merge.js"
import { conformInternal, customFetch, readSymbol } from "../symbols.js"
import type { Awaitable, Profile, TokenSet, User } from "../types.js"
import { parseAuthorization, parseEndpoint, type ParsedAuthorization, type ParsedEndpoint } from "./endpoints.js"

export interface OAuthProvider {
  readonly type: "oauth" | "oidc"
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly client: ClientOptions
  readonly issuer: string | undefined
  readonly wellKnown: string | undefined
  readonly authorization: ParsedAuthorization
  readonly token: ParsedEndpoint<TokenEndpoint>
  readonly userinfo: ParsedEndpoint<UserinfoEndpoint>
  readonly checks: { readonly pkce: boolean; readonly nonce: boolean }
  /** Whether the profile comes from the ID token. */
  readonly idToken: boolean
  readonly profile: (profile: Profile, tokens: TokenSet) => Awaitable<User>
  readonly account: (tokens: TokenSet) => Awaitable<TokenSet | undefined | void>
  /** The provider's answer comes as a cross-site POST (OAuth 2.0 Form Post Response Mode). */
  readonly formPost: boolean
  /** The application relies on this provider's e-mail addresses to find users. */
  readonly linksByEmail: boolean
  readonly fetch: typeof fetch | undefined
  readonly redirectProxyUrl: string | undefined
  readonly pushedAuthorization: boolean
  readonly requestObject: SigningKey | undefined
  readonly dpop: Awaitable<CryptoKeyPair> | undefined
  readonly mutualTls: boolean
  readonly backChannelLogout: boolean
  /** Seconds. */
  readonly clockTolerance: number
  /** The merged configuration with its endpoints parsed, as hooks expect it. */
  readonly config: Readonly<Record<string, unknown>>
}

export interface CredentialsProvider {
  readonly type: "credentials"
  readonly id: string
  readonly name: string
  readonly fields: Readonly<Record<string, CredentialField>>
  readonly authorize: NonNullable<CredentialsConfig["authorize"]>
}

export type ResolvedProvider = OAuthProvider | CredentialsProvider

/** Calls a factory if need be, and lays `options` over the defaults. The result shares nothing that we would write to. */
export function mergeProvider(given: Provider | ProviderFactory): Provider {
  const unwrapped = unwrapModule(given)
  const provider = typeof unwrapped === "function" ? callFactory(unwrapped, {}) : unwrapped
  if (!isPlainObject(provider)) return provider
  const { options, ...defaults } = provider as Provider & Readonly<Record<string, unknown>>
  const merged = mergeOptions(defaults, isPlainObject(options) ? options : {})
  const own = readSymbol(options ?? {}, customFetch)
  // The built-in fetch of these two rewrites discovery for a client that cannot read it; ours can.
  const builtIn = readSymbol(provider, conformInternal) === true ? undefined : readSymbol(provider, customFetch)
  return { ...merged, [customFetch]: own ?? builtIn } as Provider
}

/** Prepares a merged and validated provider. */
export function resolveProvider(
  provider: OAuthConfig | CredentialsConfig,
  redirectProxyUrl?: string,
): ResolvedProvider {
  return provider.type === "credentials" ? resolveCredentials(provider) : resolveOAuth(provider, redirectProxyUrl)
}

function resolveCredentials(provider: CredentialsConfig): CredentialsProvider {
  const { type, id, name, credentials = {}, authorize } = provider
  return { type, id, name, fields: credentials, authorize: (given, request) => authorize?.(given, request) ?? null }
}

function resolveOAuth(provider: OAuthConfig, redirectProxyUrl?: string): OAuthProvider {
  const { type, id, name, clientId, clientSecret, client = {}, style = {} } = provider
  const authorization = parseAuthorization(provider)
  const token = parseEndpoint(provider.token)
  const userinfo = parseEndpoint(provider.userinfo)
  const formPost = authorization.params["response_mode"] === "form_post"
  return {
    type,
    id,
    name,
    style,
    issuer: addressText(provider.issuer),
    wellKnown: addressText(provider.wellKnown),
    clientId: client.client_id ?? clientId,
    clientSecret: client.client_secret ?? clientSecret,
    client,
    authorization,
    token,
    userinfo,
    checks: resolveChecks(provider),
    idToken: type === "oidc" && provider.idToken !== false,
    profile: provider.profile?.bind(provider) ?? standardProfile,
    account: provider.account?.bind(provider) ?? standardAccount,
    formPost,
    linksByEmail: provider.allowDangerousEmailAccountLinking === true,
    fetch: provider[customFetch],
    pushedAuthorization: provider.pushedAuthorization === true,
    requestObject: provider.requestObject,
    dpop: heldBack(provider.dpop),
    mutualTls: provider.mutualTls ?? /tls_client_auth$/.test(client.token_endpoint_auth_method ?? ""),
    backChannelLogout: type === "oidc" && provider.backChannelLogout === true,
    clockTolerance: provider.clockTolerance ?? 60,
    redirectProxyUrl: formPost ? undefined : provider.redirectProxyUrl || redirectProxyUrl || undefined,
    config: { ...provider, authorization, token, userinfo },
  }
}

/** A key that cannot be had is an error of the sign-ins that need it, not of the process that waits for it. */
function heldBack(keys: OAuthConfig["dpop"]): OAuthConfig["dpop"] {
  if (keys && isPromise(keys)) keys.then(undefined, () => undefined)
  return keys
}

/** Applications also write addresses as URL objects. */
function addressText(address: string | URL | undefined): string | undefined {
  return address === undefined ? undefined : String(address)
}

/** `state` always applies, as it is what tells flows apart. */
function resolveChecks({ type, checks }: OAuthConfig): OAuthProvider["checks"] {
  if (!checks) return { pkce: true, nonce: type === "oidc" }
  return { pkce: checks.includes("pkce"), nonce: type === "oidc" && checks.includes("nonce") }
}

/** The default `profile`: the standard claims (OpenID Connect Core, section 5.1). */
function standardProfile(profile: Profile): User {
  const { sub, id, name, nickname, preferred_username, email, picture } = profile
  return definedOnly({
    id: sub ?? id ?? undefined,
    name: name ?? nickname ?? preferred_username,
    email,
    image: typeof picture === "string" ? picture : undefined,
  })
}

/** The default `account`: what an application may need later. */
function standardAccount(tokens: TokenSet): TokenSet {
  const { access_token, id_token, refresh_token, expires_at, scope, token_type, session_state } = tokens
  return definedOnly({ access_token, id_token, refresh_token, expires_at, scope, token_type, session_state })
}
