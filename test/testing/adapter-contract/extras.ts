/** Defects of what goes beyond the contract of Auth.js. */
import type { AdapterSession } from "../../../src/adapters/contract.js"
import { after, before, fold, ghost, instead, pause, together, type Defect } from "./breaking.js"

export const extrasDefects: readonly Defect[] = [
  {
    name: "createUserWithAccount links nothing",
    breaks: instead("createUserWithAccount", (good, user) => good.createUser(user)),
    fails: [
      "createUserWithAccount creates a user together with the account",
      "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
      "of 10 parallel createUserWithAccount with one account exactly one creates a user",
    ],
  },
  {
    name: "createUserWithAccount cannot vouch",
    breaks: instead("createUserWithAccount", () => null),
    fails: [
      "createUserWithAccount creates a user together with the account",
      "of 10 parallel createUserWithAccount with one account exactly one creates a user",
      "createUserWithAccount links nothing when the address is taken",
    ],
  },
  {
    name: "createUserWithAccount leaves a user without an account",
    breaks: instead("createUserWithAccount", async (good, user, account) => {
      const created = await good.createUser(user)
      await good.linkAccount({ ...account, userId: created.id })
      return created
    }),
    fails: [
      "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
      "of 10 parallel createUserWithAccount with one account exactly one creates a user",
    ],
  },
  {
    name: "updateAccount forgets what it is not given",
    breaks: before("updateAccount", (account, onlyIf) => [{ scope: null, ...account }, onlyIf]),
    fails: [
      "updateAccount changes what it is given and keeps the rest",
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
      "updateAccount knows that no refresh token is stored",
    ],
  },
  {
    name: "updateAccount changes every account of the user",
    breaks: instead("updateAccount", async (good, account, onlyIf) => {
      const owner = await good.getUserByAccount(account)
      const { provider: _p, providerAccountId: _i, ...changes } = account
      const updated = await good.updateAccount(account, onlyIf)
      if (updated)
        for (const { provider, providerAccountId } of await good.listAccountsByUserId(owner?.id ?? ""))
          await good.updateAccount({ ...changes, provider, providerAccountId })
      return updated
    }),
    fails: ["updateAccount changes what it is given and keeps the rest"],
  },
  {
    name: "updateAccount creates an account",
    breaks: (good) => {
      const made = new Set<string>()
      return together(
        after("updateAccount", (updated, { providerAccountId }) => {
          if (!updated) made.add(providerAccountId)
          return updated
        }),
        after(
          "getUserByAccount",
          (user, { providerAccountId }) => user ?? (made.has(providerAccountId) ? ghost : null),
        ),
      )(good)
    },
    fails: ["updateAccount of an unknown account gives null, and creates none"],
  },
  {
    name: "updateAccount ignores the refresh token",
    breaks: before("updateAccount", (account) => [account]),
    fails: [
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
      "updateAccount knows that no refresh token is stored",
      "of 10 parallel updateAccount with one refresh token exactly one changes the account",
    ],
  },
  {
    name: "updateAccount compares the refresh token without case",
    breaks: instead("updateAccount", async (good, account, onlyIf) => {
      const stored = await good.getAccount(account.providerAccountId, account.provider)
      const isSame = fold(stored?.refresh_token ?? "-") === fold(onlyIf?.refresh_token ?? "-")
      return good.updateAccount(account, onlyIf && isSame ? { refresh_token: stored?.refresh_token ?? null } : onlyIf)
    }),
    fails: ["updateAccount changes nothing when another refresh token is stored than the one it is told"],
  },
  {
    name: "updateAccount compares with null as SQL does",
    breaks: instead("updateAccount", (good, account, onlyIf) =>
      onlyIf?.refresh_token === null ? null : good.updateAccount(account, onlyIf),
    ),
    fails: ["updateAccount knows that no refresh token is stored"],
  },
  {
    name: "updateAccount reads, then writes",
    breaks: instead("updateAccount", async (good, account, onlyIf) => {
      const stored = await good.getAccount(account.providerAccountId, account.provider)
      await pause()
      if (onlyIf && (stored?.refresh_token ?? null) !== onlyIf.refresh_token) return null
      return good.updateAccount(account)
    }),
    fails: ["of 10 parallel updateAccount with one refresh token exactly one changes the account"],
  },
  {
    name: "listAccountsByUserId lists one",
    breaks: after("listAccountsByUserId", (list) => list.slice(0, 1)),
    fails: ["listAccountsByUserId lists all of one user, and nobody else's"],
  },
  {
    name: "listAccountsByUserId loses the tokens",
    breaks: after("listAccountsByUserId", (list) => list.map((account) => ({ ...account, access_token: null }))),
    fails: ["listAccountsByUserId lists all of one user, and nobody else's"],
  },
  {
    name: "listSessionsByUserId lists what has ended or expired",
    breaks: (good) => {
      const all: AdapterSession[] = []
      return together(
        after("createSession", (session) => {
          all.push({ ...session })
          return session
        }),
        instead("listSessionsByUserId", (_, id) => all.filter(({ userId }) => userId === id)),
      )(good)
    },
    fails: [
      "listSessionsByUserId lists all of one user that have not expired, and nobody else's",
      "listSessionsByUserId lists no session that was ended",
    ],
  },
  {
    name: "listSessionsByUserId lists what has expired",
    breaks: (good) => {
      const all: AdapterSession[] = []
      return together(
        after("createSession", (session) => {
          all.push({ ...session })
          return session
        }),
        instead("listSessionsByUserId", async (_, id) => {
          const own = all.filter(({ userId }) => userId === id)
          const found = await Promise.all(own.map(async ({ sessionToken }) => good.getSessionAndUser(sessionToken)))
          return found.flatMap((each) => each?.session ?? [])
        }),
      )(good)
    },
    fails: ["listSessionsByUserId lists all of one user that have not expired, and nobody else's"],
  },
  {
    name: "deleteSessionsByUserId does not count",
    breaks: after("deleteSessionsByUserId", () => undefined),
    fails: ["deleteSessionsByUserId ends all of one user, says how many, and ends nobody else's"],
  },
  {
    name: "deleteSessionsByUserId does nothing",
    breaks: instead("deleteSessionsByUserId", () => 2),
    fails: ["deleteSessionsByUserId ends all of one user, says how many, and ends nobody else's"],
  },
  {
    name: "deleteExpired ignores the moment",
    breaks: before("deleteExpired", () => []),
    fails: ["deleteExpired deletes what had expired by then, says how many, and nothing else"],
  },
  {
    name: "deleteExpired does nothing",
    breaks: instead("deleteExpired", () => ({ sessions: 0, verificationTokens: 0 })),
    fails: ["deleteExpired deletes what had expired by then, says how many, and nothing else"],
  },
  {
    name: "deleteExpired deletes everything",
    breaks: before("deleteExpired", () => [new Date(Date.now() + 1e12)]),
    fails: ["deleteExpired deletes what had expired by then, says how many, and nothing else"],
  },
]
