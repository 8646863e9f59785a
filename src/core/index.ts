/** The entry `latchkey/core`: authentication for any framework that has Web Requests. */
export { Auth } from "./auth.js"
export { isAuthAction } from "./actions/table.js"
export { setEnvDefaults } from "./config/env.js"
export { createActionURL } from "./http/origin.js"
export { customFetch, raw, skipCSRFCheck } from "./symbols.js"
export type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./config/config.js"
export type {
  Account,
  AuthAction,
  Awaitable,
  CookieOption,
  CookiesOptions,
  DefaultSession,
  DefaultUser,
  ErrorPageParam,
  LoggerInstance,
  PagesOptions,
  Profile,
  ProviderType,
  PublicProvider,
  ResponseInternal,
  SemverString,
  Session,
  SignInPageErrorParam,
  Theme,
  TokenSet,
  User,
  WarningCode,
} from "./types.js"
