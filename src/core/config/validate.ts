/** Finds everything that is wrong with a configuration, before it serves a single request. */
import type { Provider } from "../../providers/kinds.js"
import {
  type AuthError,
  InvalidConfiguration,
  MissingAdapter,
  MissingSecretError,
  UnsupportedStrategy,
} from "../errors.js"
import { isObject } from "../is-object.js"
import { adapterMethodProblems } from "./adapter-methods.js"
import type { AuthConfig } from "./config.js"
import { cookieShapes } from "./cookie-shapes.js"
import { strategyOf } from "./defaults.js"
import { logoutProblems } from "./logout-problems.js"
import type { Problem } from "./problem.js"
import { providerProblems } from "./validate-provider.js"
import {
  isBoolean,
  isColor,
  isDuration,
  isFiniteNumber,
  isFunction,
  isHttpUrl,
  isListOf,
  isSecret,
  isText,
  valueAt,
} from "./value-shapes.js"

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
    ...logoutProblems(config, providers),
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
  const value = valueAt(config, path)
  const isLeftOut = value === undefined ? path !== "providers" : value === "" && mayBeEmpty.test(path)
  return isLeftOut || isValid(value) ? [] : [{ path, expected }]
}

/** An empty page, colour or address is how applications switch one off. */
const mayBeEmpty = /^(?:pages\.|theme\.|basePath$|redirectProxyUrl$)/

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
