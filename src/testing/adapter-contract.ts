/** The adapter contract suite: what Latchkey relies on in a storage adapter, as checks for any test runner. */
import type { Adapter } from "../adapters/contract.js"
import { accountChecks } from "./adapter-contract-accounts.js"
import { authenticatorChecks } from "./adapter-contract-authenticators.js"
import {
  createTools,
  missingOf,
  type AdapterMethod,
  type Check,
  type CheckToolsOptions,
} from "./adapter-contract-check.js"
import { extraChecks } from "./adapter-contract-extras.js"
import { hostileChecks } from "./adapter-contract-hostile.js"
import { sessionChecks } from "./adapter-contract-sessions.js"
import { uniqueChecks, type UniqueKey } from "./adapter-contract-unique.js"
import { userChecks } from "./adapter-contract-users.js"
import { verificationChecks } from "./adapter-contract-verification.js"

export type { AdapterMethod, UniqueKey }

export interface AdapterContractOptions extends CheckToolsOptions {
  /**
   * The methods that the adapter has. All must be there, and what needs others is left out.
   * Default: the 14 that every Auth.js adapter has must be there; of the others those are checked that are there.
   */
  readonly methods?: readonly AdapterMethod[] | undefined
  /**
   * What the store lets one record have only, also when two are made at once. Default: all. A store that cannot promise
   * one of them lets two parallel first sign-ins make two users, or two people share an account.
   */
  readonly unique?: readonly UniqueKey[] | undefined
}

export interface AdapterCheck {
  /** What the contract wants, in one line. Unique. */
  readonly name: string
  /** Whether this is about methods that the adapter has, or must have. Otherwise `run` does nothing: a runner may skip it. */
  appliesTo(adapter: Adapter): boolean
  /** @throws Error that says what the contract wants and what came. */
  run(adapter: Adapter): Promise<void>
}

/**
 * What Latchkey relies on in an adapter, one check at a time:
 *
 * ```ts
 * for (const { name, run } of adapterContract()) test(name, async () => run(await openAdapter()))
 * ```
 *
 * The store need not be empty, and all checks may share one: each makes records unlike any other. They leave them there,
 * and `deleteExpired` deletes what has expired, so give them a database of their own, and run them one after another.
 * Whatever ids the database gives are fine. An adapter for sessions alone is checked together with one for users:
 * `{ ...MemoryAdapter(), ...yours }`.
 */
export function adapterContract(options: AdapterContractOptions = {}): readonly AdapterCheck[] {
  const { methods, unique = ["email", "account", "sessionToken", "credentialID"] } = options
  const tools = createTools(options)
  const checks = [...everyCheck, ...unique.flatMap((key) => uniqueChecks[key])].filter(
    ({ needs }) => methods === undefined || needs.every((method) => methods.includes(method)),
  )
  return [
    {
      name: "the adapter has its methods",
      appliesTo: () => true,
      run: async (adapter) => expectMethods(adapter, methods ?? required),
    },
    ...checks.map((check): AdapterCheck => {
      const isOptional = (method: AdapterMethod) => methods === undefined && !required.includes(method)
      const appliesTo = (adapter: Adapter) => !missingOf(adapter, check.needs).some(isOptional)
      const run = async (adapter: Adapter) => (appliesTo(adapter) ? check.run(adapter, tools) : undefined)
      return { name: check.name, appliesTo, run }
    }),
  ]
}

function expectMethods(adapter: Adapter, methods: readonly AdapterMethod[]): void {
  const missing = missingOf(adapter, methods)
  if (missing.length > 0) throw new Error(`The adapter should have these methods, too: ${missing.join(", ")}`)
}

const everyCheck: readonly Check[] = [
  ...userChecks,
  ...accountChecks,
  ...sessionChecks,
  ...verificationChecks,
  ...authenticatorChecks,
  ...extraChecks,
  ...hostileChecks,
]

const required: readonly AdapterMethod[] = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "deleteUser",
  "linkAccount",
  "unlinkAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "createVerificationToken",
  "useVerificationToken",
]
