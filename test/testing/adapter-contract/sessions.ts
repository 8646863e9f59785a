/** Defects of sessions. */
import type { AdapterSession, AdapterUser } from "../../../src/adapters/contract.js"
import { after, before, cached, fold, ghost, hour, instead, pause, together, type Defect } from "./breaking.js"

export const sessionsDefects: readonly Defect[] = [
  {
    name: "createSession gives expires as a text",
    breaks: after("createSession", (session) => ({ ...session, expires: session.expires.toISOString() })),
    fails: [
      "createSession gives back what it was given",
      "a session that was given or returned can be changed without changing the store",
    ],
  },
  {
    name: "getSessionAndUser gives expires as a number",
    breaks: after(
      "getSessionAndUser",
      (found) => found && { ...found, session: { ...found.session, expires: found.session.expires.getTime() } },
    ),
    fails: [
      "getSessionAndUser gives { session, user }, each with its own fields only",
      "the sessions of two users, and two of one, stay apart",
      "an expired session is not found, or found with its expiry in the past",
      "updateSession prolongs the session and keeps the rest",
      "deleteSession ends one session only",
      "deleteUser ends the user's sessions, and nobody else's",
      "a session that was given or returned can be changed without changing the store",
      "deleteSessionsByUserId ends all of one user, says how many, and ends nobody else's",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
      "deleteSession by a hostile value ends nobody's session",
      "deleteUser by a hostile value deletes nobody",
      "deleteSessionsByUserId by a hostile value ends nobody's session",
      "createSession throws when the token is taken, and hands nobody's session over",
    ],
  },
  {
    name: "getSessionAndUser mixes session and user",
    breaks: after(
      "getSessionAndUser",
      (found) => found && { session: found.session, user: { ...found.session, ...found.user } },
    ),
    fails: [
      "getSessionAndUser gives { session, user }, each with its own fields only",
      "the sessions of two users, and two of one, stay apart",
      "updateSession prolongs the session and keeps the rest",
      "deleteSession by a hostile value ends nobody's session",
      "deleteUser by a hostile value deletes nobody",
      "deleteSessionsByUserId by a hostile value ends nobody's session",
    ],
  },
  {
    name: "getSessionAndUser gives one more field",
    breaks: after("getSessionAndUser", (found) => found && { ...found, found: true }),
    fails: ["getSessionAndUser gives { session, user }, each with its own fields only"],
  },
  {
    name: "getSessionAndUser gives the user without name",
    breaks: after("getSessionAndUser", (found) => found && { ...found, user: { ...found.user, name: null } }),
    fails: [
      "getSessionAndUser gives { session, user }, each with its own fields only",
      "the sessions of two users, and two of one, stay apart",
      "getSessionAndUser gives the user as they are now",
      "updateSession prolongs the session and keeps the rest",
      "a session that was given or returned can be changed without changing the store",
      "deleteSession by a hostile value ends nobody's session",
      "deleteUser by a hostile value deletes nobody",
      "deleteSessionsByUserId by a hostile value ends nobody's session",
    ],
  },
  {
    name: "session tokens are compared without case",
    breaks: (good) => {
      const tokens = new Map<string, string>()
      return together(
        before("createSession", (session) => {
          tokens.set(fold(session.sessionToken), session.sessionToken)
          return [session]
        }),
        before("getSessionAndUser", (token) => [tokens.get(fold(token)) ?? token]),
      )(good)
    },
    fails: ["sessionToken is told apart by case, accents, spaces and length"],
  },
  {
    name: "a user has one session",
    breaks: instead("createSession", async (good, session) => {
      await good.deleteSessionsByUserId(session.userId)
      return good.createSession(session)
    }),
    fails: [
      "the sessions of two users, and two of one, stay apart",
      "updateSession prolongs the session and keeps the rest",
      "listSessionsByUserId lists all of one user that have not expired, and nobody else's",
      "deleteSessionsByUserId ends all of one user, says how many, and ends nobody else's",
      "deleteExpired deletes what had expired by then, says how many, and nothing else",
    ],
  },
  {
    name: "the user of a session is remembered",
    breaks: (good) => {
      const known = new Map<string, AdapterUser>()
      return after("getSessionAndUser", (found, token) => {
        if (!found) return null
        const user = known.get(token) ?? found.user
        known.set(token, user)
        return { ...found, user }
      })(good)
    },
    fails: [
      "getSessionAndUser gives the user as they are now",
      "a session that was given or returned can be changed without changing the store",
    ],
  },
  {
    name: "an expired session is prolonged when it is read",
    breaks: after(
      "getSessionAndUser",
      (found) =>
        found && {
          ...found,
          session: {
            ...found.session,
            expires: new Date(Math.max(found.session.expires.getTime(), Date.now() + hour)),
          },
        },
    ),
    fails: ["an expired session is not found, or found with its expiry in the past"],
  },
  {
    name: "updateSession does not store",
    breaks: instead("updateSession", () => null),
    fails: ["updateSession prolongs the session and keeps the rest"],
  },
  {
    name: "updateSession forgets the user",
    breaks: after("updateSession", (session) => session && { ...session, userId: undefined }),
    fails: ["updateSession prolongs the session and keeps the rest"],
  },
  {
    name: "deleteSession does nothing",
    breaks: instead("deleteSession", () => null),
    fails: [
      "deleteSession ends one session only",
      "a session that is ended while it is prolonged stays ended",
      "listSessionsByUserId lists no session that was ended",
    ],
  },
  {
    name: "deleteSession ends all of the user",
    breaks: instead("deleteSession", async (good, token) => {
      const found = await good.getSessionAndUser(token)
      if (found) await good.deleteSessionsByUserId(found.user.id)
    }),
    fails: ["deleteSession ends one session only", "listSessionsByUserId lists no session that was ended"],
  },
  {
    name: "deleteSession throws the second time",
    breaks: (good) => {
      const ended = new Set<string>()
      return instead("deleteSession", (_, token) => {
        if (ended.has(token)) throw new Error("no row")
        ended.add(token)
        return good.deleteSession(token)
      })(good)
    },
    fails: ["deleteSession twice does not throw"],
  },
  {
    name: "updateSession reads, then writes anew",
    breaks: instead("updateSession", async (good, session) => {
      const found = await good.getSessionAndUser(session.sessionToken)
      await pause()
      if (!found) return null
      await good.deleteSession(session.sessionToken)
      return good.createSession({ ...found.session, ...session })
    }),
    fails: ["a session that is ended while it is prolonged stays ended"],
  },
  {
    name: "sessions outlive their user",
    breaks: (good) => {
      const stored = new Map<string, AdapterSession>()
      return together(
        before("createSession", (session) => {
          stored.set(session.sessionToken, session)
          return [session]
        }),
        instead("deleteSession", async (_, token) => {
          stored.delete(token)
          return good.deleteSession(token)
        }),
        instead("deleteSessionsByUserId", async (_, id) => {
          for (const [token, { userId }] of stored) if (userId === id) stored.delete(token)
          return good.deleteSessionsByUserId(id)
        }),
        after("getSessionAndUser", (found, token) => {
          const session = stored.get(token)
          return found ?? (session ? { session, user: ghost } : null)
        }),
      )(good)
    },
    fails: [
      "deleteUser ends the user's sessions, and nobody else's",
      "a session of a user who is gone is refused, or found by nobody",
    ],
  },
  {
    name: "getSessionAndUser gives the stored object",
    breaks: after("getSessionAndUser", cached()),
    fails: [
      "getSessionAndUser gives the user as they are now",
      "a session that was given or returned can be changed without changing the store",
    ],
  },
]
