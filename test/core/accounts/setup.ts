/** What account decisions are carried out with: a store, and a clock that stands still. */
import type { AdapterAccount, AdapterUser } from "../../../src/adapters/contract.js"
import type { Admission, Means, Newcomer } from "../../../src/core/accounts/apply.js"
import type { Case } from "../../../src/core/accounts/settle.js"
import { newUserId } from "../../../src/core/accounts/user-id.js"
import { createStore } from "../../../src/core/storage/store.js"
import { captureLog, type Log } from "../../support/core-log.js"
import { createStored, type Stored, type StoredOptions } from "../../support/stored-adapter.js"

export const now = Date.UTC(2026, 4, 1, 12)
export const secret = "a secret of these tests"
export const account = { provider: "idp", providerAccountId: "ada", type: "oidc", access_token: "token" } as const

export interface SetUp extends Stored {
  readonly means: Means
  readonly log: Log
  /** Puts a user there, with an account if there is one. */
  add(user: Partial<AdapterUser> & { readonly id: string }, of?: Partial<AdapterAccount>): AdapterUser
}

/** An adapter that has the given options, and a time limit of 20 ms. */
export function setUp(options: StoredOptions = {}): SetUp {
  const stored = createStored(options)
  const log = captureLog()
  const store = createStore(stored.adapter, { timeout: 0.02, logger: log.logger })
  return {
    ...stored,
    log,
    means: { store, logger: log.logger, now: () => now },
    add(given, of) {
      const user = { email: `${given.id}@example.com`, emailVerified: null, ...given }
      stored.users.push(user)
      if (of) stored.accounts.push({ ...account, ...of, userId: user.id })
      return user
    },
  }
}

/** Somebody whose account nobody knows yet. */
export async function newcomer(given: Partial<Newcomer["account"]> = {}, email = "ada@example.com"): Promise<Newcomer> {
  const own = { ...account, ...given }
  const profile = { id: "made up", name: "Ada", email }
  return {
    user: { ...profile, id: await newUserId(secret, own), emailVerified: null },
    account: own,
    profile,
  }
}

/** A sign-in that was started signed out. */
export async function caseOf(given: Partial<Case> = {}): Promise<Case> {
  return {
    newcomer: await newcomer(),
    current: null,
    claims: {},
    statedEmail: "ada@example.com",
    linksByEmail: false,
    trustedProviders: new Set(),
    mayHavePassword: false,
    secrets: [secret],
    ...given,
  }
}

/** Names of the events that an admission is to tell. */
export function eventsOf({ events }: Admission): readonly string[] {
  return events.map(({ name }) => name)
}
