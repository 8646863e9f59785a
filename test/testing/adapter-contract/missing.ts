/** Defects in what is not there: undefined for null, and methods that throw or create. */
import type { AdapterSession } from "../../../src/adapters/contract.js"
import { after, ghost, instead, type Defect } from "./breaking.js"

export const missingDefects: readonly Defect[] = [
  {
    name: "unlinkAccount is missing",
    breaks: () => ({ unlinkAccount: undefined }),
    fails: [
      "the adapter has its methods",
      "unlinkAccount removes one account, and neither the user nor their other account",
      "unlinkAccount removes nothing unless provider and providerAccountId both match",
      "an unlinked account can be linked to another user",
    ],
  },
  {
    name: "getUser gives undefined",
    breaks: after("getUser", (user) => user ?? undefined),
    fails: [
      "getUser gives null for an unknown id",
      "updateUser of an unknown user creates nobody",
      "deleteUser removes one user only",
      "getUser finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "getUserByEmail gives undefined",
    breaks: after("getUserByEmail", (user) => user ?? undefined),
    fails: [
      "getUserByEmail gives null for an unknown address",
      "getUserByEmail finds nobody by an address that only looks alike",
      "users without an e-mail address, name or picture stay apart",
      "updateUser of the address: found by the new one, not by the old",
      "deleteUser removes one user only",
      "createUserWithAccount creates no user when the account is taken, and takes it from nobody",
      "of 10 parallel createUserWithAccount with one account exactly one creates a user",
      "getUserByEmail finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "getUserByAccount gives undefined",
    breaks: after("getUserByAccount", (user) => user ?? undefined),
    fails: [
      "getUserByAccount gives null unless provider and providerAccountId both match",
      "providerAccountId is told apart by case, accents and trailing spaces",
      "unlinkAccount removes one account, and neither the user nor their other account",
      "deleteUser removes the user's accounts, which can then be linked anew, and nobody else's",
      "updateAccount of an unknown account gives null, and creates none",
      "getUserByAccount finds nothing by malformed and hostile values, and does not throw",
      "createUserWithAccount links nothing when the address is taken",
    ],
  },
  {
    name: "getAccount gives undefined",
    breaks: after("getAccount", (account) => account ?? undefined),
    fails: [
      "getAccount gives null unless provider and providerAccountId both match",
      "getAccount finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "getSessionAndUser gives undefined",
    breaks: after("getSessionAndUser", (found) => found ?? undefined),
    fails: [
      "getSessionAndUser gives null for an unknown token",
      "sessionToken is told apart by case, accents, spaces and length",
      "updateSession of a session that is not there gives null or undefined, and creates none",
      "deleteSession ends one session only",
      "a session that is ended while it is prolonged stays ended",
      "deleteUser ends the user's sessions, and nobody else's",
      "a session of a user who is gone is refused, or found by nobody",
      "deleteSessionsByUserId ends all of one user, says how many, and ends nobody else's",
      "getSessionAndUser finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "useVerificationToken gives undefined",
    breaks: after("useVerificationToken", (token) => token ?? undefined),
    fails: [
      "useVerificationToken gives null the second time",
      "useVerificationToken gives null for an unknown token",
      "another address cannot use a token, nor spend it",
      "a token that is not quite right is refused, and spends nothing",
      "where an address ends and a token begins is not guessed",
      "of 50 parallel uses of a token exactly one wins",
      "useVerificationToken finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "getAuthenticator gives undefined",
    breaks: after("getAuthenticator", (found) => found ?? undefined),
    fails: [
      "getAuthenticator gives null for an unknown id",
      "credentialID is told apart by case",
      "deleteUser removes the user's passkeys",
      "getAuthenticator finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "updateAccount gives undefined",
    breaks: after("updateAccount", (account) => account ?? undefined),
    fails: [
      "updateAccount of an unknown account gives null, and creates none",
      "updateAccount changes nothing when another refresh token is stored than the one it is told",
      "updateAccount knows that no refresh token is stored",
      "of 10 parallel updateAccount with one refresh token exactly one changes the account",
    ],
  },
  {
    name: "listAuthenticatorsByUserId gives null for none",
    breaks: after("listAuthenticatorsByUserId", (list) => (list.length ? list : null)),
    fails: [
      "listAuthenticatorsByUserId gives [] for an unknown user",
      "listAuthenticatorsByUserId finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "listAccountsByUserId gives null for none",
    breaks: after("listAccountsByUserId", (list) => (list.length ? list : null)),
    fails: [
      "listAccountsByUserId gives [] for an unknown user",
      "listAccountsByUserId finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "listSessionsByUserId gives null for none",
    breaks: after("listSessionsByUserId", (list) => (list.length ? list : null)),
    fails: [
      "listSessionsByUserId gives [] for an unknown user",
      "listSessionsByUserId finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "deleteSession throws for an unknown token",
    breaks: after("deleteSession", (session) => session ?? Promise.reject(new Error("no row"))),
    fails: [
      "deleteSession of an unknown token does not throw",
      "deleteSession twice does not throw",
      "deleteSession finds nothing by malformed and hostile values, and does not throw",
    ],
  },
  {
    name: "updateAuthenticatorCounter gives null for an unknown id",
    breaks: instead("updateAuthenticatorCounter", async (good, id, counter) =>
      (await good.getAuthenticator(id)) ? good.updateAuthenticatorCounter(id, counter) : null,
    ),
    fails: ["updateAuthenticatorCounter of an unknown passkey throws"],
  },
  {
    name: "updateUser creates a user",
    breaks: instead("updateUser", async (good, user) =>
      (await good.getUser(user.id)) ? good.updateUser(user) : good.createUser({ ...ghost, ...user }),
    ),
    fails: ["updateUser of an unknown user creates nobody"],
  },
  {
    name: "updateSession creates a session",
    breaks: instead("updateSession", async (good, session) => {
      const updated = await good.updateSession(session)
      if (!updated && session.userId !== undefined) await good.createSession(session as AdapterSession)
      return updated
    }),
    fails: ["updateSession of a session that is not there gives null or undefined, and creates none"],
  },
  {
    name: "updateSession gives what it was given, even for no session",
    breaks: instead("updateSession", async (good, session) => {
      await good.updateSession(session)
      return session
    }),
    fails: [
      "updateSession prolongs the session and keeps the rest",
      "updateSession of a session that is not there gives null or undefined, and creates none",
      "updateSession finds nothing by malformed and hostile values, and does not throw",
    ],
  },
]
