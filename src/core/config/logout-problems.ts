/** What is wrong with a configuration in which providers end sessions. */
import type { Provider } from "../../providers/kinds.js"
import { isObject } from "../is-object.js"
import type { AuthConfig } from "./config.js"
import { strategyOf } from "./defaults.js"
import type { Problem } from "./problem.js"

/** Whether sessions of a provider end when it says so. */
export function endsSessions(provider: Provider): boolean {
  return provider.type === "oidc" && provider.backChannelLogout === true
}

export function logoutProblems(config: AuthConfig, providers: readonly unknown[]): readonly Problem[] {
  const usable = providers.filter(isProvider)
  return [
    ...revocationsProblems(config, usable),
    ...providers.flatMap((provider, index) =>
      isProvider(provider) ? switchProblems(provider, `providers[${index}].backChannelLogout`) : [],
    ),
  ]
}

/** Nothing on the server knows of a token session; that it has ended must be written down somewhere. */
function revocationsProblems(config: AuthConfig, providers: readonly Provider[]): readonly Problem[] {
  const path = "session.revocations"
  const given: unknown = config.session?.revocations
  if (given !== undefined)
    return isRevocations(given) ? [] : [{ path, expected: "an object with revoke and revokedAt" }]
  if (strategyOf(config) === "database" || !providers.some(endsSessions)) return []
  const hint =
    "`RedisRevocations(client)`, or `MemoryRevocations()` where there is one process; or keep sessions in a database"
  return [{ path, expected: "given where a provider has backChannelLogout and sessions are tokens", hint }]
}

function switchProblems(provider: Provider, path: string): readonly Problem[] {
  const isOn = "backChannelLogout" in provider && provider.backChannelLogout === true
  if (!isOn || provider.type === "oidc") return []
  return [{ path, expected: "left out: only OpenID Connect providers send logout tokens" }]
}

/** As far as it takes to look at it: what else is wrong with it is told elsewhere. */
function isProvider(value: unknown): value is Provider {
  return isObject(value)
}

function isRevocations(value: unknown): boolean {
  return isObject(value) && ["revoke", "revokedAt"].every((name) => typeof Reflect.get(value, name) === "function")
}
