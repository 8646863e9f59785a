/** Defects of passkeys. */
import type { AdapterAuthenticator } from "../../../src/adapters/contract.js"
import { after, before, cached, fold, instead, together, type Defect } from "./breaking.js"

export const authenticatorsDefects: readonly Defect[] = [
  {
    name: "createAuthenticator loses the transports",
    breaks: after("createAuthenticator", (passkey) => ({ ...passkey, transports: null })),
    fails: [
      "createAuthenticator gives back what it was given",
      "getAuthenticator finds a passkey",
      "credentialID is told apart by case",
      "listAuthenticatorsByUserId lists all of one user, and nobody else's",
      "updateAuthenticatorCounter changes the counter and gives the row",
      "deleteUser removes the user's passkeys",
      "a passkey that was returned can be changed without changing the store",
    ],
  },
  {
    name: "credentialBackedUp is a number",
    breaks: after(
      "getAuthenticator",
      (passkey) => passkey && { ...passkey, credentialBackedUp: Number(passkey.credentialBackedUp) },
    ),
    fails: [
      "getAuthenticator finds a passkey",
      "updateAuthenticatorCounter changes the counter and gives the row",
      "deleteUser removes the user's passkeys",
      "createAuthenticator throws when the credential is registered, and takes it from nobody",
    ],
  },
  {
    name: "credential ids are compared without case",
    breaks: (good) => {
      const ids = new Map<string, string>()
      return together(
        before("createAuthenticator", (passkey) => {
          ids.set(fold(passkey.credentialID), passkey.credentialID)
          return [passkey]
        }),
        before("getAuthenticator", (id) => [ids.get(fold(id)) ?? id]),
      )(good)
    },
    fails: ["credentialID is told apart by case"],
  },
  {
    name: "listAuthenticatorsByUserId lists one",
    breaks: after("listAuthenticatorsByUserId", (list) => list.slice(0, 1)),
    fails: ["listAuthenticatorsByUserId lists all of one user, and nobody else's"],
  },
  {
    name: "listAuthenticatorsByUserId lists everybody's",
    breaks: (good) => {
      const all: AdapterAuthenticator[] = []
      return together(
        after("createAuthenticator", (passkey) => {
          all.push(passkey)
          return passkey
        }),
        instead("listAuthenticatorsByUserId", () => all),
      )(good)
    },
    fails: ["listAuthenticatorsByUserId lists all of one user, and nobody else's"],
  },
  {
    name: "updateAuthenticatorCounter throws for a known id",
    breaks: instead("updateAuthenticatorCounter", () => Promise.reject(new Error("no row"))),
    fails: ["updateAuthenticatorCounter changes the counter and gives the row"],
  },
  {
    name: "updateAuthenticatorCounter does not store",
    breaks: instead("updateAuthenticatorCounter", async (good, id, counter) => ({
      ...((await good.getAuthenticator(id)) ?? (await Promise.reject(new Error("no row")))),
      counter,
    })),
    fails: ["updateAuthenticatorCounter changes the counter and gives the row"],
  },
  {
    name: "passkeys outlive their user",
    breaks: (good) => {
      const all = new Map<string, AdapterAuthenticator>()
      return together(
        after("createAuthenticator", (passkey) => {
          all.set(passkey.credentialID, passkey)
          return passkey
        }),
        after("getAuthenticator", (found, id) => found ?? all.get(id) ?? null),
      )(good)
    },
    fails: ["deleteUser removes the user's passkeys"],
  },
  {
    name: "getAuthenticator gives the stored object",
    breaks: after("getAuthenticator", cached()),
    fails: ["a passkey that was returned can be changed without changing the store"],
  },
]
