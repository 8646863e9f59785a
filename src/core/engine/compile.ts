/** Turns a configuration into an engine, once. */
import type { CredentialsConfig, OAuthConfig } from "../../providers/kinds.js"
import type { Reliance } from "../accounts/settle.js"
import type { AuthConfig } from "../config/config.js"
import { defaults } from "../config/defaults.js"
import { definedOnly } from "../config/merge.js"
import { createLogger } from "../config/logger.js"
import type { Problem } from "../config/problem.js"
import { configurationError, findProblems } from "../config/validate.js"
import { decode, encode, secretList, type JWTOptions } from "../crypto/jwt.js"
import { createKeyRing } from "../crypto/key-ring.js"
import { cookieSettings } from "../http/cookies.js"
import { normalizeBasePath } from "../http/request.js"
import { createSessions } from "../sessions/create.js"
import { endedSessions } from "../sessions/revocations.js"
import { createStore, hasAccountRecords } from "../storage/store.js"
import { isSymbol, raw, skipCSRFCheck } from "../symbols.js"
import { asError } from "../thrown.js"
import type { Engine, Misconfiguration, Ports } from "./engine.js"
import { createSweep } from "./sweep.js"
import { mergeProvider, resolveProvider, type ResolvedProvider } from "./providers.js"

export type Compiled =
  | { readonly kind: "engine"; readonly engine: Engine }
  | { readonly kind: "misconfigured"; readonly misconfiguration: Misconfiguration }

/**
 * Compiles a configuration. Never throws, and never writes to what it is given: a bad one becomes a value.
 * @param found Problems that the integration has found already, in its environment.
 */
export function compile(config: AuthConfig, ports: Ports, found: readonly Problem[] = []): Compiled {
  const logger = createLogger(config.logger, config.debug)
  try {
    return { kind: "engine", engine: buildEngine(config, ports, found) }
  } catch (error) {
    const theme = { ...defaults.theme, ...definedOnly(config.theme) }
    const basePath = normalizeBasePath(typeof config.basePath === "string" ? config.basePath : defaults.basePath)
    return {
      kind: "misconfigured",
      misconfiguration: { error: asError(error), pages: config.pages, theme, logger, basePath },
    }
  }
}

/** @throws AuthError that lists every problem of the configuration. */
function buildEngine(config: AuthConfig, ports: Ports, found: readonly Problem[]): Engine {
  const merged = (Array.isArray(config.providers) ? config.providers : []).map(mergeProvider)
  const [first, ...others] = [...findProblems(config, merged, ports), ...found]
  if (first) throw configurationError([first, ...others])

  const logger = createLogger(config.logger, config.debug)
  if (config.debug && !config.logger?.debug) logger.warn("debug-enabled")
  const secrets = secretList(config.secret ?? "")
  const session = { ...defaults.session, ...definedOnly(config.session) }
  const jwt: JWTOptions = { secret: secrets, maxAge: session.maxAge, encode, decode, ...definedOnly(config.jwt) }
  const keys = createKeyRing(secretList(jwt.secret))
  const { callbacks = {}, adapter } = config
  const timeouts = { ...defaults.timeouts, ...definedOnly(config.timeouts) }
  const store = adapter && createStore(adapter, { timeout: timeouts.adapter, logger })

  const providers = resolveProviders(merged as readonly (OAuthConfig | CredentialsConfig)[], config.redirectProxyUrl)

  return Object.freeze({
    providers,
    reliance: relianceOn([...providers.values()]),
    basePath: normalizeBasePath(config.basePath ?? defaults.basePath),
    secrets,
    keys,
    sessions: createSessions(config, {
      ...session,
      keys,
      jwt,
      callbacks,
      store,
      notes: ports.sessionNotes,
      revocations: session.revocations && endedSessions(session.revocations, timeouts.adapter),
      logger,
      now: ports.now,
    }),
    store,
    keepsTokens: session.providerTokens === true && !hasAccountRecords(store),
    tokenMaxAge: session.maxAge,
    sweep: createSweep(adapter, { logger, now: ports.now }),
    callbacks: {
      signIn: callbacks.signIn ?? defaults.callbacks.signIn,
      redirect: callbacks.redirect ?? defaults.callbacks.redirect,
    },
    events: { ...config.events },
    pages: { ...config.pages },
    theme: { ...defaults.theme, ...definedOnly(config.theme) },
    logger,
    trustHost: typeof config.trustHost === "object" ? [...config.trustHost] : (config.trustHost ?? false),
    cookies: {
      https: cookieSettings(config.useSecureCookies ?? true, config.cookies),
      http: cookieSettings(config.useSecureCookies ?? false, config.cookies),
    },
    csrfIsChecked: !isSymbol(config.skipCSRFCheck, skipCSRFCheck),
    raw: isSymbol(config.raw, raw),
    timeouts,
    ports,
  })
}

function relianceOn(providers: readonly ResolvedProvider[]): Reliance {
  const trusted = providers.filter((provider) => provider.type !== "credentials" && provider.linksByEmail)
  return {
    trustedProviders: new Set(trusted.map(({ id }) => id)),
    mayHavePassword: providers.some(({ type }) => type === "credentials"),
  }
}

function resolveProviders(
  merged: readonly (OAuthConfig | CredentialsConfig)[],
  redirectProxyUrl: string | undefined,
): ReadonlyMap<string, ResolvedProvider> {
  return new Map(merged.map((provider) => [provider.id, resolveProvider(provider, redirectProxyUrl)]))
}
