/** The adapter as the core calls it: as methods, within a time limit, and what it throws is an `AdapterError`. */
import type { Adapter } from "../../adapters/contract.js"
import { isPromise } from "../awaitable.js"
import { within } from "../deadline.js"
import type { AdapterError } from "../errors.js"
import type { Awaitable, LoggerInstance } from "../types.js"
import { adapterError } from "./adapter-error.js"

/** Every method can be called. One that the adapter lacks, that throws or that does not answer throws `AdapterError`. */
export interface Store extends Required<Adapter> {
  /** The adapter itself: what tells this store from others. */
  readonly adapter: Adapter
  /** Whether the adapter has a method: what is beyond the contract is used only where it is there. */
  has(method: MethodName): boolean
}

type MethodName = keyof Adapter
type Method = (...given: unknown[]) => unknown

/** Every method, by name: `satisfies` keeps the list complete. */
const methodNames = Object.keys({
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  deleteUser: true,
  linkAccount: true,
  unlinkAccount: true,
  getAccount: true,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  createVerificationToken: true,
  useVerificationToken: true,
  createAuthenticator: true,
  getAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  createUserWithAccount: true,
  updateAccount: true,
  listAccountsByUserId: true,
  listSessionsByUserId: true,
  deleteSessionsByUserId: true,
  deleteExpired: true,
} satisfies Record<MethodName, true>) as readonly MethodName[]

export interface StoreOptions {
  /** Seconds that a method may take. */
  readonly timeout: number
  readonly logger: Pick<LoggerInstance, "debug">
}

export function createStore(adapter: Adapter, options: StoreOptions): Store {
  const has = (method: MethodName): boolean => hasMethod(adapter, method)
  const methods = methodNames.map((name) => [name, prepare(adapter, name, options)] as const)
  // The list has every name, and each method passes on what the adapter's own takes and gives.
  return { ...Object.fromEntries(methods), has, adapter } as unknown as Store
}

/** Whether a store can read a user's accounts, and change one if nobody else has meanwhile. */
export function hasAccountRecords(store: Store | undefined): store is Store {
  return store !== undefined && store.has("listAccountsByUserId") && store.has("updateAccount")
}

/** Whether an adapter has a method, its own or its class's. */
export function hasMethod(adapter: Adapter, name: MethodName): boolean {
  return typeof adapter[name] === "function"
}

function prepare(adapter: Adapter, name: MethodName, { timeout, logger }: StoreOptions): Method {
  const label = `adapter_${name}`
  const late = () => new Error(`no answer within ${timeout} s`)
  return (...given) => {
    const fail = (error: unknown): AdapterError => adapterError(name, error, given)
    const method = adapter[name] as Method | undefined
    if (typeof method !== "function") throw fail(new Error("the adapter has no such method"))
    logger.debug(label)
    try {
      const answer: Awaitable<unknown> = method.apply(adapter, given)
      if (!isPromise(answer)) return answer
      return within(timeout, answer, late).catch((error: unknown) => {
        throw fail(error)
      })
    } catch (error) {
      throw fail(error)
    }
  }
}
