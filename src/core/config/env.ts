/** Settings that come from the environment. */
import type { Provider, ProviderFactory } from "../../providers/kinds.js"
import type { Env } from "../http/origin.js"
import type { AuthConfig } from "./config.js"

/**
 * Fills what the configuration leaves out from environment variables. The one function of Latchkey that writes to
 * what it is given: `config.secret`, `basePath`, `trustHost`, `redirectProxyUrl` and `providers`.
 *
 * | Variable | Fills |
 * |---|---|
 * | `AUTH_SECRET`, `AUTH_SECRET_1` … `_3` | `secret`, highest number first |
 * | `AUTH_URL` | `basePath`, by its path |
 * | `AUTH_URL`, `AUTH_TRUST_HOST`, `VERCEL`, `CF_PAGES`, or `NODE_ENV` other than production | `trustHost` |
 * | `AUTH_REDIRECT_PROXY_URL` | `redirectProxyUrl` |
 * | `AUTH_{ID}_ID`, `_SECRET`, `_ISSUER`, `_KEY` | `clientId`, `clientSecret`, `issuer`, `apiKey` of a provider |
 *
 * `NEXTAUTH_URL` and `NEXTAUTH_SECRET` count as `AUTH_URL` and `AUTH_SECRET`.
 *
 * @param suppressBasePathWarning Says nothing when both `AUTH_URL` and `basePath` give a path. Default `false`.
 */
export function setEnvDefaults(envObject: Env, config: AuthConfig, suppressBasePathWarning = false): void {
  const url = envObject["AUTH_URL"] || envObject["NEXTAUTH_URL"]
  if (url && config.basePath && !suppressBasePathWarning) config.logger?.warn?.("env-url-basepath-redundant")
  if (url && !config.basePath && URL.canParse(url)) config.basePath = new URL(url).pathname
  config.basePath ||= "/auth"

  if (!config.secret || config.secret.length === 0) config.secret = envSecrets(envObject)
  config.redirectProxyUrl ??= envObject["AUTH_REDIRECT_PROXY_URL"] || undefined
  config.trustHost ??= isTrustedPlatform(envObject)
  // Whatever else it may be is named when the configuration is compiled.
  if (Array.isArray(config.providers)) {
    config.providers = (config.providers as AuthConfig["providers"]).map((each) => completeProvider(each, envObject))
  }
}

function envSecrets(env: Env): string[] {
  const base = env["AUTH_SECRET"] || env["NEXTAUTH_SECRET"]
  return [env["AUTH_SECRET_3"], env["AUTH_SECRET_2"], env["AUTH_SECRET_1"], base].flatMap((secret) => secret || [])
}

function isTrustedPlatform(env: Env): boolean {
  if (env["AUTH_URL"] || env["NEXTAUTH_URL"]) return true
  if (env["AUTH_TRUST_HOST"]) return !/^(?:false|0|no)$/i.test(env["AUTH_TRUST_HOST"])
  return Boolean(env["VERCEL"]) || Boolean(env["CF_PAGES"]) || env["NODE_ENV"] !== "production"
}

interface EnvProviderOptions {
  readonly clientId?: string
  readonly clientSecret?: string
  readonly issuer?: string
  readonly apiKey?: string
}

function completeProvider(given: Provider | ProviderFactory, env: Env): Provider | ProviderFactory {
  const provider = unwrapModule(given)
  if (typeof provider !== "function") return withEnv(provider, env)
  try {
    const { id } = callFactory(provider, {})
    return withEnv(callFactory(provider, envOptions(id, env)), env)
  } catch {
    // It will throw again when the configuration is compiled, where it is reported with everything else.
    return provider
  }
}

/** What `require()` gives of a provider's module, where somebody has left out `.default`. */
export function unwrapModule(given: Provider | ProviderFactory): Provider | ProviderFactory {
  const inner: unknown =
    typeof given === "object" && (given as object | null) !== null && "default" in given
      ? Reflect.get(given, "default")
      : undefined
  return typeof inner === "function" ? (inner as ProviderFactory) : given
}

/** Calls a provider given as a bare function. */
export function callFactory(factory: ProviderFactory, options: EnvProviderOptions): Provider {
  return (factory as (options: EnvProviderOptions) => Provider)(options)
}

function withEnv(provider: Provider, env: Env): Provider {
  // What is no provider is left for the validation to name.
  if (typeof (provider as Partial<Provider> | null)?.id !== "string") return provider
  const found = { ...envOptions(provider.id, env), ...ownVariables(provider, env) }
  if (provider.type === "oauth" || provider.type === "oidc") {
    return {
      ...provider,
      clientId: provider.clientId ?? found.clientId,
      clientSecret: provider.clientSecret ?? found.clientSecret,
      issuer: provider.issuer ?? found.issuer,
    }
  }
  return provider.type === "email" ? { ...provider, apiKey: provider.apiKey ?? found.apiKey } : provider
}

/** Two of one vendor have an id each; variables named after it come before the vendor's. */
function ownVariables({ options }: Provider, env: Env): EnvProviderOptions {
  const id = options && "id" in options ? options.id : undefined
  if (typeof id !== "string") return {}
  return Object.fromEntries(Object.entries(envOptions(id, env)).filter(([, value]) => value !== undefined))
}

function envOptions(id: string, env: Env): EnvProviderOptions {
  const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`
  return {
    clientId: env[`${prefix}_ID`],
    clientSecret: env[`${prefix}_SECRET`],
    issuer: env[`${prefix}_ISSUER`],
    apiKey: env[`${prefix}_KEY`],
  }
}
