/** Which methods of an adapter a configuration needs. Wire contract, 8.4; spec, "Storage adapter contract". */
import { describe, expect, it } from "@jest/globals"
import type { Adapter } from "../../../src/adapters/contract.js"
import { MemoryAdapter } from "../../../src/adapters/memory.js"
import { adapterMethodProblems } from "../../../src/core/config/adapter-methods.js"
import type { AuthConfig } from "../../../src/core/config/config.js"
import { configurationError, findProblems } from "../../../src/core/config/validate.js"
import { compile } from "../../../src/core/engine/compile.js"
import {
  InvalidConfiguration,
  MissingAdapter,
  MissingAdapterMethods,
  UnsupportedStrategy,
} from "../../../src/core/errors.js"
import type { Provider } from "../../../src/providers/kinds.js"
import { testPorts } from "../../support/core-ports.js"
import { recordingLogger } from "../../support/core-recording-logger.js"
import type { MethodName } from "../../support/database-adapter.js"

const providers = {
  oauth: {
    id: "oauth",
    name: "OAuth",
    type: "oauth",
    authorization: "https://idp.example/authorize",
    token: "https://idp.example/token",
    userinfo: "https://idp.example/userinfo",
  },
  oidc: { id: "oidc", name: "OpenID", type: "oidc", issuer: "https://idp.example" },
  credentials: { id: "credentials", name: "Password", type: "credentials", authorize: () => null },
  email: { id: "email", name: "E-mail", type: "email" },
  webauthn: { id: "passkey", name: "Passkey", type: "webauthn" },
} as const satisfies Record<Provider["type"], Provider>

type Kind = keyof typeof providers

const sessions = ["createSession", "getSessionAndUser", "updateSession", "deleteSession"] as const
const accounts = ["createUser", "getUser", "getUserByEmail", "getUserByAccount", "linkAccount"] as const
const mail = ["createVerificationToken", "useVerificationToken", "getUserByEmail", "createUser", "updateUser"] as const
const passkeys = [
  "createUser",
  "getUser",
  "linkAccount",
  "getAccount",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
] as const
const stored = ["getUser", "createUser", "getUserByEmail"] as const

const forSessions = ["database sessions", sessions] as const
const forOAuth = ["OAuth providers", accounts] as const
const forOpenID = ["OpenID Connect providers", accounts] as const
const forMail = ["sign-in by e-mail", mail] as const
const forPasskeys = ["passkeys", passkeys] as const
const forCredentials = ["credentials with database sessions", stored] as const

type Need = readonly [feature: string, methods: readonly MethodName[]]

const table: readonly (readonly [strategy: "jwt" | "database", kinds: readonly Kind[], needs: readonly Need[]])[] = [
  ["jwt", [], []],
  ["jwt", ["credentials"], []],
  ["jwt", ["oauth"], [forOAuth]],
  ["jwt", ["oidc"], [forOpenID]],
  ["jwt", ["email"], [forMail]],
  ["jwt", ["webauthn"], [forPasskeys]],
  ["jwt", ["oauth", "oidc", "credentials", "email"], [forOAuth, forOpenID, forMail]],
  ["database", [], [forSessions]],
  ["database", ["credentials"], [forSessions, forCredentials]],
  ["database", ["oauth"], [forSessions, forOAuth]],
  ["database", ["oidc"], [forSessions, forOpenID]],
  ["database", ["email"], [forSessions, forMail]],
  ["database", ["webauthn"], [forSessions, forPasskeys]],
  ["database", ["oidc", "credentials"], [forSessions, forOpenID, forCredentials]],
]

const rows = table.map(
  ([strategy, kinds, needs]) => [strategy, kinds.join(" and ") || "nothing", kinds, needs] as const,
)
const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

function problemsOf(adapter: unknown, kinds: readonly Kind[], strategy: "jwt" | "database") {
  const own = kinds.map((kind) => providers[kind])
  return adapterMethodProblems({ providers: own, adapter: adapter as Adapter }, own, strategy === "database")
}

/** An adapter with these methods and no others. */
function adapterWith(methods: readonly MethodName[]): Adapter {
  return Object.fromEntries(methods.map((name) => [name, () => null]))
}

describe("an adapter", () => {
  it.each(rows)(
    "under %s with %s is told every method that it lacks, and what for",
    (strategy, _kinds, kinds, needs) => {
      const names = unique(needs.flatMap(([, methods]) => methods))

      const problems = problemsOf({}, kinds, strategy)

      expect(problems).toEqual(
        names.length === 0
          ? []
          : [
              {
                path: "adapter",
                expected: `Required adapter methods were missing: ${names.join(", ")}`,
                hint: needs.map(([feature, methods]) => `${feature}: ${methods.join(", ")}`).join("; "),
                as: MissingAdapterMethods,
              },
            ],
      )
    },
  )

  it.each(rows)("under %s with %s needs no other method", (strategy, _kinds, kinds, needs) => {
    expect(problemsOf(adapterWith(needs.flatMap(([, methods]) => methods)), kinds, strategy)).toEqual([])
  })

  it.each(rows)("under %s with %s is told the one method that it lacks", (strategy, _kinds, kinds, needs) => {
    const names = unique(needs.flatMap(([, methods]) => methods))
    for (const missing of names) {
      const reasons = needs
        .filter(([, methods]) => methods.includes(missing))
        .map(([feature]) => `${feature}: ${missing}`)

      expect(problemsOf(adapterWith(names.filter((name) => name !== missing)), kinds, strategy)).toMatchObject([
        { expected: `Required adapter methods were missing: ${missing}`, hint: reasons.join("; ") },
      ])
    }
  })

  it("may have its methods from a class, and what is no function is no method", () => {
    class Users {
      getUser() {
        return null
      }
    }
    Object.assign(Users.prototype, adapterWith(accounts.filter((name) => name !== "getUser")))

    expect(problemsOf(new Users(), ["oauth"], "jwt")).toEqual([])
    expect(problemsOf({ ...adapterWith(accounts), getUser: "text" }, ["oauth"], "jwt")).toMatchObject([
      { expected: "Required adapter methods were missing: getUser" },
    ])
  })

  it("needs none of the methods beyond the contract", () => {
    const beyond = ["createUserWithAccount", "updateAccount", "listAccountsByUserId", "deleteExpired"] as const
    const needed = rows.flatMap(([, , , needs]) => needs.flatMap(([, methods]) => methods))

    expect(beyond.filter((name) => needed.includes(name as never))).toEqual([])
  })
})

