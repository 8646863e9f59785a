/** The configuration, as applications write it. `defaults.ts` has what each option is when left out. */
import type { Adapter, AdapterSession, AdapterUser, Revocations } from "../../adapters/contract.js"
import type { Provider, ProviderFactory } from "../../providers/kinds.js"
import type { JWTOptions } from "../crypto/jwt.js"
import type { TrustHost } from "../http/origin.js"
import type { raw, skipCSRFCheck } from "../symbols.js"
import type {
  Account,
  Awaitable,
  CookiesOptions,
  JWT,
  LoggerInstance,
  PagesOptions,
  Profile,
  Session,
  Theme,
  User,
} from "../types.js"

export interface SessionOptions {
  /** `jwt` keeps the session in an encrypted cookie. Default `jwt`; `database` when an adapter is set. */
  strategy?: "jwt" | "database" | undefined
  /** Seconds from now until a session expires. Default 2592000 (30 days). */
  maxAge?: number | undefined
  /** Seconds after which a session that is read is prolonged; 0 means on every read. Default 86400 (1 day). */
  updateAge?: number | undefined
  /** Makes the token of a database session. Default: a random UUID. */
  generateSessionToken?: (() => string) | undefined
  /**
   * Keeps a provider's tokens with the browser, in sealed cookies of their own, for `getAccessToken` and federated
   * sign-out where no adapter keeps them. Default `false`.
   */
  providerTokens?: boolean | undefined
  /** Where it is written down which `jwt` sessions a provider has ended. Only for `backChannelLogout`. */
  revocations?: Revocations | undefined
}

/** How long something else may take to answer, in seconds. What takes longer has failed. */
export interface Timeouts {
  /** One method of the adapter. Default 10. */
  adapter?: number | undefined
  /** One request to an OAuth provider. Default 10. */
  provider?: number | undefined
}

/** Control points: what they return decides. Each may be async. */
export interface CallbacksOptions {
  /**
   * Whether this person may sign in. `false` or a thrown error shows the error page; a string sends them there.
   * Default: everybody.
   */
  signIn?: (params: {
    user: User | AdapterUser
    account?: Account | null | undefined
    /** OAuth only. */
    profile?: Profile | undefined
    /** E-mail only: `verificationRequest` is true when the link is asked for, absent when it is followed. */
    email?: { verificationRequest?: boolean } | undefined
    /** Credentials only: what was submitted. */
    credentials?: Record<string, unknown> | undefined
  }) => Awaitable<boolean | string>
  /** Where to go after a sign-in or sign-out. Default: `url` if it is on our own origin, else `baseUrl`. */
  redirect?: ((params: { url: string; baseUrl: string }) => Awaitable<string>) | undefined
  /**
   * What a browser or a server component gets to see of a session. Whatever it returns may reach the client.
   * `token` comes with the `jwt` strategy, `user` with `database`.
   */
  session?: (params: {
    session: Session & AdapterSessionView & { user: NonNullable<Session["user"]> }
    token: JWT
    user: AdapterUser
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in the contract, whose applications read it freely
    newSession?: any
    trigger?: "update" | undefined
  }) => Awaitable<Session>
  /**
   * What the token holds. Called at sign-in with `user`, `account` and `profile`; at every later read with `token`
   * alone; with `session` and trigger `update` when the client sends data, which must be validated. `null` signs out.
   */
  jwt?: (params: {
    token: JWT
    /** At sign-in only, as are `account` and `profile`. */
    user?: User | AdapterUser | undefined
    account?: Account | null | undefined
    profile?: Profile | undefined
    trigger?: "signIn" | "signUp" | "update" | undefined
    /** @deprecated Use trigger `signUp`. */
    isNewUser?: boolean | undefined
    /** What the client sent. Validate it. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in the contract, whose applications read it freely
    session?: any
  }) => Awaitable<JWT | null>
}

/** Members that a session has for the `session` callback under the `database` strategy. */
type AdapterSessionView = Partial<Omit<AdapterSession, "expires">>

/** Notifications. They change nothing: what they throw is logged. */
export interface EventCallbacks {
  signIn?: (message: {
    user: User
    account?: Account | null | undefined
    profile?: Profile | undefined
    isNewUser?: boolean | undefined
  }) => Awaitable<void>
  signOut?: (message: { session: AdapterSession | undefined | null | void } | { token: JWT | null }) => Awaitable<void>
  createUser?: ((message: { user: User }) => Awaitable<void>) | undefined
  updateUser?: ((message: { user: User }) => Awaitable<void>) | undefined
  linkAccount?: (message: {
    user: User | AdapterUser
    account: Account
    profile: User | AdapterUser
  }) => Awaitable<void>
  /** `token` under `jwt`. */
  session?: ((message: { session: Session; token: JWT }) => Awaitable<void>) | undefined
}

export interface AuthConfig {
  /** How people can sign in, in the order of the sign-in page. */
  providers: readonly (Provider | ProviderFactory)[]
  /**
   * Encrypts tokens and hashes; a long random string. A list is for rotation, newest first: the first entry is used
   * for everything new, all of them open what exists. Default: `AUTH_SECRET`.
   */
  secret?: string | readonly string[] | undefined
  session?: SessionOptions | undefined
  jwt?: Partial<JWTOptions> | undefined
  pages?: Partial<PagesOptions> | undefined
  callbacks?: CallbacksOptions | undefined
  events?: EventCallbacks | undefined
  /** Keeps users, accounts and sessions. */
  adapter?: Adapter | undefined
  timeouts?: Timeouts | undefined
  /** Path below which the actions live. Default `/auth`; Express takes it from where the middleware is mounted. */
  basePath?: string | undefined
  theme?: Theme | undefined
  /** Logs what happens, with secrets redacted. Default `false`. */
  debug?: boolean | undefined
  /** Levels that are left out use the console. */
  logger?: Partial<LoggerInstance> | undefined
  /** Names and attributes of cookies. Advanced. */
  cookies?: Partial<CookiesOptions> | undefined
  /** Default: whether the public address is `https`. */
  useSecureCookies?: boolean | undefined
  /**
   * Whether the host of requests can be relied on: `true` where the platform sets it safely, or a list of host names.
   * Default: `AUTH_URL` or `AUTH_TRUST_HOST` is set, a known platform, or not production.
   */
  trustHost?: TrustHost | undefined
  /** Address, with the full path up to the base path, of a stable deployment that OAuth providers return to. */
  redirectProxyUrl?: string | undefined
  experimental?: { enableWebAuthn?: boolean } | undefined
  skipCSRFCheck?: typeof skipCSRFCheck | undefined
  raw?: typeof raw | undefined
}
