/**
 * The records that travel through Latchkey. `Session`, `User`, `Account`, `Profile` and `JWT` are open interfaces:
 * an application extends them with `declare module "latchkey" { interface Session { … } }`.
 */

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>

/** How a provider signs people in. */
export type ProviderType = "oauth" | "oidc" | "email" | "credentials" | "webauthn"

/** The nine HTTP actions below the base path. */
export type AuthAction =
  "callback" | "csrf" | "error" | "providers" | "session" | "signin" | "signout" | "verify-request" | "webauthn-options"

export interface DefaultUser {
  id?: string | undefined
  name?: string | null | undefined
  email?: string | null | undefined
  image?: string | null | undefined
}

/** The signed-in person, as a provider's `profile` callback or the adapter returned them. */
export interface User extends DefaultUser {}

export interface DefaultSession {
  user?: User | undefined
  /** ISO 8601 date and time at which the session expires. */
  expires: string
}

/** What `req.auth` and `GET session` give, after the `session` callback. It may reach the browser. */
export interface Session extends DefaultSession {}

/** The token endpoint's answer, plus the moment at which the access token expires (RFC 6749, section 5.1). */
export interface TokenSet {
  access_token?: string | undefined
  /** Lifetime in seconds, as the token endpoint returned it. */
  expires_in?: number | undefined
  /** Seconds since the epoch, calculated from `expires_in`. */
  expires_at?: number | undefined
  id_token?: string | undefined
  refresh_token?: string | undefined
  scope?: string | undefined
  /** Always lower-case: the value is case-insensitive. */
  token_type?: Lowercase<string> | undefined
  /** Rich authorization details (RFC 9396, section 7). */
  authorization_details?: { readonly type: string; readonly [field: string]: unknown }[] | undefined
  session_state?: string | undefined
  [parameter: string]: unknown
}

/** What is kept of a token response, to use it later. */
export type KeptTokens = Pick<
  TokenSet,
  "access_token" | "refresh_token" | "expires_at" | "scope" | "token_type" | "id_token"
>

/** The connection between a user and a provider, with the tokens of an OAuth provider. */
export interface Account extends TokenSet {
  /** Provider id. */
  provider: string
  /** The provider's id for this person: profile id, e-mail address, or the id that `authorize` returned. */
  providerAccountId: string
  type: ProviderType
  /** Id of the owning user. */
  userId?: string | undefined
}

/**
 * What an OAuth provider says of a person.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
 */
export interface Profile {
  sub?: string | null | undefined
  id?: string | null | undefined
  name?: string | null | undefined
  given_name?: string | null | undefined
  family_name?: string | null | undefined
  middle_name?: string | null | undefined
  nickname?: string | null | undefined
  preferred_username?: string | null | undefined
  profile?: string | null | undefined
  picture?: unknown
  website?: string | null | undefined
  email?: string | null | undefined
  email_verified?: boolean | null | undefined
  gender?: string | null | undefined
  birthdate?: string | null | undefined
  zoneinfo?: string | null | undefined
  locale?: string | null | undefined
  phone_number?: string | null | undefined
  updated_at?: Date | string | number | null | undefined
  address?: {
    formatted?: string | null | undefined
    street_address?: string | null | undefined
    locality?: string | null | undefined
    region?: string | null | undefined
    postal_code?: string | null | undefined
    country?: string | null | undefined
  } | null
  [claim: string]: unknown
}

export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null | undefined
  email?: string | null | undefined
  picture?: string | null | undefined
  sub?: string | undefined
  /** Issued at, seconds since the epoch. */
  iat?: number | undefined
  /** Expires at, seconds since the epoch. */
  exp?: number | undefined
  jti?: string | undefined
}

/** The claims inside the session cookie of the `jwt` strategy. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

/** A provider as the browser may see it, keyed by id in the answer of `GET providers`. */
export interface PublicProvider {
  id: string
  name: string
  type: string
  /** `POST` here starts a sign-in. */
  signinUrl: string
  callbackUrl: string
}

/** Colours and logo of the built-in pages. */
export interface Theme {
  /** `auto` follows the visitor's system. Default `auto`. */
  colorScheme?: "auto" | "dark" | "light" | undefined
  /** Address of an image, at most 64 pixels high on the page. */
  logo?: string | undefined
  /** A CSS colour for buttons and links. */
  brandColor?: string | undefined
  /** A CSS colour for the text on buttons. */
  buttonText?: string | undefined
}

/** Where an application shows its own pages instead of the built-in ones. Paths or absolute addresses. */
export interface PagesOptions {
  /** Gets `callbackUrl`, and `error` after a failed sign-in. */
  signIn: string
  signOut: string
  /** Gets `error`. */
  error: string
  verifyRequest: string
  /** Where a user goes after the sign-in that created them; gets `callbackUrl`. */
  newUser: string
}

/** Attributes of a cookie, as the `cookie` package takes them. `maxAge` is in seconds. */
export interface CookieSerializeOptions {
  domain?: string | undefined
  expires?: Date | undefined
  httpOnly?: boolean | undefined
  maxAge?: number | undefined
  partitioned?: boolean | undefined
  path?: string | undefined
  priority?: "low" | "medium" | "high" | undefined
  sameSite?: boolean | "lax" | "strict" | "none" | undefined
  secure?: boolean | undefined
}

export interface CookieOption {
  name: string
  options: CookieSerializeOptions
}

/** Every cookie that Latchkey sets. What is left out keeps its default. */
export interface CookiesOptions {
  sessionToken: Partial<CookieOption>
  callbackUrl: Partial<CookieOption>
  csrfToken: Partial<CookieOption>
  pkceCodeVerifier: Partial<CookieOption>
  state: Partial<CookieOption>
  nonce: Partial<CookieOption>
  webauthnChallenge: Partial<CookieOption>
  /** Only with `session.providerTokens`. */
  providerTokens: Partial<CookieOption>
}

/** Codes given to `logger.warn`. */
export type WarningCode =
  | "csrf-disabled"
  | "debug-enabled"
  | "env-url-basepath-mismatch"
  | "env-url-basepath-redundant"
  | "experimental-webauthn"
  | "proxy-not-trusted"

export interface LoggerInstance {
  /** An `AuthError` for everything Latchkey reports; its `cause` holds what went wrong. */
  error: (error: Error) => void
  warn: (code: WarningCode) => void
  /** Silent unless `debug` is on. Secrets in `metadata` are already redacted. */
  debug: (message: string, metadata?: unknown) => void
}

/** What `Auth` returns when the configuration carries the `raw` marker. */
export interface ResponseInternal<Body = string | Record<string, unknown> | readonly unknown[] | null> {
  status?: number | undefined
  headers?: Headers | undefined
  body?: Body | undefined
  redirect?: string | undefined
  cookies?: { name: string; value: string; options: CookieSerializeOptions }[] | undefined
}

/** Values of `error` on the error page. */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification"

/** Values of `error` on the sign-in page. */
export type SignInPageErrorParam =
  | "Signin"
  | "OAuthSignin"
  | "OAuthCallbackError"
  | "OAuthCreateAccount"
  | "EmailCreateAccount"
  | "Callback"
  | "OAuthAccountNotLinked"
  | "EmailSignin"
  | "CredentialsSignin"
  | "SessionRequired"

/** A version as `v1`, `v1.2` or `v1.2.3`. */
export type SemverString = `v${number}` | `v${number}.${number}` | `v${number}.${number}.${number}`
