/**
 * The five kinds of provider, as applications and vendors' files write them. A provider is data: defaults, plus what
 * the application gave as `options`. The two are merged when the configuration is compiled.
 */
import type { Awaitable, Profile, Theme, TokenSet, User } from "../core/types.js"
import type { customFetch } from "../core/symbols.js"

/** Protections of a sign-in. `state` always applies. Default: `pkce` and `state`, and `nonce` for OpenID Connect. */
export type Check = "pkce" | "state" | "nonce" | "none"

/** Colours of a provider's button. `brandColor`, else `bg`, is the background. */
export interface ProviderStyle {
  logo?: string | undefined
  text?: string | undefined
  brandColor?: string | undefined
  bg?: string | undefined
}

/** How the client proves itself at the token endpoint (RFC 6749, section 2.3; RFC 7523; RFC 8705). */
export type TokenEndpointAuthMethod =
  | "client_secret_basic"
  | "client_secret_post"
  | "client_secret_jwt"
  | "private_key_jwt"
  | "tls_client_auth"
  | "self_signed_tls_client_auth"
  | "none"

/** Client metadata (RFC 7591, section 2) that differs from the defaults. */
export interface ClientOptions {
  client_id?: string | undefined
  client_secret?: string | undefined
  /** Default `client_secret_basic`; `none` without a secret. */
  token_endpoint_auth_method?: TokenEndpointAuthMethod | (string & {}) | undefined
  id_token_signed_response_alg?: string | undefined
  userinfo_signed_response_alg?: string | undefined
  [metadata: string]: unknown
}

/** An endpoint as an address, or with parameters and hooks. Without `url` the issuer's discovery document has it. */
export interface AuthorizationEndpoint {
  url?: string | URL | undefined
  /** Parameters of every authorization request. Objects (`claims`) are sent as JSON. */
  params?: Readonly<Record<string, unknown>> | undefined
  /** Reserved parameters that a sign-in request may set all the same: `scope`, say, to ask for more. Default none. */
  allow?: readonly AllowableParameter[] | undefined
}

/** What an application may leave to its browsers. Nothing else of the protocol can be. */
export type AllowableParameter = "scope" | "claims" | "authorization_details" | "resource"

/** What `token.request` is given. */
export interface TokenRequestContext {
  /** Parameters of the provider's answer, `code` among them, and `redirect_uri` as the token request must repeat it. */
  readonly params: Readonly<Record<string, string>>
  readonly checks: {
    readonly code_verifier: string | undefined
    readonly state: string
    readonly nonce: string | undefined
  }
  /** The provider with its endpoints parsed, `callbackUrl`, and the `fetch` in effect under `customFetch`. */
  readonly provider: Readonly<Record<string | symbol, unknown>>
}

export interface TokenEndpoint {
  url?: string | URL | undefined
  /** Added to the query of the address, also of one that the discovery document has. */
  params?: Readonly<Record<string, unknown>> | undefined
  /**
   * Exchanges the code in the provider's own way, and returns `{ tokens }`. Called with a
   * {@link TokenRequestContext}. What it returns is checked like any token response; `token_type` is `bearer` if left
   * out. It has `timeouts.provider` seconds.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- published providers declare their own provider types here
  request?(context: any): Awaitable<{ tokens: TokenSet }>
  /** Mends a response that does not conform to RFC 6749. Gets a copy; `undefined` keeps the original. */
  conform?(response: Response): Awaitable<Response | undefined>
  /** Signs client assertions under `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | SigningKey | undefined
}

export interface UserinfoEndpoint {
  url?: string | URL | undefined
  /** As of the token endpoint. */
  params?: Readonly<Record<string, unknown>> | undefined
  /** Fetches the profile in the provider's own way. Only for type `oauth`. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- published providers declare their own profile and provider types here
  request?(context: any): Awaitable<any>
}

interface ProviderBase {
  readonly id: string
  readonly name: string
}

interface OAuthBase<P> extends ProviderBase {
  clientId?: string | undefined
  clientSecret?: string | undefined
  issuer?: string | URL | undefined
  /** Address of the discovery document. Default: `{issuer}/.well-known/openid-configuration`. */
  wellKnown?: string | URL | undefined
  authorization?: string | URL | AuthorizationEndpoint | undefined
  token?: string | URL | TokenEndpoint | undefined
  userinfo?: string | URL | UserinfoEndpoint | undefined
  /** Which of the protections to use. A list replaces the default. */
  checks?: readonly Check[] | undefined
  client?: ClientOptions | undefined
  /** Maps what the provider says of a person to a user. `id` is required, and becomes `providerAccountId`. */
  profile?(profile: P, tokens: TokenSet): Awaitable<User>
  /** Picks what of the token response is stored with the account. */
  account?(tokens: TokenSet): Awaitable<TokenSet | undefined | void>
  style?: ProviderStyle | undefined
  /** Links to the user with the same e-mail address. Dangerous where the provider does not verify addresses. */
  allowDangerousEmailAccountLinking?: boolean | undefined
  redirectProxyUrl?: string | undefined
  /**
   * Sends the authorization request to the provider directly, before the browser goes there (PAR, RFC 9126). Default
   * `false`, unless the provider's discovery document requires it.
   */
  pushedAuthorization?: boolean | undefined
  /** Signs the authorization request with this private key (JAR, RFC 9101). */
  requestObject?: SigningKey | undefined
  /**
   * Binds tokens to this key pair (DPoP, RFC 9449), such as `crypto.subtle.generateKey` makes for ES256. Whoever uses the
   * access token needs the same pair, so keep it. A token that the provider has not bound is refused.
   */
  dpop?: Awaitable<CryptoKeyPair> | undefined
  /**
   * Uses the provider's `mtls_endpoint_aliases` (RFC 8705); give a `customFetch` that has the client's certificate.
   * Default: whether the client authenticates with its certificate.
   */
  mutualTls?: boolean | undefined
  /**
   * Ends sessions when the provider says so (OpenID Connect Back-Channel Logout 1.0). Register
   * `{base path}/callback/{id}/logout` there.
   */
  backChannelLogout?: boolean | undefined
  /** Seconds by which the provider's clock may differ from ours; at most 300. Default 60. */
  clockTolerance?: number | undefined
  /** The application's own settings, merged over the rest. */
  options?: object | undefined
  [customFetch]?: typeof fetch | undefined
}

