/** Finds everything that is wrong with a configuration, before it serves a single request. */
import type { CredentialsConfig, OAuthConfig, Provider } from "../../providers/kinds.js"
import {
  type AuthError,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAuthorize,
  MissingSecretError,
  UnsupportedStrategy,
} from "../errors.js"
import { isLoopback } from "../http/origin.js"
import { adapterMethodProblems } from "./adapter-methods.js"
import type { AuthConfig } from "./config.js"
import { cookieShapes } from "./cookie-shapes.js"
import { strategyOf } from "./defaults.js"

/** One thing that is wrong: where, and what was expected there. */
export interface Problem {
  readonly path: string
  readonly expected: string
  /** How to put it right, where that is not obvious. */
  readonly hint?: string
  /** The class that the contract has for it. */
  readonly as?: new (message: string, options: { cause: { problems: readonly Problem[] } }) => AuthError
}

/** Options whose value is of one simple shape. */
const shapes: readonly (readonly [path: string, expected: string, isValid: (value: unknown) => boolean])[] = [
  ["providers", "a list of providers", Array.isArray],
  ...["session", "jwt", "callbacks", "events", "pages", "theme", "logger", "cookies", "experimental", "timeouts"].map(
    (name) => [name, "an object", isObject] as const,
  ),
  ["basePath", 'a path such as "/auth"', (value) => typeof value === "string"],
  ["debug", "true or false", isBoolean],
  ["useSecureCookies", "true or false", isBoolean],
  ["trustHost", "true, false, or a list of host names", (value) => isBoolean(value) || isListOf(value, isText)],
  ["redirectProxyUrl", "an absolute http(s) address", isHttpUrl],
  ["session.strategy", '"jwt" or "database"', (value) => value === "jwt" || value === "database"],
  ["session.maxAge", "a positive number of seconds", (value) => isFiniteNumber(value) && value > 0 && value <= century],
  ["session.updateAge", "a number of seconds, 0 or more", (value) => isFiniteNumber(value) && value >= 0],
  ["session.generateSessionToken", "a function that returns a string", isFunction],
  ["session.providerTokens", "true or false", isBoolean],
  ["jwt.maxAge", "a positive number of seconds", (value) => isFiniteNumber(value) && value > 0],
  ["jwt.secret", "a string or a list of strings, none empty", isSecret],
  ["jwt.encode", "a function", isFunction],
  ["jwt.decode", "a function", isFunction],
  ["theme.colorScheme", '"auto", "dark" or "light"', (value) => ["auto", "dark", "light"].includes(String(value))],
  ["theme.brandColor", "a CSS colour", isColor],
  ["theme.buttonText", "a CSS colour", isColor],
  ["theme.logo", "the address of an image", (value) => typeof value === "string"],
  ["adapter", "an adapter object", isObject],
  ...["adapter", "provider"].map((name) => [`timeouts.${name}`, "a positive number of seconds", isDuration] as const),
  ...["signIn", "redirect", "session", "jwt"].map((name) => [`callbacks.${name}`, "a function", isFunction] as const),
  ...["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"].map(
    (name) => [`events.${name}`, "a function", isFunction] as const,
  ),
  ...["signIn", "signOut", "error", "verifyRequest", "newUser"].map(
    (name) => [`pages.${name}`, "a path or an absolute address", isText] as const,
  ),
  ...["error", "warn", "debug"].map((name) => [`logger.${name}`, "a function", isFunction] as const),
  ...cookieShapes,
]

/** Seconds. Whatever lasts longer does not fit into a date, or was meant in milliseconds. */
const century = 100 * 366 * 24 * 60 * 60

/** Every problem of a configuration. `providers` are its providers with their options merged in. */
export function findProblems(
  config: AuthConfig,
  providers: readonly Provider[],
  { development }: { readonly development: boolean },
): readonly Problem[] {
  return [
    ...secretProblems(config),
    ...shapes.flatMap(([path, expected, isValid]) => shapeProblem(config, path, expected, isValid)),
    ...providers.flatMap((provider, index) => providerProblems(provider, `providers[${index}]`, config, development)),
    ...duplicateIds(providers),
    ...storageProblems(config, providers),
  ]
}

