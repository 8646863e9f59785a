/** The entry `latchkey`: authentication for Express. */
import type { Request } from "express"
import type { AuthConfig } from "./core/config/config.js"
import type { Awaitable, Session } from "./core/types.js"
import { createExpressAuth, type AuthMiddleware } from "./express/express-auth.js"
import { nodePorts } from "./express/ports.js"

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the way Express lets its Request be extended
  namespace Express {
    interface Request {
      /**
       * The session, or `null` when signed out. Filled by `auth.session` and by the guards.
       * `requireSession(handler)` narrows it to a session.
       */
      auth: Session | null
    }
  }
}

/**
 * Makes the middleware that signs people in below its mount path.
 *
 * What `config` leaves out comes from the environment (`AUTH_SECRET`, `AUTH_{PROVIDER}_ID`, …). A function of the
 * request is called for every request; let it return the same objects where it can, as each is compiled once.
 * Problems of the configuration are logged at once, all of them, and answered with 500.
 *
 * @example
 * const auth = ExpressAuth({ providers: [GitHub] })
 * app.use("/auth", auth)
 */
export function ExpressAuth(config: AuthConfig | ((req: Request) => Awaitable<AuthConfig>)): AuthMiddleware {
  return createExpressAuth(config, nodePorts)
}

export { requireSession, type AuthMiddleware } from "./express/express-auth.js"
export { getSession } from "./express/get-session.js"
export type { Middleware } from "./express/next.js"
export type { ExpressAccessTokenOptions } from "./express/access-token.js"
export type { ExpressSignOutOptions } from "./express/sign-out.js"
export type { AccessToken } from "./core/provider-tokens/tokens.js"
export type { RequireSession, RequireSessionOptions, SessionHandler } from "./express/guard.js"
export { AuthError, CredentialsSignin, ReauthenticationRequired, TokenRefreshError } from "./core/errors.js"
export { customFetch } from "./core/symbols.js"
export type { AuthConfig, CallbacksOptions, EventCallbacks, SessionOptions } from "./core/config/config.js"
export type {
  Account,
  Awaitable,
  CookiesOptions,
  DefaultSession,
  DefaultUser,
  JWT,
  LoggerInstance,
  PagesOptions,
  Profile,
  Session,
  Theme,
  TokenSet,
  User,
} from "./core/types.js"
export type { Provider } from "./providers/kinds.js"