/** A private key, and the `kid` under which the provider knows its public half. */
export interface SigningKey {
  readonly key: CryptoKey
  readonly kid?: string | undefined
}

/** OAuth 2 (RFC 6749): `authorization`, `token` and `userinfo` are needed. */
export interface OAuth2Config<P = Profile> extends OAuthBase<P> {
  readonly type: "oauth"
}

/** OpenID Connect: `issuer` is needed, and its discovery document tells the rest. */
export interface OIDCConfig<P = Profile> extends OAuthBase<P> {
  readonly type: "oidc"
  /** `false` takes the profile from the userinfo endpoint instead of the ID token. Default `true`. */
  idToken?: boolean | undefined
}

export type OAuthConfig<P = Profile> = OAuth2Config<P> | OIDCConfig<P>

/** What an application may set on an OAuth provider. */
export type OAuthUserConfig<P = Profile> = Partial<Omit<OAuthBase<P>, "options">>
export type OIDCUserConfig<P = Profile> = OAuthUserConfig<P> & { idToken?: boolean }

/** One input on the credentials form. */
export interface CredentialField {
  label?: string | undefined
  /** Default `text`. */
  type?: unknown
  placeholder?: unknown
  value?: unknown
}

/** One input on the credentials form, with whatever attributes it is to have. */
export interface CredentialInput extends CredentialField {
  [attribute: string]: unknown
}

export interface CredentialsConfig extends ProviderBase {
  readonly type: "credentials"
  /** The form's inputs. Declared ones reach `authorize` as strings. */
  credentials?: Readonly<Record<string, CredentialField>> | undefined
  /**
   * Checks what was submitted: the user, or `null` to refuse. Throw `CredentialsSignin` to refuse with a `code`.
   * Anything else thrown is a fault of the server.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- an application types its own credentials
  authorize?(credentials: any, request: Request): Awaitable<User | null>
  options?: object | undefined
}

/** Sends sign-in links. */
export interface EmailConfig extends ProviderBase {
  readonly type: "email"
  /** Seconds for which a link is good. Default 86400. */
  maxAge?: number | undefined
  from?: string | undefined
  apiKey?: string | undefined
  secret?: string | undefined
  sendVerificationRequest?(params: {
    identifier: string
    url: string
    expires: Date
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- published senders declare their own provider type
    provider: any
    token: string
    theme: Theme
    request: Request
  }): Awaitable<void>
  generateVerificationToken?(): Awaitable<string>
  normalizeIdentifier?(identifier: string): string
  options?: object | undefined
}

/** Passkeys. Experimental in the contract. */
export interface WebAuthnConfig extends ProviderBase {
  readonly type: "webauthn"
  enableConditionalUI?: boolean | undefined
  simpleWebAuthnBrowserVersion?: string | false | undefined
  formFields?: Readonly<Record<string, CredentialField>> | undefined
  options?: object | undefined
}

/** A provider of whatever profile type its vendor's file declares. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list of providers has as many profile types as members
export type Provider<P = any> = OAuthConfig<P> | CredentialsConfig | EmailConfig | WebAuthnConfig

/** A provider given as a bare function: it is called with what the environment says. */
export type ProviderFactory = (options: never) => Provider
