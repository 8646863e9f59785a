/** Checks of accounts: link, find, unlink; and of their ids, which providers choose. */
import type { Adapter, AdapterAccount } from "../adapters/contract.js"
import { check, type Check } from "./adapter-contract-check.js"
import { expectEqual, expectNull, settle } from "./adapter-contract-expect.js"

const keyOf = ({ provider, providerAccountId }: AdapterAccount) => ({ provider, providerAccountId })

export const accountChecks: readonly Check[] = [
  check("linkAccount gives nothing, or the account", ["createUser", "linkAccount"], async (adapter, tools) => {
    const { id } = await adapter.createUser(tools.user())
    const account = tools.account(id)
    const linked = await adapter.linkAccount(account)
    if (linked) tools.expectRecord("linkAccount", linked, account)
  }),

  check(
    "getUserByAccount finds the user, and nothing of the account in it",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const user = await adapter.createUser(tools.user({ emailVerified: tools.moment(-60) }))
      const account = tools.account(user.id)
      await adapter.linkAccount(account)
      tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(keyOf(account)), user)
    },
  ),

  check(
    "getUserByAccount gives null unless provider and providerAccountId both match",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const account = tools.account(id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      const others = [
        { provider: "other", providerAccountId },
        { provider, providerAccountId: tools.account(id).providerAccountId },
        { provider: providerAccountId, providerAccountId: provider },
        { provider: provider + providerAccountId.slice(0, 1), providerAccountId: providerAccountId.slice(1) },
      ]
      for (const key of others) expectNull("getUserByAccount", await adapter.getUserByAccount(key))
    },
  ),

  check(
    "two accounts of one user lead to that user, and those of two users to each",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const first = tools.account(one.id)
      const second = tools.account(one.id, { provider: "second" })
      // The same id at another provider is another account.
      const foreign = tools.account(other.id, { provider: "third", providerAccountId: first.providerAccountId })
      for (const account of [first, second, foreign]) await adapter.linkAccount(account)
      tools.expectRecord("getUserByAccount, first", await adapter.getUserByAccount(keyOf(first)), one)
      tools.expectRecord("getUserByAccount, second", await adapter.getUserByAccount(keyOf(second)), one)
      tools.expectRecord("getUserByAccount, other user", await adapter.getUserByAccount(keyOf(foreign)), other)
    },
  ),

  check(
    "providerAccountId is told apart by case, accents and trailing spaces",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const unique = tools.user().id
      const ids = [`cafe-${unique}`, `CAFE-${unique}`, `café-${unique}`, `cafe-${unique} `]
      for (const providerAccountId of ids) {
        expectNull(
          `getUserByAccount of ${JSON.stringify(providerAccountId)} before it is linked`,
          await adapter.getUserByAccount({ provider: "acme", providerAccountId }),
        )
        const user = await adapter.createUser(tools.user())
        const account = tools.account(user.id, { providerAccountId })
        await adapter.linkAccount(account)
        tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(keyOf(account)), user)
      }
    },
  ),

  check(
    "providerAccountId counts to its end: 255 characters, as OpenID Connect allows",
    ["createUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const common = tools.user().id.padEnd(254, "0")
      for (const last of ["1", "2"]) {
        const user = await adapter.createUser(tools.user())
        const account = tools.account(user.id, { providerAccountId: common + last })
        await adapter.linkAccount(account)
        tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(keyOf(account)), user)
      }
    },
  ),

  check(
    "unlinkAccount removes one account, and neither the user nor their other account",
    ["createUser", "getUser", "linkAccount", "getUserByAccount", "unlinkAccount"],
    async (adapter, tools) => {
      const user = await adapter.createUser(tools.user())
      const [gone, kept] = [tools.account(user.id), tools.account(user.id)]
      for (const account of [gone, kept]) await adapter.linkAccount(account)
      const unlinked = await adapter.unlinkAccount(keyOf(gone))
      if (unlinked) tools.expectRecord("unlinkAccount", unlinked, gone)
      expectNull("getUserByAccount after unlinkAccount", await adapter.getUserByAccount(keyOf(gone)))
      tools.expectRecord("getUserByAccount, other account", await adapter.getUserByAccount(keyOf(kept)), user)
      tools.expectRecord("getUser after unlinkAccount", await adapter.getUser(user.id), user)
    },
  ),

  check(
    "unlinkAccount removes nothing unless provider and providerAccountId both match",
    ["createUser", "linkAccount", "getUserByAccount", "unlinkAccount"],
    async (adapter, tools) => {
      const user = await adapter.createUser(tools.user())
      const account = tools.account(user.id)
      await adapter.linkAccount(account)
      const { provider, providerAccountId } = account
      await settle([
        () => adapter.unlinkAccount({ provider: "other", providerAccountId }),
        () => adapter.unlinkAccount({ provider, providerAccountId: tools.user().id }),
      ])
      tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(keyOf(account)), user)
    },
  ),

  check(
    "an unlinked account can be linked to another user",
    ["createUser", "linkAccount", "getUserByAccount", "unlinkAccount"],
    async (adapter, tools) => {
      const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const account = tools.account(one.id)
      await adapter.linkAccount(account)
      await adapter.unlinkAccount(keyOf(account))
      await adapter.linkAccount({ ...account, userId: other.id })
      tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(keyOf(account)), other)
    },
  ),

  check(
    "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
    ["createUser", "deleteUser", "linkAccount", "getUserByAccount"],
    async (adapter, tools) => {
      const [user, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const [gone, kept] = [tools.account(user.id), tools.account(other.id)]
      for (const account of [gone, kept]) await adapter.linkAccount(account)
      await adapter.deleteUser(user.id)
      expectNull("getUserByAccount after deleteUser", await adapter.getUserByAccount(keyOf(gone)))
      tools.expectRecord("getUserByAccount, other user", await adapter.getUserByAccount(keyOf(kept)), other)
      await adapter.linkAccount({ ...gone, userId: other.id })
      tools.expectRecord("getUserByAccount, linked anew", await adapter.getUserByAccount(keyOf(gone)), other)
    },
  ),

  check(
    "getAccount finds an account with its tokens, long ones whole and expires_at a number",
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const account = tools.account(id, { id_token: "i".repeat(4000), access_token: "a".repeat(4000) })
      await adapter.linkAccount(account)
      tools.expectRecord("getAccount", await find(adapter, account), account)
    },
  ),

  check(
    "getAccount finds an account that came without tokens",
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const { userId, provider, providerAccountId } = tools.account(id)
      const account: AdapterAccount = { userId, provider, providerAccountId, type: "webauthn" }
      await adapter.linkAccount(account)
      tools.expectRecord("getAccount", await find(adapter, account), account)
    },
  ),

  check(
    "getAccount gives null unless provider and providerAccountId both match",
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const account = tools.account(id)
      await adapter.linkAccount(account)
      expectNull("getAccount, other provider", await adapter.getAccount(account.providerAccountId, "other"))
      expectNull("getAccount, other id", await adapter.getAccount(tools.user().id, account.provider))
      expectNull("getAccount, swapped", await adapter.getAccount(account.provider, account.providerAccountId))
    },
  ),

  check(
    "an account that was given or returned can be changed without changing the store",
    ["createUser", "linkAccount", "getAccount"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const account = tools.account(id)
      const given = { ...account }
      const linked = await adapter.linkAccount(given)
      for (const each of [given, linked, await find(adapter, account)]) if (each) each.access_token = "changed"
      expectEqual("getAccount: access_token", (await find(adapter, account))?.access_token, account.access_token)
    },
  ),
]

function find(adapter: Adapter, { provider, providerAccountId }: AdapterAccount) {
  return adapter.getAccount?.(providerAccountId, provider)
}
