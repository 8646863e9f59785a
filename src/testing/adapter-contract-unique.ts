/** Checks of what at most one record may have, so that two parallel sign-ins cannot make two users of one person. */
import { check, type Check } from "./adapter-contract-check.js"
import { expectEqual, expectRefusal, gains, race } from "./adapter-contract-expect.js"

export type UniqueKey = "email" | "account" | "sessionToken" | "credentialID"

export const uniqueChecks: Readonly<Record<UniqueKey, readonly Check[]>> = {
  email: [
    check(
      "createUser throws when the address is taken, and leaves its user alone",
      ["createUser", "getUserByEmail"],
      async (adapter, tools) => {
        const user = await adapter.createUser(tools.user())
        await expectRefusal("createUser", () => adapter.createUser(tools.user({ email: user.email, name: "Second" })))
        tools.expectRecord("getUserByEmail", await adapter.getUserByEmail(user.email), user)
      },
    ),
    check("of 10 parallel createUser with one address exactly one succeeds", ["createUser"], async (adapter, tools) => {
      const { email } = tools.user()
      const outcomes = await race(10, () => adapter.createUser(tools.user({ email })))
      expectEqual("createUser: how many succeeded", gains(outcomes).length, 1)
    }),
    check(
      "updateUser throws when the address is taken, and changes nobody",
      ["createUser", "updateUser", "getUserByEmail", "getUser"],
      async (adapter, tools) => {
        const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
        await expectRefusal("updateUser", () => adapter.updateUser({ id: other.id, email: one.email }))
        tools.expectRecord("getUserByEmail", await adapter.getUserByEmail(one.email), one)
        tools.expectRecord("getUser", await adapter.getUser(other.id), other)
      },
    ),
    check(
      "createUserWithAccount links nothing when the address is taken",
      ["createUser", "createUserWithAccount", "getUserByAccount"],
      async (adapter, tools) => {
        const { email } = await adapter.createUser(tools.user())
        const { userId: _none, ...account } = tools.account("")
        await expectRefusal("createUserWithAccount", () =>
          adapter.createUserWithAccount(tools.user({ email }), account),
        )
        expectEqual("getUserByAccount", await adapter.getUserByAccount(account), null)
      },
    ),
  ],

  account: [
    check(
      "linkAccount throws when the account is another user's, and takes it from nobody",
      ["createUser", "linkAccount", "getUserByAccount"],
      async (adapter, tools) => {
        const [owner, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
        const account = tools.account(owner.id)
        await adapter.linkAccount({ ...account })
        await expectRefusal("linkAccount", () => adapter.linkAccount({ ...account, userId: other.id }))
        tools.expectRecord("getUserByAccount", await adapter.getUserByAccount(account), owner)
      },
    ),
    check(
      "of 10 parallel linkAccount of one account exactly one succeeds",
      ["createUser", "linkAccount", "getUserByAccount"],
      async (adapter, tools) => {
        const users = await Promise.all(Array.from({ length: 10 }, async () => adapter.createUser(tools.user())))
        const account = tools.account("")
        const outcomes = await race(10, async (index) => {
          const userId = users[index]?.id ?? ""
          await adapter.linkAccount({ ...account, userId })
          return userId
        })
        const winners = gains(outcomes)
        expectEqual("linkAccount: how many succeeded", winners.length, 1)
        expectEqual("getUserByAccount: id", (await adapter.getUserByAccount(account))?.id, winners[0])
      },
    ),
  ],

  sessionToken: [
    check(
      "createSession throws when the token is taken, and hands nobody's session over",
      ["createUser", "createSession", "getSessionAndUser"],
      async (adapter, tools) => {
        const [owner, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
        const session = tools.session(owner.id)
        await adapter.createSession({ ...session })
        await expectRefusal("createSession", () => adapter.createSession({ ...session, userId: other.id }))
        const found = await adapter.getSessionAndUser(session.sessionToken)
        tools.expectRecord("getSessionAndUser: session", found?.session, session)
      },
    ),
  ],

  credentialID: [
    check(
      "createAuthenticator throws when the credential is registered, and takes it from nobody",
      ["createUser", "linkAccount", "createAuthenticator", "getAuthenticator"],
      async (adapter, tools) => {
        const [owner, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
        const accounts = [owner, other].map(({ id }) => tools.account(id, { provider: "passkey", type: "webauthn" }))
        for (const account of accounts) await adapter.linkAccount({ ...account })
        const [own, foreign] = accounts.map((account) => tools.authenticator(account))
        if (!own || !foreign) return
        await adapter.createAuthenticator({ ...own })
        await expectRefusal("createAuthenticator", () =>
          adapter.createAuthenticator({ ...foreign, credentialID: own.credentialID }),
        )
        tools.expectRecord("getAuthenticator", await adapter.getAuthenticator(own.credentialID), own)
      },
    ),
  ],
}
