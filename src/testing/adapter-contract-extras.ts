/** Checks of what Latchkey uses beyond the contract of Auth.js, where an adapter has it. */
import type { AdapterAccount, AdapterSession, NewAccount } from "../adapters/contract.js"
import { check, type Check, type CheckTools } from "./adapter-contract-check.js"
import { expectEqual, expectNull, fail, gains, race, settle } from "./adapter-contract-expect.js"

const hour = 60 * 60

const accountKey = ({ provider, providerAccountId }: NewAccount) => ({ provider, providerAccountId })
const accountName = ({ provider, providerAccountId }: AdapterAccount) => `${provider} ${providerAccountId}`
const sessionName = ({ sessionToken }: AdapterSession) => sessionToken

function newAccount(tools: CheckTools): NewAccount {
  const { userId: _none, ...account } = tools.account("")
  return account
}

export const extraChecks: readonly Check[] = [
  check(
    "createUserWithAccount creates a user together with the account",
    ["createUserWithAccount", "getUser", "getUserByAccount"],
    async (adapter, tools) => {
      const [given, account] = [tools.user({ emailVerified: tools.moment(-hour) }), newAccount(tools)]
      const user = await adapter.createUserWithAccount({ ...given }, { ...account })
      if (user === null) return fail("createUserWithAccount", "should give the user, but gave null")
      tools.expectRecord("createUserWithAccount", user, { ...given, id: user.id })
      tools.expectRecord("getUser", await adapter.getUser(user.id), user)
      tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(accountKey(account)), user)
      if (!adapter.getAccount) return
      const stored = await adapter.getAccount(account.providerAccountId, account.provider)
      tools.expectRecord("getAccount", stored, { ...account, userId: user.id })
    },
  ),

  check(
    "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
    ["createUserWithAccount", "createUser", "linkAccount", "getUserByEmail", "getUserByAccount"],
    async (adapter, tools) => {
      const owner = await adapter.createUser(tools.user())
      const account = newAccount(tools)
      await adapter.linkAccount({ ...account, userId: owner.id })
      const late = tools.user()
      const [outcome] = await settle([() => adapter.createUserWithAccount(late, account)])
      if (outcome?.status === "fulfilled" && outcome.value !== null)
        fail("createUserWithAccount", "should throw when the account is taken, but gave a user", outcome.value)
      expectNull("getUserByEmail", await adapter.getUserByEmail(late.email))
      tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(accountKey(account)), owner)
    },
  ),

  check(
    "of 10 parallel createUserWithAccount with one account exactly one creates a user",
    ["createUserWithAccount", "getUserByEmail", "getUserByAccount"],
    async (adapter, tools) => {
      const account = newAccount(tools)
      const users = Array.from({ length: 10 }, () => tools.user())
      const outcomes = await settle(users.map((user) => () => adapter.createUserWithAccount(user, account)))
      expectEqual("createUserWithAccount: how many won", gains(outcomes).filter((user) => user !== null).length, 1)
      const stored = await Promise.all(users.map(async ({ email }) => adapter.getUserByEmail(email)))
      const [user, ...more] = stored.filter((each) => each !== null)
      expectEqual("createUserWithAccount: users beyond the first", more.length, 0)
      tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(accountKey(account)), user ?? {})
    },
  ),

  check(
    "updateAccount changes what it is given and keeps the rest",
    ["createUser", "linkAccount", "getAccount", "updateAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const [account, other] = [tools.account(id), tools.account(id)]
      for (const each of [account, other]) await adapter.linkAccount({ ...each })
      const changes = { access_token: "second", expires_at: 1_900_003_600 }
      const updated = await adapter.updateAccount({ ...accountKey(account), ...changes })
      const expected = { ...account, ...changes }
      tools.expectRecord("updateAccount", updated, expected)
      const stored = await adapter.getAccount(account.providerAccountId, account.provider)
      tools.expectRecord("getAccount", stored, expected)
      const untouched = await adapter.getAccount(other.providerAccountId, other.provider)
      tools.expectRecord("getAccount, other account", untouched, other)
    },
  ),

  check(
    "updateAccount of an unknown account gives null, and creates none",
    ["getUserByAccount", "updateAccount"],
    async (adapter, tools) => {
      const key = accountKey(newAccount(tools))
      expectNull("updateAccount", await adapter.updateAccount({ ...key, access_token: "second" }))
      expectNull("getUserByAccount", await adapter.getUserByAccount(key))
    },
  ),

  check(
    "updateAccount changes nothing when another refresh token is stored than the one it is told",
    ["createUser", "linkAccount", "getAccount", "updateAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const account = tools.account(id, { refresh_token: "First" })
      await adapter.linkAccount({ ...account })
      const change = { ...accountKey(account), refresh_token: "second" }
      for (const refresh_token of ["other", "first", "First ", "", null])
        expectNull(`updateAccount, only if ${refresh_token}`, await adapter.updateAccount(change, { refresh_token }))
      const stored = () => adapter.getAccount(account.providerAccountId, account.provider)
      tools.expectRecord("getAccount", await stored(), account)
      const updated = await adapter.updateAccount(change, { refresh_token: "First" })
      tools.expectRecord("updateAccount", updated, { ...account, refresh_token: "second" })
      tools.expectRecord("getAccount", await stored(), { ...account, refresh_token: "second" })
    },
  ),

  check(
    "updateAccount knows that no refresh token is stored",
    ["createUser", "linkAccount", "updateAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const { refresh_token: _none, ...account } = tools.account(id)
      await adapter.linkAccount({ ...account })
      const change = { ...accountKey(account), refresh_token: "first" }
      expectNull("updateAccount, only if x", await adapter.updateAccount(change, { refresh_token: "x" }))
      const updated = await adapter.updateAccount(change, { refresh_token: null })
      tools.expectRecord("updateAccount", updated, { ...account, refresh_token: "first" })
    },
  ),

  check(
    "of 10 parallel updateAccount with one refresh token exactly one changes the account",
    ["createUser", "linkAccount", "updateAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const account = tools.account(id, { refresh_token: "first" })
      await adapter.linkAccount({ ...account })
      const outcomes = await race(10, (index) =>
        adapter.updateAccount({ ...accountKey(account), refresh_token: `second ${index}` }, { refresh_token: "first" }),
      )
      expectEqual("updateAccount: how many won", gains(outcomes).filter((updated) => updated !== null).length, 1)
    },
  ),

  check(
    "listAccountsByUserId lists all of one user, and nobody else's",
    ["createUser", "linkAccount", "listAccountsByUserId"],
    async (adapter, tools) => {
      const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const accounts = [tools.account(one.id), tools.account(one.id, { provider: "second" })]
      for (const account of [...accounts, tools.account(other.id)]) await adapter.linkAccount({ ...account })
      tools.expectRecords("listAccountsByUserId", await adapter.listAccountsByUserId(one.id), accounts, accountName)
    },
  ),

  check("listAccountsByUserId gives [] for an unknown user", ["listAccountsByUserId"], async (adapter, tools) => {
    const list = await adapter.listAccountsByUserId(tools.user().id)
    tools.expectRecords("listAccountsByUserId", list, [], accountName)
  }),

  check(
    "listSessionsByUserId lists all of one user that have not expired, and nobody else's",
    ["createUser", "createSession", "listSessionsByUserId"],
    async (adapter, tools) => {
      const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const sessions = [tools.session(one.id), tools.session(one.id)]
      const expired = tools.session(one.id, { expires: tools.moment(-hour) })
      for (const session of [...sessions, expired, tools.session(other.id)]) await adapter.createSession({ ...session })
      tools.expectRecords("listSessionsByUserId", await adapter.listSessionsByUserId(one.id), sessions, sessionName)
    },
  ),

  check(
    "listSessionsByUserId lists no session that was ended",
    ["createUser", "createSession", "deleteSession", "listSessionsByUserId"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const [ended, kept] = [tools.session(id), tools.session(id)]
      for (const session of [ended, kept]) await adapter.createSession({ ...session })
      await adapter.deleteSession(ended.sessionToken)
      tools.expectRecords("listSessionsByUserId", await adapter.listSessionsByUserId(id), [kept], sessionName)
    },
  ),

  check("listSessionsByUserId gives [] for an unknown user", ["listSessionsByUserId"], async (adapter, tools) => {
    const list = await adapter.listSessionsByUserId(tools.user().id)
    tools.expectRecords("listSessionsByUserId", list, [], sessionName)
  }),

  check(
    "deleteSessionsByUserId ends all of one user, says how many, and ends nobody else's",
    ["createUser", "createSession", "getSessionAndUser", "deleteSessionsByUserId"],
    async (adapter, tools) => {
      const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const sessions = [tools.session(one.id), tools.session(one.id)]
      const foreign = tools.session(other.id)
      for (const session of [...sessions, foreign]) await adapter.createSession({ ...session })
      expectEqual("deleteSessionsByUserId", await adapter.deleteSessionsByUserId(one.id), 2)
      for (const { sessionToken } of sessions)
        expectNull("getSessionAndUser", await adapter.getSessionAndUser(sessionToken))
      const kept = await adapter.getSessionAndUser(foreign.sessionToken)
      tools.expectRecord("getSessionAndUser, other user", kept?.session, foreign)
      expectEqual("deleteSessionsByUserId, second", await adapter.deleteSessionsByUserId(one.id), 0)
    },
  ),

  check(
    "deleteExpired deletes what had expired by then, says how many, and nothing else",
    [
      "createUser",
      "createSession",
      "getSessionAndUser",
      "createVerificationToken",
      "useVerificationToken",
      "deleteExpired",
    ],
    async (adapter, tools) => {
      await adapter.deleteExpired()
      const { id } = await adapter.createUser(tools.user())
      const moments = [-5, -4, -2, 24].map((hours) => tools.moment(hours * hour))
      const sessions = moments.map((expires) => tools.session(id, { expires }))
      const tokens = moments.slice(1).map((expires) => tools.verificationToken({ expires }))
      for (const session of sessions) await adapter.createSession({ ...session })
      for (const token of tokens) await adapter.createVerificationToken({ ...token })
      const early = await adapter.deleteExpired(tools.moment(-3 * hour))
      expectEqual("deleteExpired, three hours ago", early, { sessions: 2, verificationTokens: 1 })
      expectEqual("deleteExpired, now", await adapter.deleteExpired(), { sessions: 1, verificationTokens: 1 })
      expectEqual("deleteExpired, again", await adapter.deleteExpired(), { sessions: 0, verificationTokens: 0 })
      const live = sessions.at(-1)
      const found = live ? await adapter.getSessionAndUser(live.sessionToken) : null
      tools.expectRecord("getSessionAndUser of a live session", found?.session, live ?? {})
      const token = tokens.at(-1) ?? tools.verificationToken()
      tools.expectRecord("useVerificationToken of a live token", await adapter.useVerificationToken(token), token)
    },
  ),
]
