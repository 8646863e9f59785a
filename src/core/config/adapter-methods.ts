/** Which methods of the adapter a configuration needs, and what for. */
import type { Adapter } from "../../adapters/contract.js"
import type { Provider } from "../../providers/kinds.js"
import { MissingAdapterMethods } from "../errors.js"
import { hasMethod } from "../storage/store.js"
import type { AuthConfig } from "./config.js"
import { endsSessions } from "./logout-problems.js"
import type { Problem } from "./problem.js"

interface Need {
  readonly feature: string
  readonly methods: readonly (keyof Adapter)[]
}

const forSessions: Need = {
  feature: "database sessions",
  methods: ["createSession", "getSessionAndUser", "updateSession", "deleteSession"],
}

/** By type of provider. Token sessions name a user by id, who is then looked up. */
const forProviders: Readonly<Record<Provider["type"], Need | undefined>> = {
  oauth: accountsFor("OAuth providers"),
  oidc: accountsFor("OpenID Connect providers"),
  email: {
    feature: "sign-in by e-mail",
    methods: ["createVerificationToken", "useVerificationToken", "getUserByEmail", "createUser", "updateUser"],
  },
  webauthn: {
    feature: "passkeys",
    methods: [
      "createUser",
      "getUser",
      "linkAccount",
      "getAccount",
      "getAuthenticator",
      "createAuthenticator",
      "listAuthenticatorsByUserId",
      "updateAuthenticatorCounter",
    ],
  },
  credentials: undefined,
}

function accountsFor(feature: string): Need {
  return { feature, methods: ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "linkAccount"] }
}

/** Database sessions belong to a stored user, whoever checks the credentials. */
const forStoredCredentials: Need = {
  feature: "credentials with database sessions",
  methods: ["getUser", "createUser", "getUserByEmail"],
}

/** Which sessions a provider ends is found by whose they are. */
const forBackChannelLogout: Need = {
  feature: "back-channel logout with database sessions",
  methods: ["getUserByAccount", "listSessionsByUserId"],
}

/** @param usesDatabase Whether sessions are records of the adapter. */
export function adapterMethodProblems(
  { adapter }: AuthConfig,
  providers: readonly Provider[],
  usesDatabase: boolean,
): readonly Problem[] {
  if (!adapter) return []
  const types = new Set(providers.map(({ type }) => type))
  const needs = [
    ...(usesDatabase ? [forSessions] : []),
    ...[...types].flatMap((type) => forProviders[type] ?? []),
    ...(usesDatabase && types.has("credentials") ? [forStoredCredentials] : []),
    ...(usesDatabase && providers.some(endsSessions) ? [forBackChannelLogout] : []),
  ]
  const unmet = needs
    .map(({ feature, methods }) => ({ feature, missing: methods.filter((name) => !hasMethod(adapter, name)) }))
    .filter(({ missing }) => missing.length > 0)
  if (unmet.length === 0) return []
  const names = [...new Set(unmet.flatMap(({ missing }) => missing))]
  const hint = unmet.map(({ feature, missing }) => `${feature}: ${missing.join(", ")}`).join("; ")
  const expected = `Required adapter methods were missing: ${names.join(", ")}`
  return [{ path: "adapter", expected, hint, as: MissingAdapterMethods }]
}
