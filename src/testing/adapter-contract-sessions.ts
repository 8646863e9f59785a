/** Checks of sessions: create, read with their user, prolong, end. */
import { check, type Check } from "./adapter-contract-check.js"
import { expectEqual, expectNothing, expectNull, fail, race, settle } from "./adapter-contract-expect.js"

const hour = 60 * 60

export const sessionChecks: readonly Check[] = [
  check("createSession gives back what it was given", ["createUser", "createSession"], async (adapter, tools) => {
    const { id } = await adapter.createUser(tools.user())
    const session = tools.session(id)
    tools.expectRecord("createSession", await adapter.createSession({ ...session }), session)
  }),

  check(
    "getSessionAndUser gives { session, user }, each with its own fields only",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const user = await adapter.createUser(tools.user({ emailVerified: tools.moment(-hour) }))
      const session = tools.session(user.id)
      await adapter.createSession({ ...session })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      if (found === null) return fail("getSessionAndUser", "should find the session, but gave null")
      expectEqual("getSessionAndUser: fields", Object.keys(found).sort(), ["session", "user"])
      tools.expectRecord("getSessionAndUser: session", found.session, session)
      tools.expectRecord("getSessionAndUser: user", found.user, user)
    },
  ),

  check("getSessionAndUser gives null for an unknown token", ["getSessionAndUser"], async (adapter, tools) => {
    expectNull("getSessionAndUser", await adapter.getSessionAndUser(tools.session("").sessionToken))
  }),

  check(
    "sessionToken is told apart by case, accents, spaces and length",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const sessionToken = `Cafe-${tools.session(id).sessionToken}`
      await adapter.createSession(tools.session(id, { sessionToken }))
      const others = [
        sessionToken.toLowerCase(),
        sessionToken.toUpperCase(),
        sessionToken.replace("Cafe", "Café"),
        `${sessionToken} `,
        ` ${sessionToken}`,
        `${sessionToken}0`,
        sessionToken.slice(0, -1),
      ]
      for (const other of others)
        expectNull(`getSessionAndUser of ${JSON.stringify(other)}`, await adapter.getSessionAndUser(other))
    },
  ),

  check(
    "the sessions of two users, and two of one, stay apart",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const [one, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const pairs = [one, one, other].map((user) => ({ user, session: tools.session(user.id) }))
      for (const { session } of pairs) await adapter.createSession({ ...session })
      for (const { user, session } of pairs) {
        const found = await adapter.getSessionAndUser(session.sessionToken)
        tools.expectRecord("getSessionAndUser: session", found?.session, session)
        tools.expectRecord("getSessionAndUser: user", found?.user, user)
      }
    },
  ),

  check(
    "getSessionAndUser gives the user as they are now",
    ["createUser", "updateUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const { sessionToken } = await adapter.createSession(tools.session(id))
      await adapter.getSessionAndUser(sessionToken)
      await adapter.updateUser({ id, name: "Grace Hopper" })
      const found = await adapter.getSessionAndUser(sessionToken)
      expectEqual("getSessionAndUser: user.name", found?.user.name, "Grace Hopper")
    },
  ),

  check(
    "an expired session is not found, or found with its expiry in the past",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const session = tools.session(id, { expires: tools.moment(-hour) })
      await adapter.createSession({ ...session })
      const found = await adapter.getSessionAndUser(session.sessionToken)
      if (found !== null) tools.expectRecord("getSessionAndUser: session", found.session, session)
    },
  ),

  check(
    "updateSession prolongs the session and keeps the rest",
    ["createUser", "createSession", "getSessionAndUser", "updateSession"],
    async (adapter, tools) => {
      const user = await adapter.createUser(tools.user())
      const [session, other] = [tools.session(user.id), tools.session(user.id)]
      for (const each of [session, other]) await adapter.createSession({ ...each })
      const prolonged = { ...session, expires: tools.moment(90 * 24 * hour) }
      const { sessionToken, expires } = prolonged
      const updated = await adapter.updateSession({ sessionToken, expires })
      if (updated) tools.expectRecord("updateSession", updated, prolonged)
      const found = await adapter.getSessionAndUser(sessionToken)
      tools.expectRecord("getSessionAndUser: session", found?.session, prolonged)
      tools.expectRecord("getSessionAndUser: user", found?.user, user)
      const untouched = await adapter.getSessionAndUser(other.sessionToken)
      tools.expectRecord("getSessionAndUser, other session", untouched?.session, other)
    },
  ),

  check(
    "updateSession of a session that is not there gives null or undefined, and creates none",
    ["createUser", "getSessionAndUser", "updateSession"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const session = tools.session(id)
      expectNothing("updateSession", await adapter.updateSession({ ...session }))
      expectNull("getSessionAndUser after updateSession", await adapter.getSessionAndUser(session.sessionToken))
    },
  ),

  check(
    "deleteSession ends one session only",
    ["createUser", "createSession", "getSessionAndUser", "deleteSession"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const [session, other] = [tools.session(id), tools.session(id)]
      for (const each of [session, other]) await adapter.createSession({ ...each })
      const deleted = await adapter.deleteSession(session.sessionToken)
      if (deleted) tools.expectRecord("deleteSession", deleted, session)
      expectNull("getSessionAndUser after deleteSession", await adapter.getSessionAndUser(session.sessionToken))
      const found = await adapter.getSessionAndUser(other.sessionToken)
      tools.expectRecord("getSessionAndUser, other session", found?.session, other)
    },
  ),

  check("deleteSession of an unknown token does not throw", ["deleteSession"], async (adapter, tools) => {
    expectNothing("deleteSession", await adapter.deleteSession(tools.session("").sessionToken))
  }),

  check(
    "deleteSession twice does not throw",
    ["createUser", "createSession", "deleteSession"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const { sessionToken } = await adapter.createSession(tools.session(id))
      await adapter.deleteSession(sessionToken)
      expectNothing("deleteSession, second", await adapter.deleteSession(sessionToken))
    },
  ),

  check(
    "a session that is ended while it is prolonged stays ended",
    ["createUser", "createSession", "getSessionAndUser", "updateSession", "deleteSession"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const expires = tools.moment(90 * 24 * hour)
      const rounds = await race(20, async () => {
        const { sessionToken } = await adapter.createSession(tools.session(id))
        const prolong = () => adapter.updateSession({ sessionToken, expires })
        await settle([prolong, () => adapter.deleteSession(sessionToken), prolong])
        return adapter.getSessionAndUser(sessionToken)
      })
      for (const round of rounds)
        expectNull("getSessionAndUser after deleteSession", round.status === "fulfilled" ? round.value : round.reason)
    },
  ),

  check(
    "deleteUser ends the user's sessions, and nobody else's",
    ["createUser", "deleteUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const [user, other] = [await adapter.createUser(tools.user()), await adapter.createUser(tools.user())]
      const [gone, kept] = [tools.session(user.id), tools.session(other.id)]
      for (const session of [gone, kept]) await adapter.createSession({ ...session })
      await adapter.deleteUser(user.id)
      expectNull("getSessionAndUser after deleteUser", await adapter.getSessionAndUser(gone.sessionToken))
      const found = await adapter.getSessionAndUser(kept.sessionToken)
      tools.expectRecord("getSessionAndUser, other user", found?.session, kept)
    },
  ),

  check(
    "a session of a user who is gone is refused, or found by nobody",
    ["createUser", "deleteUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      await adapter.deleteUser(id)
      const session = tools.session(id)
      await settle([() => adapter.createSession({ ...session })])
      expectNull("getSessionAndUser", await adapter.getSessionAndUser(session.sessionToken))
    },
  ),

  check(
    "a session that was given or returned can be changed without changing the store",
    ["createUser", "createSession", "getSessionAndUser"],
    async (adapter, tools) => {
      const { id } = await adapter.createUser(tools.user())
      const session = tools.session(id)
      const { sessionToken } = session
      const given = { ...session, expires: new Date(session.expires) }
      const created = await adapter.createSession(given)
      const found = await adapter.getSessionAndUser(sessionToken)
      for (const each of [given, created, found?.session]) each?.expires.setTime(0)
      if (found) found.user.name = "changed"
      const again = await adapter.getSessionAndUser(sessionToken)
      tools.expectRecord("getSessionAndUser: session", again?.session, session)
      expectEqual("getSessionAndUser: user.name", again?.user.name, "Ada Lovelace")
    },
  ),
]
