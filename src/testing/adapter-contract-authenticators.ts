/** Checks of authenticators (passkeys). */
import type { AdapterAuthenticator } from "../adapters/contract.js"
import { check, type Check, type CheckTools, type With } from "./adapter-contract-check.js"
import { expectEqual, expectNull, expectRefusal } from "./adapter-contract-expect.js"

const keyOf = ({ credentialID }: AdapterAuthenticator): string => credentialID

/** A passkey of a new user, with the account that belongs to it. */
async function register(
  adapter: With<"createUser" | "linkAccount" | "createAuthenticator">,
  tools: CheckTools,
): Promise<AdapterAuthenticator> {
  const { id } = await adapter.createUser(tools.user())
  return addPasskey(adapter, tools, id)
}

async function addPasskey(
  adapter: With<"linkAccount" | "createAuthenticator">,
  tools: CheckTools,
  userId: string,
): Promise<AdapterAuthenticator> {
  const account = tools.account(userId, { provider: "passkey", type: "webauthn" })
  await adapter.linkAccount({ ...account })
  const given = tools.authenticator(account)
  tools.expectRecord("createAuthenticator", await adapter.createAuthenticator({ ...given }), given)
  return given
}

const create = ["createUser", "linkAccount", "createAuthenticator"] as const

export const authenticatorChecks: readonly Check[] = [
  check("createAuthenticator gives back what it was given", create, async (adapter, tools) => {
    await register(adapter, tools)
  }),

  check("getAuthenticator finds a passkey", [...create, "getAuthenticator"], async (adapter, tools) => {
    await register(adapter, tools)
    const passkey = await register(adapter, tools)
    tools.expectRecord("getAuthenticator", await adapter.getAuthenticator(passkey.credentialID), passkey)
  }),

  check("getAuthenticator gives null for an unknown id", ["getAuthenticator"], async (adapter, tools) => {
    const { credentialID } = tools.authenticator(tools.account(""))
    expectNull("getAuthenticator", await adapter.getAuthenticator(credentialID))
  }),

  check("credentialID is told apart by case", [...create, "getAuthenticator"], async (adapter, tools) => {
    const { credentialID } = await register(adapter, tools)
    expectNull("getAuthenticator", await adapter.getAuthenticator(credentialID.toLowerCase()))
  }),

  check(
    "listAuthenticatorsByUserId lists all of one user, and nobody else's",
    [...create, "listAuthenticatorsByUserId"],
    async (adapter, tools) => {
      const first = await register(adapter, tools)
      const second = await addPasskey(adapter, tools, first.userId)
      const foreign = await register(adapter, tools)
      const list = (userId: string) => adapter.listAuthenticatorsByUserId(userId)
      tools.expectRecords("listAuthenticatorsByUserId", await list(first.userId), [first, second], keyOf)
      tools.expectRecords("listAuthenticatorsByUserId", await list(foreign.userId), [foreign], keyOf)
    },
  ),

  check(
    "listAuthenticatorsByUserId gives [] for an unknown user",
    ["listAuthenticatorsByUserId"],
    async (adapter, tools) => {
      const list = await adapter.listAuthenticatorsByUserId(tools.user().id)
      tools.expectRecords("listAuthenticatorsByUserId", list, [], keyOf)
    },
  ),

  check(
    "updateAuthenticatorCounter changes the counter and gives the row",
    [...create, "getAuthenticator", "updateAuthenticatorCounter"],
    async (adapter, tools) => {
      const [passkey, other] = [await register(adapter, tools), await register(adapter, tools)]
      const counted = { ...passkey, counter: 7 }
      const updated = await adapter.updateAuthenticatorCounter(passkey.credentialID, 7)
      tools.expectRecord("updateAuthenticatorCounter", updated, counted)
      tools.expectRecord("getAuthenticator", await adapter.getAuthenticator(passkey.credentialID), counted)
      const untouched = await adapter.getAuthenticator(other.credentialID)
      tools.expectRecord("getAuthenticator, other passkey", untouched, other)
    },
  ),

  check(
    "updateAuthenticatorCounter of an unknown passkey throws",
    ["updateAuthenticatorCounter"],
    async (adapter, tools) => {
      const { credentialID } = tools.authenticator(tools.account(""))
      await expectRefusal("updateAuthenticatorCounter", () => adapter.updateAuthenticatorCounter(credentialID, 1))
    },
  ),

  check(
    "deleteUser removes the user's passkeys",
    [...create, "deleteUser", "getAuthenticator"],
    async (adapter, tools) => {
      const [passkey, other] = [await register(adapter, tools), await register(adapter, tools)]
      await adapter.deleteUser(passkey.userId)
      expectNull("getAuthenticator after deleteUser", await adapter.getAuthenticator(passkey.credentialID))
      tools.expectRecord("getAuthenticator, other", await adapter.getAuthenticator(other.credentialID), other)
    },
  ),

  check(
    "a passkey that was returned can be changed without changing the store",
    [...create, "getAuthenticator", "listAuthenticatorsByUserId"],
    async (adapter, tools) => {
      const { credentialID, userId } = await register(adapter, tools)
      const found = [
        await adapter.getAuthenticator(credentialID),
        ...(await adapter.listAuthenticatorsByUserId(userId)),
      ]
      for (const each of found) if (each) each.counter = 99
      expectEqual("getAuthenticator: counter", (await adapter.getAuthenticator(credentialID))?.counter, 0)
    },
  ),
]
