/** An adapter that keeps its records in lists, notes every call that it gets, and fails on demand. */
import type {
  Adapter,
  AdapterAccount,
  AdapterExtras,
  AdapterSession,
  AdapterUser,
} from "../../src/adapters/contract.js"

export type MethodName = keyof Adapter

/** One call of a method, with what it was given. */
export type Call = readonly [method: MethodName, ...given: readonly unknown[]]

/** What a method does instead of `work`, which is what it is for. */
export type Fault = (work: () => Promise<unknown>) => unknown

export interface StoredOptions {
  /** Refuses a second record with the same key, as unique indexes do. Default `true`. */
  readonly unique?: boolean
  /** What it can do beyond the contract. Default nothing. */
  readonly extras?: readonly (keyof AdapterExtras)[]
  /** Methods of the contract that it lacks. */
  readonly lacks?: readonly MethodName[]
  /** Its own id for a user, by the one that it was given. Default the same. */
  readonly idFor?: (given: string) => string
}

export interface Stored {
  readonly adapter: Adapter
  readonly users: AdapterUser[]
  readonly accounts: AdapterAccount[]
  readonly sessions: AdapterSession[]
  readonly faults: Map<MethodName, Fault>
  readonly calls: Call[]
  /** Names of the methods called, in order. */
  called(): readonly MethodName[]
  /** Calls that could have changed something. */
  writes(): readonly Call[]
}

const readers: ReadonlySet<MethodName> = new Set([
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "getAccount",
  "getSessionAndUser",
  "listAccountsByUserId",
  "listSessionsByUserId",
])

const allExtras: readonly (keyof AdapterExtras)[] = [
  "createUserWithAccount",
  "updateAccount",
  "listAccountsByUserId",
  "listSessionsByUserId",
  "deleteSessionsByUserId",
  "deleteExpired",
]

export function createStored({ unique = true, extras = [], lacks = [], idFor }: StoredOptions = {}): Stored {
  const records: Records = { users: [], accounts: [], sessions: [], unique, idFor: idFor ?? ((given) => given) }
  const calls: Call[] = []
  const faults = new Map<MethodName, Fault>()
  const methods = { ...userMethods(records), ...accountMethods(records), ...sessionMethods(records) }
  const missing = new Set<string>([...lacks, ...allExtras.filter((name) => !extras.includes(name))])
  const adapter = Object.fromEntries(
    Object.entries(methods)
      .filter(([name]) => !missing.has(name))
      .map(([name, method]) => [name, noted(name as MethodName, method as Method)]),
  ) as Adapter

  function noted(name: MethodName, method: Method): Method {
    return (...given) => {
      calls.push([name, ...given.map(copy)])
      const work = async () => copy(method(...given.map(copy)))
      const fault = faults.get(name)
      return fault ? fault(work) : work()
    }
  }

  return {
    ...records,
    adapter,
    calls,
    faults,
    called: () => calls.map(([name]) => name),
    writes: () => calls.filter(([name]) => !readers.has(name)),
  }
}

type Method = (...given: readonly unknown[]) => unknown

interface Records extends Pick<Stored, "users" | "accounts" | "sessions"> {
  readonly unique: boolean
  readonly idFor: (given: string) => string
}

function userMethods({ users, accounts, sessions, unique, idFor }: Records) {
  return {
    createUser(given: AdapterUser): AdapterUser {
      const user = { ...given, id: idFor(given.id) }
      // The type is stricter than what providers tell.
      const email = given.email as string | null | undefined
      if (unique && users.some(({ id }) => id === user.id)) throw new Error("user id: unique")
      if (unique && email && users.some((other) => other.email === email)) throw new Error("user email: unique")
      users.push(user)
      return user
    },
    getUser: (id: string) => users.find((user) => user.id === id) ?? null,
    getUserByEmail: (email: string) => users.find((user) => user.email === email) ?? null,
    updateUser: (changes: AdapterUser) => change(users, (user) => user.id === changes.id, changes),
    deleteUser(userId: string) {
      remove(accounts, (account) => account.userId === userId)
      remove(sessions, (session) => session.userId === userId)
      remove(users, ({ id }) => id === userId)
    },
  }
}

function accountMethods(records: Records) {
  const { users, accounts, unique } = records
  const isSame = (one: AccountKey) => (other: AccountKey) =>
    one.provider === other.provider && one.providerAccountId === other.providerAccountId
  const linkAccount = (account: AdapterAccount): void => {
    if (unique && accounts.some(isSame(account))) throw new Error("account: unique")
    accounts.push(account)
  }
  return {
    linkAccount,
    unlinkAccount: (key: AccountKey) => void remove(accounts, isSame(key)),
    getUserByAccount(key: AccountKey) {
      const owner = accounts.find(isSame(key))?.userId
      return users.find(({ id }) => id === owner) ?? null
    },
    getAccount: (providerAccountId: string, provider: string) =>
      accounts.find(isSame({ provider, providerAccountId })) ?? null,
    createUserWithAccount(given: AdapterUser, account: AdapterAccount) {
      if (unique && accounts.some(isSame(account))) throw new Error("account: unique")
      const user = userMethods(records).createUser(given)
      linkAccount({ ...account, userId: user.id })
      return user
    },
    updateAccount: (account: AdapterAccount) => change(accounts, isSame(account), account),
    listAccountsByUserId: (userId: string) => accounts.filter((account) => account.userId === userId),
  }
}

type AccountKey = Pick<AdapterAccount, "provider" | "providerAccountId">

function sessionMethods({ users, sessions, unique }: Records) {
  return {
    createSession(session: AdapterSession) {
      if (unique && sessions.some(({ sessionToken }) => sessionToken === session.sessionToken))
        throw new Error("session token: unique")
      sessions.push(session)
      return session
    },
    getSessionAndUser(token: string) {
      const session = sessions.find(({ sessionToken }) => sessionToken === token)
      const user = users.find(({ id }) => id === session?.userId)
      return session && user ? { session, user } : null
    },
    updateSession: (changes: AdapterSession) =>
      change(sessions, ({ sessionToken }) => sessionToken === changes.sessionToken, changes),
    deleteSession: (token: string) => void remove(sessions, ({ sessionToken }) => sessionToken === token),
    listSessionsByUserId: (userId: string) => sessions.filter((session) => session.userId === userId),
    deleteSessionsByUserId: (userId: string) => remove(sessions, (session) => session.userId === userId),
    deleteExpired: () => ({ sessions: 0, verificationTokens: 0 }),
  }
}

function change<T extends object>(list: T[], isMeant: (item: T) => boolean, changes: Partial<T>): T | null {
  const index = list.findIndex(isMeant)
  const former = list[index]
  if (!former) return null
  const changed = { ...former, ...changes }
  list.splice(index, 1, changed)
  return changed
}

function remove<T>(list: T[], isMeant: (item: T) => boolean): number {
  const kept = list.filter((item) => !isMeant(item))
  const count = list.length - kept.length
  list.splice(0, list.length, ...kept)
  return count
}

/** What goes in or comes out is a copy. Dates stay those of this realm, as `structuredClone` would not let them. */
function copy<T>(value: T): T
function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((each: unknown) => copy(each))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copy(each)]))
}
