/** Checks of users: create, find, change, delete. */
import { check, type Check } from "./adapter-contract-check.js"
import { expectEqual, expectNull, fail, settle } from "./adapter-contract-expect.js"

export const userChecks: readonly Check[] = [
  check("createUser gives back what it was given, with an id", ["createUser"], async (adapter, tools) => {
    const given = tools.user({ emailVerified: tools.moment(-60) })
    const user = await adapter.createUser(given)
    tools.expectRecord("createUser", user, { ...given, id: user.id })
  }),

  check("createUser gives each user an id of their own, which is a text", ["createUser"], async (adapter, tools) => {
    const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
    expectEqual("typeof id", typeof one.id, "string")
    if (one.id === "" || one.id === other.id) fail("createUser", "should give each user another id, not empty", one.id)
  }),

  check(
    "createUser never gives the id of a deleted user again: their old sessions would be the new user's",
    ["createUser", "deleteUser"],
    async (adapter, tools) => {
      const former = await adapter.createUser(tools.user())
      await adapter.deleteUser(former.id)
      const next = await adapter.createUser(tools.user())
      if (next.id === former.id) fail("createUser", "gave the id of a deleted user again", next.id)
    },
  ),

  check("getUser finds a user whose address is not verified", ["createUser", "getUser"], async (adapter, tools) => {
    const user = await adapter.createUser(tools.user({ emailVerified: null }))
    tools.expectRecord("getUser", await adapter.getUser(user.id), { ...user, emailVerified: null })
  }),

  check("getUser gives emailVerified as the Date it was", ["createUser", "getUser"], async (adapter, tools) => {
    const emailVerified = tools.moment(-60)
    const user = await adapter.createUser(tools.user({ emailVerified }))
    tools.expectRecord("getUser", await adapter.getUser(user.id), { ...user, emailVerified })
  }),

  check("getUser keeps the moment of summer and winter dates", ["createUser", "getUser"], async (adapter, tools) => {
    // In or next to the hours that clocks in Europe and America leave out or repeat.
    for (const text of [
      "2025-01-15T12:00:00Z",
      "2025-03-30T01:30:00Z",
      "2025-10-26T00:30:00Z",
      "2025-11-02T06:30:00Z",
    ]) {
      const emailVerified = new Date(text)
      const { id } = await adapter.createUser(tools.user({ emailVerified }))
      expectEqual("getUser: emailVerified", (await adapter.getUser(id))?.emailVerified, emailVerified)
    }
  }),

  check("getUser gives null for an unknown id", ["getUser"], async (adapter, tools) => {
    expectNull("getUser", await adapter.getUser(tools.user().id))
  }),

  check("getUserByEmail finds a user", ["createUser", "getUserByEmail"], async (adapter, tools) => {
    await adapter.createUser(tools.user())
    const user = await adapter.createUser(tools.user({ emailVerified: tools.moment(-60) }))
    tools.expectRecord("getUserByEmail", await adapter.getUserByEmail(user.email), user)
  }),

  check("getUserByEmail gives null for an unknown address", ["getUserByEmail"], async (adapter, tools) => {
    expectNull("getUserByEmail", await adapter.getUserByEmail(tools.user().email))
  }),

  check(
    "getUserByEmail finds nobody by an address that only looks alike",
    ["createUser", "getUserByEmail"],
    async (adapter, tools) => {
      const { email } = await adapter.createUser(tools.user())
      const others = [email.replace("example", "exämple"), email.replace("com", "ｃｏｍ"), `${email} `, ` ${email}`]
      for (const other of others) expectNull("getUserByEmail", await adapter.getUserByEmail(other))
    },
  ),

  check("names of any script are kept, and long ones whole", ["createUser", "getUser"], async (adapter, tools) => {
    const name = `Zoë "O'Neil" \\ Ægir 李小龍 🚀 ${"x".repeat(150)}`
    const user = await adapter.createUser(tools.user({ name }))
    expectEqual("getUser: name", (await adapter.getUser(user.id))?.name, name)
  }),

  check(
    "users without an e-mail address, name or picture stay apart",
    ["createUser", "getUser", "getUserByEmail"],
    async (adapter, tools) => {
      // As passkeys and providers that tell no address make them; the type is stricter than the contract.
      const bare = { name: undefined, email: undefined, image: undefined }
      const [one, other] = [await adapter.createUser(tools.user(bare)), await adapter.createUser(tools.user(bare))]
      expectEqual("getUser: id", (await adapter.getUser(one.id))?.id, one.id)
      expectEqual("getUser: id", (await adapter.getUser(other.id))?.id, other.id)
      for (const email of ["", "null", "undefined"]) expectNull("getUserByEmail", await adapter.getUserByEmail(email))
    },
  ),

  check("updateUser keeps what it is not given", ["createUser", "getUser", "updateUser"], async (adapter, tools) => {
    const user = await adapter.createUser(tools.user())
    const emailVerified = tools.moment(-60)
    const updated = await adapter.updateUser({ id: user.id, emailVerified })
    tools.expectRecord("updateUser", updated, { ...user, emailVerified })
    tools.expectRecord("getUser after updateUser", await adapter.getUser(user.id), { ...user, emailVerified })
  }),

  check("updateUser empties a field that is null", ["createUser", "getUser", "updateUser"], async (adapter, tools) => {
    const user = await adapter.createUser(tools.user({ emailVerified: tools.moment(-60) }))
    const empty = { name: null, image: null, emailVerified: null }
    await adapter.updateUser({ id: user.id, ...empty })
    tools.expectRecord("getUser after updateUser", await adapter.getUser(user.id), { ...user, ...empty })
  }),

  check(
    "updateUser of the address: found by the new one, not by the old",
    ["createUser", "getUserByEmail", "updateUser"],
    async (adapter, tools) => {
      const user = await adapter.createUser(tools.user())
      const { email } = tools.user()
      await adapter.updateUser({ id: user.id, email })
      tools.expectRecord("getUserByEmail, new", await adapter.getUserByEmail(email), { ...user, email })
      expectNull("getUserByEmail, old", await adapter.getUserByEmail(user.email))
    },
  ),

  check("updateUser changes one user only", ["createUser", "getUser", "updateUser"], async (adapter, tools) => {
    const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
    await adapter.updateUser({ id: one.id, name: "Grace Hopper" })
    tools.expectRecord("getUser of another user", await adapter.getUser(other.id), other)
  }),

  check("updateUser of an unknown user creates nobody", ["getUser", "updateUser"], async (adapter, tools) => {
    const { id } = tools.user()
    await settle([() => adapter.updateUser({ id, name: "Nobody" })])
    expectNull("getUser after updateUser", await adapter.getUser(id))
  }),

  check(
    "deleteUser removes one user only",
    ["createUser", "getUser", "getUserByEmail", "deleteUser"],
    async (adapter, tools) => {
      const [user, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const deleted = await adapter.deleteUser(user.id)
      if (deleted) tools.expectRecord("deleteUser", deleted, user)
      expectNull("getUser after deleteUser", await adapter.getUser(user.id))
      expectNull("getUserByEmail after deleteUser", await adapter.getUserByEmail(user.email))
      tools.expectRecord("getUser of another user", await adapter.getUser(other.id), other)
    },
  ),

  check("deleteUser frees the address", ["createUser", "getUserByEmail", "deleteUser"], async (adapter, tools) => {
    const former = await adapter.createUser(tools.user())
    await adapter.deleteUser(former.id)
    const next = await adapter.createUser(tools.user({ email: former.email }))
    tools.expectRecord("getUserByEmail", await adapter.getUserByEmail(former.email), next)
  }),

  check(
    "a user that was given or returned can be changed without changing the store",
    ["createUser", "getUser", "getUserByEmail"],
    async (adapter, tools) => {
      const moment = tools.moment(-60).getTime()
      const given = tools.user({ emailVerified: new Date(moment) })
      const created = await adapter.createUser(given)
      const { id, email } = created
      for (const user of [given, created, await adapter.getUser(id), await adapter.getUserByEmail(email)]) {
        if (!user) return fail("getUser", "should find the user")
        user.name = "changed"
        user.emailVerified?.setTime(0)
      }
      const again = await adapter.getUser(id)
      expectEqual("getUser: name", again?.name, "Ada Lovelace")
      expectEqual("getUser: emailVerified", again?.emailVerified, new Date(moment))
    },
  ),
]