/** The error that reports `problems`, of the class that the contract has for the first. */
export function configurationError(problems: readonly [Problem, ...Problem[]]): AuthError {
  const [{ as, path, expected }] = problems
  const options = { cause: { problems } }
  if (as) return new as(expected, options)
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ""
  return new InvalidConfiguration(`${path} must be ${expected}${others}`, options)
}

function secretProblems({ secret }: AuthConfig): readonly Problem[] {
  if (!secret || secret.length === 0) {
    const hint = "set AUTH_SECRET to a long random string, such as `openssl rand -base64 33` prints"
    return [{ path: "secret", expected: "Please define a `secret`", hint, as: MissingSecretError }]
  }
  return isSecret(secret) ? [] : [{ path: "secret", expected: "a string or a list of strings, none empty" }]
}

function shapeProblem(
  config: AuthConfig,
  path: string,
  expected: string,
  isValid: (value: unknown) => boolean,
): readonly Problem[] {
  const value = path
    .split(".")
    .reduce<unknown>((holder, name) => (isObject(holder) ? Reflect.get(holder, name) : undefined), config)
  const isLeftOut = value === undefined ? path !== "providers" : value === "" && mayBeEmpty.test(path)
  return isLeftOut || isValid(value) ? [] : [{ path, expected }]
}

/** An empty page, colour or address is how applications switch one off. */
const mayBeEmpty = /^(?:pages\.|theme\.|basePath$|redirectProxyUrl$)/

function providerProblems(
  provider: Provider,
  path: string,
  config: AuthConfig,
  development: boolean,
): readonly Problem[] {
  if (!isObject(provider)) return [{ path, expected: "a provider object, or a function that returns one" }]
  const problems: readonly Problem[] = [
    ...(isProviderId(provider.id) ? [] : [{ path: `${path}.id`, expected: 'letters, digits, "-", "_" and "."' }]),
    ...(isText(provider.name) ? [] : [{ path: `${path}.name`, expected: "a name to show on the button" }]),
  ]
  return [...problems, ...kindProblems(provider, path, config, development)]
}

function kindProblems(provider: Provider, path: string, config: AuthConfig, development: boolean): readonly Problem[] {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return [...endpointProblems(provider, path), ...insecureAddresses(provider, path, development)]
    case "credentials":
      return credentialsProblems(provider, path)
    case "email":
      if (!config.adapter)
        return [
          {
            path,
            expected: "E-mail login requires an adapter",
            hint: notYet,
            as: MissingAdapter,
          },
        ]
      return [{ path, expected: "left out: sign-in by e-mail is not part of this version" }]
    case "webauthn":
      if (!config.experimental?.enableWebAuthn) return [webAuthnIsExperimental(path)]
      return [{ path, expected: "left out: passkeys are not part of this version" }]
    default:
      return unknownKind(path, provider)
  }
}

const notYet = "e-mail and passkeys are not part of this version"

function webAuthnIsExperimental(path: string): Problem {
  const expected = "WebAuthn is an experimental feature. Enable it with `experimental.enableWebAuthn`"
  return { path, expected, hint: notYet, as: ExperimentalFeatureNotEnabled }
}

function unknownKind(path: string, _provider: never): readonly Problem[] {
  return [{ path: `${path}.type`, expected: '"oauth", "oidc", "email", "credentials" or "webauthn"' }]
}

const endpointNames = ["authorization", "token", "userinfo"] as const

