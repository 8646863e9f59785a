/** Finds what is wrong with a provider. */
import type { AllowableParameter, Check, CredentialsConfig, OAuthConfig, Provider } from "../../providers/kinds.js"
import { ExperimentalFeatureNotEnabled, InvalidEndpoints, MissingAdapter, MissingAuthorize } from "../errors.js"
import { isLoopback } from "../http/origin.js"
import { isObject } from "../is-object.js"
import { customFetch } from "../symbols.js"
import type { AuthConfig } from "./config.js"
import type { Problem } from "./problem.js"
import {
  isBoolean,
  isFiniteNumber,
  isFunction,
  isHttpUrl,
  isListOf,
  isProviderId,
  isSigningKey,
  isText,
  valueAt,
} from "./value-shapes.js"

/** Every problem of a provider whose options are merged in. `path` is where it stands in the configuration. */
export function providerProblems(
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
      return [
        ...endpointProblems(provider, path),
        ...insecureAddresses(provider, path, development),
        ...optionProblems(provider, path),
      ]
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

const allowable: readonly AllowableParameter[] = ["scope", "claims", "authorization_details", "resource"]

const checks: readonly Check[] = ["pkce", "state", "nonce", "none"]

/** Options of OAuth providers whose value is of one simple shape. */
const optionShapes: readonly (readonly [path: string, expected: string, isValid: (value: unknown) => boolean])[] = [
  [
    "checks",
    `a list of ${namesOf(checks)}`,
    (value) => isListOf(value, (each) => checks.some((name) => name === each)),
  ],
  ["client", "an object of client metadata", isObject],
  ...["token.request", "token.conform", "userinfo.request", "profile", "account"].map(
    (name) => [name, "a function", isFunction] as const,
  ),
  ["authorization.allow", `a list of ${namesOf(allowable)}`, isAllowList],
  ...["pushedAuthorization", "mutualTls", "backChannelLogout"].map(
    (name) => [name, "true or false", isBoolean] as const,
  ),
  ["requestObject", "{ key, kid? }, where key is a private CryptoKey that may sign", isRequestObjectKey],
  ["dpop", "a CryptoKeyPair that may sign, with a public key that can be exported, or a promise of one", isDpopKey],
  ["clockTolerance", "a number of seconds, 0 to 300", isClockTolerance],
]

function namesOf(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ")
}

function optionProblems(provider: OAuthConfig, path: string): readonly Problem[] {
  const problems = optionShapes.flatMap(([name, expected, isValid]) => {
    const value = valueAt(provider, name)
    return value === undefined || value === null || isValid(value) ? [] : [{ path: `${path}.${name}`, expected }]
  })
  const fetchOfTheirs: unknown = provider[customFetch]
  if (fetchOfTheirs === undefined || isFunction(fetchOfTheirs)) return problems
  return [...problems, { path: `${path}.[customFetch]`, expected: "a function, like fetch" }]
}

function isAllowList(value: unknown): boolean {
  return isListOf(value, (member) => allowable.some((name) => name === member))
}

function isRequestObjectKey(value: unknown): boolean {
  const kid = valueAt(value, "kid")
  return isSigningKey(valueAt(value, "key")) && (kid === undefined || isText(kid))
}

/** What a promise brings is seen at the first sign-in. */
function isDpopKey(value: unknown): boolean {
  if (isFunction(valueAt(value, "then"))) return true
  return isSigningKey(valueAt(value, "privateKey")) && valueAt(value, "publicKey.extractable") === true
}

function isClockTolerance(value: unknown): boolean {
  return isFiniteNumber(value) && value >= 0 && value <= 300
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
  return isObject(endpoint) && !(endpoint instanceof URL) ? endpoint.url : endpoint
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
