/**
 * Undoes what a failed sign-in has written after all, when nobody waited for it any more. A user without an account would
 * keep the person out by their own address, and so would an account whose user is gone.
 */
import type { AdapterUser } from "../../adapters/contract.js"
import { readUser, requireList } from "../storage/records.js"
import { LateAnswer } from "../storage/late-answer.js"
import { asError } from "../thrown.js"
import { removeUser, type Means } from "./apply.js"
import { isSameUser } from "./decide.js"
import { findOwner } from "./owner.js"
import type { Case } from "./settle.js"

type Sign = Pick<Case, "newcomer" | "mayHavePassword" | "trustedProviders">

/**
 * @param error What the sign-in failed with.
 * @param inTurn Runs something when no other sign-in with this account or address is under way in this process.
 */
export async function undoLate(
  error: unknown,
  given: Sign,
  means: Means,
  inTurn: (run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (!(error instanceof LateAnswer)) return
  const made = await error.answer().catch(() => undefined)
  try {
    await inTurn(() => undo(error.method, made, given, means))
  } catch (failure) {
    means.logger.error(asError(failure))
  }
}

async function undo(method: string, made: unknown, given: Sign, means: Means): Promise<void> {
  if (method === "createUser") {
    const user = readUser(made, method)
    if (user && !(await isTheirs(user, given, means))) await removeUser(user, means)
  } else if (method === "linkAccount") await unlinkFromNobody(given, means)
}

/** Whether anybody may have come to be this user since. Where the store cannot tell, they may. */
async function isTheirs({ id }: AdapterUser, given: Sign, { store }: Means): Promise<boolean> {
  const owner = await findOwner(store, given.newcomer.account)
  const user = readUser(await store.getUser(id), "getUser")
  if (!user || user.emailVerified || given.mayHavePassword || (owner && isSameUser(owner, user))) return true
  if (!store.has("listAccountsByUserId")) return given.trustedProviders.size > 0
  const accounts = await store.listAccountsByUserId(id)
  return requireList(accounts, "listAccountsByUserId").length > 0
}

async function unlinkFromNobody({ newcomer: { account } }: Sign, { store }: Means): Promise<void> {
  if (!store.has("unlinkAccount") || (await findOwner(store, account))) return
  const { provider, providerAccountId } = account
  await store.unlinkAccount({ provider, providerAccountId })
}
