/** Defects of accounts. */
import { after, before, cached, cut, fold, ghost, instead, together, type Defect } from "./breaking.js"

export const accountsDefects: readonly Defect[] = [
  {
    name: "linkAccount loses a token",
    breaks: after("linkAccount", (account) => ({ ...account, id_token: null })),
    fails: ["linkAccount gives nothing, or the account"],
  },
  {
    name: "linkAccount does not store",
    breaks: instead("linkAccount", () => undefined),
    fails: [
      "getUserByAccount finds the user, and nothing of the account in it",
      "two accounts of one user lead to that user, and those of two users to each",
      "providerAccountId is told apart by case, accents and trailing spaces",
      "providerAccountId counts to its end: 255 characters, as OpenID Connect allows",
      "unlinkAccount removes one account, and neither the user nor their other account",
      "unlinkAccount removes nothing unless provider and providerAccountId both match",
      "an unlinked account can be linked to another user",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
      "getAccount finds an account with its tokens, long ones whole and expires_at a number",
      "getAccount finds an account that came without tokens",
      "an account that was given or returned can be changed without changing the store",
      "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
      "updateAccount changes what it is given and keeps the rest",
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
      "updateAccount knows that no refresh token is stored",
      "of 10 parallel updateAccount with one refresh token exactly one changes the account",
      "listAccountsByUserId lists all of one user, and nobody else's",
      "hostile text is stored as text: names and account ids come back as they were",
      "linkAccount throws when the account is another user's, and takes it from nobody",
      "of 10 parallel linkAccount of one account exactly one succeeds",
    ],
  },
  {
    name: "getUserByAccount mixes the account in",
    breaks: after("getUserByAccount", (user, key) => user && { ...user, ...key }),
    fails: [
      "getUserByAccount finds the user, and nothing of the account in it",
      "two accounts of one user lead to that user, and those of two users to each",
      "providerAccountId is told apart by case, accents and trailing spaces",
      "providerAccountId counts to its end: 255 characters, as OpenID Connect allows",
      "unlinkAccount removes one account, and neither the user nor their other account",
      "unlinkAccount removes nothing unless provider and providerAccountId both match",
      "an unlinked account can be linked to another user",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
      "createUserWithAccount creates a user together with the account",
      "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
      "of 10 parallel createUserWithAccount with one account exactly one creates a user",
      "hostile text is stored as text: names and account ids come back as they were",
      "linkAccount throws when the account is another user's, and takes it from nobody",
    ],
  },
  {
    name: "getUserByAccount ignores the provider",
    breaks: (good) => {
      const providers = new Map<string, string>()
      return together(
        before("linkAccount", (account) => {
          providers.set(account.providerAccountId, account.provider)
          return [account]
        }),
        before("getUserByAccount", ({ providerAccountId }) => [
          { providerAccountId, provider: providers.get(providerAccountId) ?? "" },
        ]),
      )(good)
    },
    fails: [
      "getUserByAccount gives null unless provider and providerAccountId both match",
      "two accounts of one user lead to that user, and those of two users to each",
      "createUserWithAccount creates a user together with the account",
      "of 10 parallel createUserWithAccount with one account exactly one creates a user",
    ],
  },
  {
    name: "a user has one account",
    breaks: instead("linkAccount", async (good, account) => {
      for (const former of await good.listAccountsByUserId(account.userId)) await good.unlinkAccount(former)
      return good.linkAccount(account)
    }),
    fails: [
      "two accounts of one user lead to that user, and those of two users to each",
      "updateAccount changes what it is given and keeps the rest",
      "listAccountsByUserId lists all of one user, and nobody else's",
    ],
  },
  {
    name: "account ids are compared without case",
    breaks: together(
      before("linkAccount", (account) => [{ ...account, providerAccountId: fold(account.providerAccountId) }]),
      before("getUserByAccount", (key) => [{ ...key, providerAccountId: fold(key.providerAccountId) }]),
    ),
    fails: ["providerAccountId is told apart by case, accents and trailing spaces"],
  },
  {
    name: "account ids are cut",
    breaks: together(
      before("linkAccount", (account) => [{ ...account, providerAccountId: cut(account.providerAccountId, 191) }]),
      before("getUserByAccount", (key) => [{ ...key, providerAccountId: cut(key.providerAccountId, 191) }]),
    ),
    fails: ["providerAccountId counts to its end: 255 characters, as OpenID Connect allows"],
  },
  {
    name: "unlinkAccount does nothing",
    breaks: instead("unlinkAccount", () => undefined),
    fails: [
      "unlinkAccount removes one account, and neither the user nor their other account",
      "an unlinked account can be linked to another user",
    ],
  },
  {
    name: "unlinkAccount removes all of the user",
    breaks: instead("unlinkAccount", async (good, key) => {
      const owner = await good.getUserByAccount(key)
      for (const account of await good.listAccountsByUserId(owner?.id ?? "")) await good.unlinkAccount(account)
    }),
    fails: ["unlinkAccount removes one account, and neither the user nor their other account"],
  },
  {
    name: "unlinkAccount removes the user",
    breaks: instead("unlinkAccount", async (good, key) => {
      const owner = await good.getUserByAccount(key)
      await good.unlinkAccount(key)
      if (owner) await good.updateUser({ id: owner.id, name: "removed" })
    }),
    fails: ["unlinkAccount removes one account, and neither the user nor their other account"],
  },
  {
    name: "unlinkAccount ignores the provider",
    breaks: before("unlinkAccount", ({ providerAccountId }) => [{ providerAccountId, provider: "acme" }]),
    fails: ["unlinkAccount removes nothing unless provider and providerAccountId both match"],
  },
  {
    name: "deleteUser leaves the accounts",
    breaks: instead("deleteUser", async (good, id) => {
      const left = await good.listAccountsByUserId(id)
      await good.deleteUser(id)
      const user = (await good.getUser(ghost.id)) ?? (await good.createUser(ghost))
      for (const account of left) await good.linkAccount({ ...account, userId: user.id })
    }),
    fails: ["deleteUser removes the user's accounts, which can then be linked anew, and nobody else's"],
  },
  {
    name: "tokens are cut",
    breaks: before("linkAccount", (account) => [{ ...account, id_token: cut(account.id_token, 255) }]),
    fails: ["getAccount finds an account with its tokens, long ones whole and expires_at a number"],
  },
  {
    name: "expires_at is a text",
    breaks: after(
      "getAccount",
      (account) => account && { ...account, expires_at: account.expires_at && String(account.expires_at) },
    ),
    fails: [
      "getAccount finds an account with its tokens, long ones whole and expires_at a number",
      "createUserWithAccount creates a user together with the account",
      "updateAccount changes what it is given and keeps the rest",
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
    ],
  },
  {
    name: "an account without tokens gets empty ones",
    breaks: before("linkAccount", (account) => [{ ...account, refresh_token: account.refresh_token ?? "" }]),
    fails: [
      "getAccount finds an account that came without tokens",
      "updateAccount knows that no refresh token is stored",
    ],
  },
  {
    name: "getAccount takes provider and id the other way round",
    breaks: before("getAccount", (id, provider) => [provider, id]),
    fails: [
      "getAccount finds an account with its tokens, long ones whole and expires_at a number",
      "getAccount finds an account that came without tokens",
      "getAccount gives null unless provider and providerAccountId both match",
      "an account that was given or returned can be changed without changing the store",
      "createUserWithAccount creates a user together with the account",
      "updateAccount changes what it is given and keeps the rest",
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
    ],
  },
  {
    name: "getAccount ignores the provider",
    breaks: before("getAccount", (id) => [id, "acme"]),
    fails: ["getAccount gives null unless provider and providerAccountId both match"],
  },
  {
    name: "getAccount gives the stored object",
    breaks: after("getAccount", cached()),
    fails: [
      "an account that was given or returned can be changed without changing the store",
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
    ],
  },
]
