/** A configuration, compiled: validated, completed, frozen. Everything that does not depend on a request is in here. */
import type { LRUCache } from "lru-cache"
import type { Reliance } from "../accounts/settle.js"
import type { AuthConfig, CallbacksOptions, EventCallbacks, Timeouts } from "../config/config.js"
import type { KeyRing } from "../crypto/key-ring.js"
import type { CookieSettings } from "../http/cookies.js"
import type { TrustHost } from "../http/origin.js"
import type { SessionNotes } from "../sessions/session-notes.js"
import type { SessionStrategy } from "../sessions/strategy.js"
import type { Store } from "../storage/store.js"
import type { KeptTokens, LoggerInstance, PagesOptions, Theme } from "../types.js"
import type { DocumentCache } from "./document-cache.js"
import type { ResolvedProvider } from "./providers.js"
import type { Turns } from "./turns.js"

/** What the engine takes from the world around it. Tests hand in their own. */
export interface Ports {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly fetch: typeof fetch
  /** Outside production, plain http issuers are allowed and the error page says what went wrong. */
  readonly development: boolean
  /** Metadata and keys of issuers. Whoever mounts a configuration that changes by request keeps them alive. */
  readonly documents: DocumentCache
  /** Flows that were completed already: cookies that somebody kept do not complete them again. */
  readonly spentFlows: LRUCache<string, true>
  /** Logout tokens that were heeded already: somebody who caught one does not use it again. */
  readonly spentLogoutTokens: LRUCache<string, true>
  /** What was done to database sessions lately. */
  readonly sessionNotes: SessionNotes
  /** Sign-ins to one account, or with one e-mail address, come one after the other. */
  readonly turns: Turns
  /** What refresh tokens that browsers keep were exchanged for, by their hash. */
  readonly renewals: LRUCache<string, KeptTokens>
}

export interface Engine {
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly basePath: string
  /** Newest first. */
  readonly secrets: readonly string[]
  /** Seals what is left with the browser: started sign-ins, logouts, kept tokens. */
  readonly keys: KeyRing
  readonly sessions: SessionStrategy
  /** The adapter, if there is one. */
  readonly store: Store | undefined
  readonly reliance: Reliance
  /** Clears away what has expired in it, if it is time. */
  readonly sweep: () => void
  /** Browsers keep providers' tokens, where the store does not. */
  readonly keepsTokens: boolean
  /** Seconds for which they are kept. */
  readonly tokenMaxAge: number
  readonly callbacks: Pick<Required<CallbacksOptions>, "signIn" | "redirect">
  readonly events: Readonly<EventCallbacks>
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly theme: Required<Theme>
  readonly logger: LoggerInstance
  readonly trustHost: TrustHost
  /** Settings of every cookie, for a public address of https and of http. */
  readonly cookies: { readonly https: CookieSettings; readonly http: CookieSettings }
  readonly csrfIsChecked: boolean
  /** `Auth` returns a record, and throws what a server action wants to handle. */
  readonly raw: boolean
  /** Seconds. */
  readonly timeouts: Required<Timeouts>
  readonly ports: Ports
}

/** Cookie names and attributes for a request to `url`. */
export function cookiesFor(engine: Pick<Engine, "cookies">, url: Pick<URL, "protocol">): CookieSettings {
  return url.protocol === "https:" ? engine.cookies.https : engine.cookies.http
}

/** What remains of a configuration that could not be compiled: enough to say so. */
export interface Misconfiguration {
  readonly error: Error
  readonly pages: AuthConfig["pages"]
  readonly theme: Required<Theme>
  readonly logger: LoggerInstance
  readonly basePath: string
}
