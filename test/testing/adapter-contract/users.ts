/** Defects of users. */
import type { AdapterUser } from "../../../src/adapters/contract.js"
import { after, before, cached, cut, foldAll, ghost, hour, instead, together, type Defect } from "./breaking.js"

export const usersDefects: readonly Defect[] = [
  {
    name: "createUser loses the name",
    breaks: after("createUser", ({ name: _lost, ...user }) => user),
    fails: [
      "createUser gives back what it was given, with an id",
      "getUser finds a user whose address is not verified",
      "getUser gives emailVerified as the Date it was",
      "getUserByEmail finds a user",
      "updateUser keeps what it is not given",
      "updateUser of the address: found by the new one, not by the old",
      "updateUser changes one user only",
      "deleteUser removes one user only",
      "deleteUser frees the address",
      "getUserByAccount finds the user, and nothing of the account in it",
      "two accounts of one user lead to that user, and those of two users to each",
      "providerAccountId is told apart by case, accents and trailing spaces",
      "providerAccountId counts to its end: 255 characters, as OpenID Connect allows",
      "unlinkAccount removes one account, and neither the user nor their other account",
      "unlinkAccount removes nothing unless provider and providerAccountId both match",
      "an unlinked account can be linked to another user",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
      "getSessionAndUser gives { session, user }, each with its own fields only",
      "the sessions of two users, and two of one, stay apart",
      "updateSession prolongs the session and keeps the rest",
      "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
      "deleteSession by a hostile value ends nobody's session",
      "deleteUser by a hostile value deletes nobody",
      "deleteSessionsByUserId by a hostile value ends nobody's session",
      "createUser throws when the address is taken, and leaves its user alone",
      "updateUser throws when the address is taken, and changes nobody",
      "linkAccount throws when the account is another user's, and takes it from nobody",
    ],
  },
  {
    name: "ids are numbers",
    breaks: (good) => {
      let last = 0
      return before("createUser", (user) => [{ ...user, id: ++last }])(good)
    },
    fails: ["createUser gives each user an id of their own, which is a text"],
  },
  {
    name: "ids of deleted users are given again",
    breaks: (good) => {
      let free: string | undefined
      return together(
        before("createUser", (user) => {
          const id = free ?? user.id
          free = undefined
          return [{ ...user, id }]
        }),
        before("deleteUser", (id) => [(free = id)]),
      )(good)
    },
    fails: ["createUser never gives the id of a deleted user again: their old sessions would be the new user's"],
  },
  {
    name: "emailVerified is a text",
    breaks: after("getUser", (user) => user && { ...user, emailVerified: user.emailVerified?.toISOString() ?? null }),
    fails: [
      "getUser gives emailVerified as the Date it was",
      "getUser keeps the moment of summer and winter dates",
      "updateUser keeps what it is not given",
      "a user that was given or returned can be changed without changing the store",
      "createUserWithAccount creates a user together with the account",
    ],
  },
  {
    name: "emailVerified is undefined instead of null",
    breaks: after("getUser", (user) => user && { ...user, emailVerified: user.emailVerified ?? undefined }),
    fails: [
      "getUser finds a user whose address is not verified",
      "updateUser empties a field that is null",
      "updateUser changes one user only",
      "deleteUser removes one user only",
      "unlinkAccount removes one account, and neither the user nor their other account",
      "updateUser throws when the address is taken, and changes nobody",
    ],
  },
  {
    name: "dates in March are an hour late",
    breaks: after("getUser", (user) =>
      user?.emailVerified?.getUTCMonth() === 2
        ? { ...user, emailVerified: new Date(user.emailVerified.getTime() + hour) }
        : user,
    ),
    fails: ["getUser keeps the moment of summer and winter dates"],
  },
  {
    name: "getUserByEmail loses emailVerified",
    breaks: after("getUserByEmail", (user) => user && { ...user, emailVerified: null }),
    fails: ["getUserByEmail finds a user"],
  },
  {
    name: "getUserByEmail compares as MySQL does",
    breaks: before("getUserByEmail", (email) => [foldAll(email)]),
    fails: ["getUserByEmail finds nobody by an address that only looks alike"],
  },
  {
    name: "names are cut",
    breaks: before("createUser", (user) => [{ ...user, name: cut(user.name, 100) }]),
    fails: ["names of any script are kept, and long ones whole"],
  },
  {
    name: "quotes are doubled",
    breaks: before("createUser", (user) => [{ ...user, name: user.name?.replaceAll("'", "''") }]),
    fails: [
      "names of any script are kept, and long ones whole",
      "hostile text is stored as text: names and account ids come back as they were",
    ],
  },
  {
    name: "users without an address are found by the empty one",
    breaks: instead("getUserByEmail", (good, email) => (email === "" ? ghost : good.getUserByEmail(email))),
    fails: [
      "users without an e-mail address, name or picture stay apart",
      "getUserByEmail finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "an address is needed",
    breaks: before("createUser", (user) => (user.email ? [user] : [{ ...user, email: "" }])),
    fails: ["users without an e-mail address, name or picture stay apart"],
  },
  {
    name: "updateUser forgets what it is not given",
    breaks: before("updateUser", (user) => [{ image: null, ...user }]),
    fails: ["updateUser keeps what it is not given", "updateUser of the address: found by the new one, not by the old"],
  },
  {
    name: "updateUser gives only what it was given",
    breaks: after("updateUser", (_, user) => user),
    fails: ["updateUser keeps what it is not given"],
  },
  {
    name: "updateUser does not store",
    breaks: instead("updateUser", async (good, user) => ({ ...(await good.getUser(user.id)), ...user })),
    fails: [
      "updateUser keeps what it is not given",
      "updateUser empties a field that is null",
      "updateUser of the address: found by the new one, not by the old",
      "getSessionAndUser gives the user as they are now",
      "updateUser throws when the address is taken, and changes nobody",
    ],
  },
  {
    name: "updateUser ignores null",
    breaks: before("updateUser", (user) => [
      Object.fromEntries(Object.entries(user).filter(([, value]) => value !== null)),
    ]),
    fails: ["updateUser empties a field that is null"],
  },
  {
    name: "updateUser changes every user",
    breaks: (good) => {
      const ids: string[] = []
      return together(
        after("createUser", (user) => {
          ids.push(user.id)
          return user
        }),
        instead("updateUser", async (_, { email, ...user }) => {
          for (const id of ids) if (user.name) await good.updateUser({ name: user.name, id })
          return good.updateUser({ ...user, email })
        }),
      )(good)
    },
    fails: ["updateUser changes one user only"],
  },
  {
    name: "the old address still finds the user",
    breaks: (good) => {
      const old = new Map<string, string>()
      return together(
        instead("updateUser", async (_, user) => {
          const former = await good.getUser(user.id)
          const updated = await good.updateUser(user)
          if (former && user.email) old.set(former.email, user.id)
          return updated
        }),
        instead("getUserByEmail", (_, email) => good.getUserByEmail(email) ?? good.getUser(old.get(email) ?? "")),
      )(good)
    },
    fails: ["updateUser of the address: found by the new one, not by the old"],
  },
  {
    name: "deleteUser does nothing",
    breaks: instead("deleteUser", () => null),
    fails: [
      "deleteUser removes one user only",
      "deleteUser frees the address",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
      "deleteUser ends the user's sessions, and nobody else's",
      "a session of a user who is gone is refused, or found by nobody",
      "deleteUser removes the user's passkeys",
    ],
  },
  {
    name: "deleteUser deletes everybody",
    breaks: (good) => {
      const ids: string[] = []
      return together(
        after("createUser", (user) => {
          ids.push(user.id)
          return user
        }),
        instead("deleteUser", async () => {
          for (const id of ids) await good.deleteUser(id)
        }),
      )(good)
    },
    fails: [
      "deleteUser removes one user only",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
      "deleteUser ends the user's sessions, and nobody else's",
      "deleteUser removes the user's passkeys",
      "deleteUser by a hostile value deletes nobody",
    ],
  },
  {
    name: "deleteUser only marks",
    breaks: (good) => {
      const gone = new Set<string>()
      const hide = (user: AdapterUser | null) => (user && gone.has(user.id) ? null : user)
      return together(
        instead("deleteUser", (_, id) => void gone.add(id)),
        after("getUser", hide),
        after("getUserByEmail", hide),
        after("getUserByAccount", hide),
        after("getSessionAndUser", (found) => found && hide(found.user) && found),
        after("getAuthenticator", (found) => found && (gone.has(found.userId) ? null : found)),
      )(good)
    },
    fails: [
      "deleteUser frees the address",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
    ],
  },
  {
    name: "getUser gives the stored object",
    breaks: after("getUser", cached()),
    fails: ["a user that was given or returned can be changed without changing the store"],
  },
]
