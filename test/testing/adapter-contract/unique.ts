/** Defects of uniqueness. */
import { instead, type Defect } from "./breaking.js"

export const uniqueDefects: readonly Defect[] = [
  {
    name: "createUser gives the user who has the address",
    breaks: instead("createUser", async (good, user) => {
      try {
        return await good.createUser(user)
      } catch {
        return good.getUserByEmail(user.email)
      }
    }),
    fails: [
      "createUser throws when the address is taken, and leaves its user alone",
      "of 10 parallel createUser with one address exactly one succeeds",
    ],
  },
  {
    name: "createUser gives the address to the new user",
    breaks: instead("createUser", async (good, user) => {
      const former = user.email ? await good.getUserByEmail(user.email) : null
      if (former) await good.updateUser({ id: former.id, email: `former-${user.email}` })
      return good.createUser(user)
    }),
    fails: ["createUser throws when the address is taken, and leaves its user alone"],
  },
  {
    name: "updateUser says nothing of a taken address",
    breaks: instead("updateUser", async (good, user) =>
      user.email && (await good.getUserByEmail(user.email)) ? good.getUser(user.id) : good.updateUser(user),
    ),
    fails: ["updateUser throws when the address is taken, and changes nobody"],
  },
  {
    name: "createUserWithAccount links to the user who has the address",
    breaks: instead("createUserWithAccount", async (good, user, account) => {
      const owner = await good.getUserByEmail(user.email)
      if (!owner) return good.createUserWithAccount(user, account)
      await good.linkAccount({ ...account, userId: owner.id })
      return owner
    }),
    fails: ["createUserWithAccount links nothing when the address is taken"],
  },
  {
    name: "linkAccount says nothing of a taken account",
    breaks: instead("linkAccount", async (good, account) => {
      try {
        return await good.linkAccount(account)
      } catch {
        return undefined
      }
    }),
    fails: [
      "linkAccount throws when the account is another user's, and takes it from nobody",
      "of 10 parallel linkAccount of one account exactly one succeeds",
    ],
  },
  {
    name: "linkAccount takes the account from its user",
    breaks: instead("linkAccount", async (good, account) => {
      await good.unlinkAccount(account)
      return good.linkAccount(account)
    }),
    fails: ["linkAccount throws when the account is another user's, and takes it from nobody"],
  },
  {
    name: "createSession takes the token from its user",
    breaks: instead("createSession", async (good, session) => {
      await good.deleteSession(session.sessionToken)
      return good.createSession(session)
    }),
    fails: ["createSession throws when the token is taken, and hands nobody's session over"],
  },
  {
    name: "createAuthenticator says nothing of a taken credential",
    breaks: instead(
      "createAuthenticator",
      async (good, passkey) => (await good.getAuthenticator(passkey.credentialID)) ?? good.createAuthenticator(passkey),
    ),
    fails: ["createAuthenticator throws when the credential is registered, and takes it from nobody"],
  },
]
