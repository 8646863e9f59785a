/** Storage in the memory of one process. */
import type {
  Adapter,
  AdapterAccount,
  AdapterAuthenticator,
  AdapterSession,
  AdapterUser,
  NewAccount,
  Revocations,
  VerificationToken,
} from "./contract.js"
import { createTable, type Table } from "./memory/table.js"
import { createUsers, type Users } from "./memory/users.js"

interface Store {
  readonly users: Users
  readonly accounts: Table<AdapterAccount>
  readonly sessions: Table<AdapterSession>
  readonly verificationTokens: Table<VerificationToken>
  readonly authenticators: Table<AdapterAuthenticator>
}

/**
 * Storage in the memory of this process, for tests and the first five minutes: everything is gone when the process ends,
 * and no other process sees it. It keeps the rules of a database: e-mail addresses, accounts, session tokens and passkeys
 * are unique, and what belongs to a user needs that user and goes with them.
 *
 * Every method answers at once, without a promise. What has expired stays until `deleteExpired` is called.
 */
export function MemoryAdapter(): Required<Adapter> {
  const store: Store = {
    users: createUsers(),
    accounts: createTable<AdapterAccount>({ name: "account", keyOf: accountKey, userOf }),
    sessions: createTable<AdapterSession>({ name: "session", keyOf: ({ sessionToken }) => sessionToken, userOf }),
    verificationTokens: createTable<VerificationToken>({ name: "verification token", keyOf: tokenKey }),
    authenticators: createTable<AdapterAuthenticator>({
      name: "authenticator",
      keyOf: ({ credentialID }) => credentialID,
      userOf,
    }),
  }
  const methods = {
    ...userMethods(store),
    ...accountMethods(store),
    ...sessionMethods(store),
    ...verificationMethods(store),
    ...authenticatorMethods(store),
  }
  return {
    ...methods,
    createUserWithAccount(user, account) {
      const isOurs = this.createUser === methods.createUser && this.linkAccount === methods.linkAccount
      return isOurs ? createUserWithAccount(store, user, account) : null
    },
    deleteExpired: (now = new Date()) => ({
      sessions: store.sessions.removeWhere(({ expires }) => expires <= now),
      verificationTokens: store.verificationTokens.removeWhere(({ expires }) => expires <= now),
    }),
  }
}

/**
 * A memory of ended sessions for `session.revocations`, where there is one process: another one does not see it, and after
 * a restart, tokens that were ended are good again until they expire. What has expired is forgotten with the next entry.
 */
export function MemoryRevocations(): Revocations {
  const ended = new Map<string, { readonly at: Date; readonly expires: Date }>()
  return {
    revoke(key, at, expires) {
      for (const [name, entry] of ended) if (entry.expires.getTime() <= at.getTime()) ended.delete(name)
      ended.set(key, { at: new Date(at), expires: new Date(expires) })
    },
    revokedAt(keys) {
      const moments = keys.flatMap((key) => ended.get(key)?.at.getTime() ?? [])
      return moments.length === 0 ? null : new Date(Math.max(...moments))
    },
  }
}

const userOf = ({ userId }: { readonly userId: string }): string => userId

function accountKey({ provider, providerAccountId }: Pick<AdapterAccount, "provider" | "providerAccountId">): string {
  return JSON.stringify([provider, providerAccountId])
}

function tokenKey({ identifier, token }: Pick<VerificationToken, "identifier" | "token">): string {
  return JSON.stringify([identifier, token])
}

function userMethods({ users, accounts, sessions, authenticators }: Store) {
  return {
    createUser: (user) => users.insert(user),
    getUser: (id) => users.find(id),
    getUserByEmail: (email) => users.findByEmail(email),
    updateUser: (user) => users.change(user),
    deleteUser(userId) {
      for (const table of [accounts, sessions, authenticators]) table.removeByUser(userId)
      return users.remove(userId)
    },
  } satisfies Adapter
}

function accountMethods({ users, accounts }: Store) {
  return {
    getUserByAccount(key) {
      const account = accounts.find(accountKey(key))
      return account && users.find(account.userId)
    },
    linkAccount(account) {
      users.expectUser(account.userId)
      return accounts.insert(account)
    },
    unlinkAccount: (key) => accounts.remove(accountKey(key)) ?? undefined,
    getAccount: (providerAccountId, provider) => accounts.find(accountKey({ provider, providerAccountId })),
    updateAccount(account, onlyIf) {
      const stored = accounts.find(accountKey(account))
      if (account.userId !== undefined) users.expectUser(account.userId)
      const isExpected = !onlyIf || (stored?.refresh_token ?? null) === onlyIf.refresh_token
      return isExpected ? accounts.change(accountKey(account), account) : null
    },
    listAccountsByUserId: (userId) => accounts.listByUser(userId),
  } satisfies Adapter
}

function createUserWithAccount({ users, accounts }: Store, user: AdapterUser, account: NewAccount): AdapterUser {
  if (accounts.has(accountKey(account))) throw new Error("This account exists already")
  const created = users.insert(user)
  accounts.insert({ ...account, userId: created.id })
  return created
}

function sessionMethods({ users, sessions }: Store) {
  return {
    createSession(session) {
      users.expectUser(session.userId)
      return sessions.insert(session)
    },
    getSessionAndUser(sessionToken) {
      const session = sessions.find(sessionToken)
      const user = session && users.find(session.userId)
      return user && { session, user }
    },
    updateSession(session) {
      if (session.userId !== undefined) users.expectUser(session.userId)
      return sessions.change(session.sessionToken, session)
    },
    deleteSession: (sessionToken) => sessions.remove(sessionToken),
    listSessionsByUserId(userId) {
      const now = new Date()
      return sessions.listByUser(userId).filter(({ expires }) => expires > now)
    },
    deleteSessionsByUserId: (userId) => sessions.removeByUser(userId),
  } satisfies Adapter
}

function verificationMethods({ verificationTokens }: Store) {
  return {
    createVerificationToken: (token) => verificationTokens.insert(token),
    useVerificationToken: (key) => verificationTokens.remove(tokenKey(key)),
  } satisfies Adapter
}

function authenticatorMethods({ users, authenticators }: Store) {
  return {
    createAuthenticator(authenticator) {
      users.expectUser(authenticator.userId)
      return authenticators.insert(authenticator)
    },
    getAuthenticator: (credentialID) => authenticators.find(credentialID),
    listAuthenticatorsByUserId: (userId) => authenticators.listByUser(userId),
    updateAuthenticatorCounter(credentialID, counter) {
      const updated = authenticators.change(credentialID, { counter })
      if (!updated) throw new Error("There is no authenticator with this id")
      return updated
    },
  } satisfies Adapter
}
