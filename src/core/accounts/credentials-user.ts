/** Makes sure that whom a credentials provider lets in is a user of the store, where their session is to be kept there. */
import type { AdapterUser } from "../../adapters/contract.js"
import { AccountNotLinked, AdapterError } from "../errors.js"
import { readUserOf, requireUser } from "../storage/records.js"
import type { Account, User } from "../types.js"
import { created, removeUser, type Admission, type Means } from "./apply.js"
import { canonicalEmail } from "./email.js"
import { isSameUser } from "./decide.js"
import { findNamesake } from "./settle.js"

/**
 * Finds the user by the id that `authorize` returned, or creates them under it.
 * @throws AccountNotLinked when another user has the e-mail address; AdapterError when the store fails or gives users
 * ids of its own.
 */
export async function storeCredentialsUser(user: User, account: Account, means: Means): Promise<Admission> {
  const { store } = means
  const { providerAccountId: id } = account
  const known = await findUser(id, means)
  if (known) return { user: known, isNewUser: false, events: [] }
  const email = user.email && canonicalEmail(user.email)
  const namesake = email ? await findNamesake(email, store) : null
  // Another server may have stored this very user since the first look.
  if (namesake && isSameUser(namesake, { id })) return { user: namesake, isNewUser: false, events: [] }
  if (namesake) throw new AccountNotLinked(emailTaken, { cause: { provider: account.provider } })

  const admission = await createOrFind(
    { ...user, id, email, emailVerified: null } as AdapterUser,
    account.provider,
    means,
  )
  // The store may write the same id in another way, such as a UUID in small letters.
  if (isSameUser(admission.user, { id }) || (await findUser(id, means))) return admission
  await removeUser(admission.user, means)
  throw new AdapterError(ownIds)
}

async function findUser(id: string, { store }: Means): Promise<AdapterUser | null> {
  return readUserOf(id, await store.getUser(id))
}

/** Somebody else may have been faster, such as the same person at another server. */
async function createOrFind(given: AdapterUser, provider: string, means: Means): Promise<Admission> {
  try {
    const user = requireUser(await means.store.createUser(given), "createUser")
    return { user, isNewUser: true, events: [created(user)] }
  } catch (error) {
    const user = await findUser(given.id, means)
    if (user) return { user, isNewUser: false, events: [] }
    const isTaken = given.email && (await findNamesake(given.email, means.store))
    throw isTaken ? new AccountNotLinked(emailTaken, { cause: { provider } }) : error
  }
}

const emailTaken =
  "authorize returned the e-mail address of a stored user under another id: return the stored user if it is the same person"
const ownIds =
  "authorize returned an id that the store does not have, and the store gives users ids of its own: create the user in authorize, and return it as stored"