describe("a configuration with an adapter", () => {
  const config = (given: Partial<AuthConfig>): AuthConfig => ({
    providers: [providers.credentials],
    secret: "secret",
    logger: recordingLogger(),
    ...given,
  })
  const errorOf = (given: Partial<AuthConfig>) => {
    const compiled = compile(config(given), testPorts())
    return compiled.kind === "misconfigured" ? compiled.misconfiguration.error : undefined
  }

  it.each([
    ["its strategy left out", {}],
    ["the database strategy", { strategy: "database" }],
  ] as const)("compiles with %s, even with credentials alone: no UnsupportedStrategy", (_what, session) => {
    expect(errorOf({ adapter: MemoryAdapter(), session })).toBeUndefined()
    expect(errorOf({ adapter: adapterWith([...sessions, ...stored]), session })).toBeUndefined()
  })

  it("that sessions need is refused, by an error that names the methods", () => {
    const error = errorOf({ adapter: adapterWith(["createSession", ...stored]) })

    expect(error).toBeInstanceOf(MissingAdapterMethods)
    expect(error).toMatchObject({
      type: "MissingAdapterMethods",
      message:
        "Required adapter methods were missing: getSessionAndUser, updateSession, deleteSession. Read more at https://errors.authjs.dev#missingadaptermethods",
      cause: { problems: [{ hint: "database sessions: getSessionAndUser, updateSession, deleteSession" }] },
    })
  })

  it("does not need what only database sessions need, under the jwt strategy", () => {
    expect(errorOf({ adapter: {}, session: { strategy: "jwt" } })).toBeUndefined()
    expect(
      errorOf({ adapter: adapterWith(accounts), session: { strategy: "jwt" }, providers: [providers.oauth] }),
    ).toBe(undefined)
  })

  it.each([null, "postgres", 5, true, () => ({})])("of %s is told what an adapter is", (adapter) => {
    expect(errorOf({ adapter: adapter as never })).toMatchObject({
      cause: { problems: [{ path: "adapter", expected: "an adapter object" }] },
    })
    expect(errorOf({ adapter: adapter as never })).toBeInstanceOf(InvalidConfiguration)
  })

  it("that is still a promise is told which methods it lacks", () => {
    expect(errorOf({ adapter: Promise.resolve(MemoryAdapter()) as never })).toBeInstanceOf(MissingAdapterMethods)
  })

  it("is looked at though a provider is none", () => {
    const error = errorOf({ adapter: {}, providers: [null as never, providers.oauth] })

    expect((error?.cause as { problems: readonly { path: string }[] }).problems.map(({ path }) => path)).toEqual([
      "providers[0]",
      "adapter",
    ])
  })

  it.each([0, -1, Number.NaN, Infinity, "10", 2_147_484, null])("waits no time of %s", (adapter) => {
    expect(errorOf({ adapter: MemoryAdapter(), timeouts: { adapter: adapter as never } })).toMatchObject({
      cause: { problems: [{ path: "timeouts.adapter", expected: "a positive number of seconds" }] },
    })
  })

  it("waits 10 seconds unless it says otherwise, or just as long as it says", () => {
    const timeoutOf = (timeouts?: AuthConfig["timeouts"]) => {
      const compiled = compile(config({ adapter: MemoryAdapter(), timeouts }), testPorts())
      return compiled.kind === "engine" ? compiled.engine.timeouts : undefined
    }

    expect(timeoutOf()).toEqual({ adapter: 10, provider: 10 })
    expect(timeoutOf({ adapter: 0.5 })).toEqual({ adapter: 0.5, provider: 10 })
    expect(timeoutOf({ adapter: undefined })).toEqual({ adapter: 10, provider: 10 })
  })
})

describe("the database strategy without an adapter", () => {
  const problemOf = (own: readonly Provider[]) =>
    findProblems({ providers: own, secret: "secret", session: { strategy: "database" } }, own, { development: true })

  it("is UnsupportedStrategy for credentials alone, and says what to add", () => {
    expect(problemOf([providers.credentials])).toMatchObject([
      {
        path: "session.strategy",
        expected: "Signing in with credentials only supported if JWT strategy is enabled",
        hint: expect.stringContaining("`adapter`"),
        as: UnsupportedStrategy,
      },
    ])
  })

  it.each([[[]], [[providers.oidc]], [[providers.oidc, providers.credentials]]])(
    "is MissingAdapter otherwise, and says what to add: case %#",
    (own: readonly Provider[]) => {
      expect(problemOf(own)).toMatchObject([
        {
          path: "adapter",
          expected: "Database session requires an adapter",
          hint: expect.stringContaining("`adapter`"),
          as: MissingAdapter,
        },
      ])
    },
  )

  it("is told by an error of that class", () => {
    const [first] = problemOf([providers.oidc])

    expect(first && configurationError([first])).toBeInstanceOf(MissingAdapter)
  })
})