function endpointProblems(provider: OAuthConfig, path: string): readonly Problem[] {
  const unparsable = ([...endpointNames, "wellKnown"] as const).flatMap((name) => {
    const address = name === "wellKnown" ? provider.wellKnown : addressOf(provider[name])
    return address === undefined || isHttpUrl(address)
      ? []
      : [{ path: `${path}.${name}`, expected: "an absolute http(s) address" }]
  })
  if (provider.issuer !== undefined) {
    return isHttpUrl(provider.issuer)
      ? unparsable
      : [...unparsable, { path: `${path}.issuer`, expected: "an absolute http(s) address" }]
  }
  const missing = endpointNames.find(
    (name) => addressOf(provider[name]) === undefined && !(name === "userinfo" && isRequestHook(provider[name])),
  )
  if (missing) {
    const expected = `Provider "${provider.id}" is missing both \`issuer\` and \`${missing}\` endpoint config. At least one of them is required`
    return [...unparsable, { path: `${path}.${missing}`, expected, as: InvalidEndpoints }]
  }
  if (provider.type === "oidc")
    return [...unparsable, { path: `${path}.issuer`, expected: "the issuer whose ID tokens are to be believed" }]
  return unparsable
}

function addressOf(endpoint: OAuthConfig["authorization" | "token" | "userinfo"]): unknown {
  return isObject(endpoint) ? endpoint.url : endpoint
}

function isRequestHook(endpoint: unknown): boolean {
  return isObject(endpoint) && "request" in endpoint && isFunction(endpoint.request)
}

/** Tokens over plain http can be read and replaced by anyone on the way; a provider on this machine has no way between. */
function insecureAddresses(provider: OAuthConfig, path: string, development: boolean): readonly Problem[] {
  if (development) return []
  return (["issuer", "wellKnown", ...endpointNames] as const).flatMap((name) => {
    const address = name === "issuer" || name === "wellKnown" ? provider[name] : addressOf(provider[name])
    if (!isHttpUrl(address)) return []
    const { protocol, hostname } = new URL(address)
    return protocol === "https:" || isLoopback(hostname)
      ? []
      : [{ path: `${path}.${name}`, expected: "an https address" }]
  })
}

function credentialsProblems({ authorize }: CredentialsConfig, path: string): readonly Problem[] {
  if (isFunction(authorize)) return []
  const expected = "Must define an authorize() handler to use credentials authentication provider"
  return [{ path: `${path}.authorize`, expected, as: MissingAuthorize }]
}

function duplicateIds(providers: readonly Provider[]): readonly Problem[] {
  const ids = providers.map((provider) => (isObject(provider) ? provider.id : undefined))
  return ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) !== index
      ? [{ path: `providers[${index}].id`, expected: `an id other than "${id}", which is taken` }]
      : [],
  )
}

function storageProblems(config: AuthConfig, providers: readonly Provider[]): readonly Problem[] {
  const { session, adapter } = config
  const usable = providers.filter(isObject)
  if (adapter !== undefined && !isObject(adapter)) return []
  if (adapter || session?.strategy !== "database") {
    return adapterMethodProblems(config, usable, strategyOf(config) === "database")
  }
  if (providers.length > 0 && usable.every(({ type }) => type === "credentials")) {
    const expected = "Signing in with credentials only supported if JWT strategy is enabled"
    return [{ path: "session.strategy", expected, hint: addAdapter, as: UnsupportedStrategy }]
  }
  return [{ path: "adapter", expected: "Database session requires an adapter", hint: addAdapter, as: MissingAdapter }]
}

const addAdapter = 'sessions that are kept in a database need an `adapter`, such as `SqliteAdapter("app.db")`'

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

function isFunction(value: unknown): value is (...given: never[]) => unknown {
  return typeof value === "function"
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean"
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

/** A timer of Node holds no more than 2^31 - 1 milliseconds, and takes anything beyond for none. */
function isDuration(value: unknown): boolean {
  return isFiniteNumber(value) && value > 0 && value <= 2_147_483
}

function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isMember)
}

function isSecret(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
}

function isHttpUrl(value: unknown): value is string {
  return (
    (typeof value === "string" || value instanceof URL) &&
    URL.canParse(value) &&
    /^https?:$/.test(new URL(value).protocol)
  )
}

/** What a CSS colour may consist of: nothing that ends the declaration it stands in. */
function isColor(value: unknown): boolean {
  return typeof value === "string" && /^[#\w\s.,%()/-]+$/.test(value)
}

function isProviderId(value: unknown): boolean {
  return (
    typeof value === "string" && /^[\w.~-]+$/.test(value) && value !== "undefined" && value !== "." && value !== ".."
  )
}
