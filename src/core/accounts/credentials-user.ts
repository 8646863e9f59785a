/** Makes sure that whom a credentials provider lets in is a user of the store, where their session is to be kept there. */
import type { AdapterUser } from "../../adapters/contract.js"
import { AccountNotLinked, AdapterError } from "../errors.js"
import { readUser, requireUser } from "../storage/records.js"
import type { Account, User } from "../types.js"
import { removeUser, type Means } from "./apply.js"
import { canonicalEmail } from "./email.js"
import { isSameUser } from "./decide.js"
import { findNamesake } from "./settle.js"

/**
 * Finds the user by the id that `authorize` returned, or creates them under it.
 * @throws AccountNotLinked when another user has the e-mail address; AdapterError when the store fails or gives users
 * ids of its own.
 */
export async function storeCredentialsUser(user: User, { provider }: Account, means: Means): Promise<void> {
  const { store } = means
  const id = user.id ?? ""
  if (readUser(await store.getUser(id), "getUser")) return
  const email = user.email ? canonicalEmail(user.email) : user.email
  if (email && (await findNamesake(email, store))) throw new AccountNotLinked(emailTaken, { cause: { provider } })

  const created = await createUser({ ...user, id, email, emailVerified: null } as AdapterUser, means)
  if (!created) return
  if (isSameUser(created, { id })) return means.emit("createUser", { user: created })
  await removeUser(created, means)
  throw new AdapterError(ownIds)
}

/** `null` when somebody else was faster, such as the same person at another server. */
async function createUser(user: AdapterUser, { store }: Means): Promise<AdapterUser | null> {
  try {
    return requireUser(await store.createUser(user), "createUser")
  } catch (error) {
    if (readUser(await store.getUser(user.id), "getUser")) return null
    throw error
  }
}

const emailTaken =
  "authorize returned the e-mail address of a stored user under another id: return the stored user if it is the same person"
const ownIds =
  "authorize returned an id that the store does not have, and the store gives users ids of its own: create the user in authorize, and return it as stored"
