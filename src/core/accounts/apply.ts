/** Carries a decision out. What it writes together is there together, or not at all. */
import type { AdapterUser, NewAccount } from "../../adapters/contract.js"
import { AccountNotLinked, AdapterError, OAuthAccountNotLinked } from "../errors.js"
import { readUser, requireUser } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import { asError } from "../thrown.js"
import type { Account, LoggerInstance, User } from "../types.js"
import { unreachable } from "../unreachable.js"
import { isSameUser, type Decision, type Refusal } from "./decide.js"
import { findOwner } from "./owner.js"

/** Who signs in, as the store is to know them. */
export interface Newcomer {
  /** What `createUser` gets. */
  readonly user: AdapterUser
  /** What `linkAccount` gets, but for the user's id. */
  readonly account: NewAccount
  /** The user as the provider's `profile` gave them, for the `linkAccount` event. */
  readonly profile: User
}

export interface Means {
  readonly store: Store
  readonly logger: Pick<LoggerInstance, "error">
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** The user that is signed in, and what the application is to be told of it, in order. */
export interface Admission {
  readonly user: AdapterUser
  readonly isNewUser: boolean
  readonly events: readonly AccountEvent[]
}

export type AccountEvent =
  | { readonly name: "createUser" | "updateUser"; readonly message: { readonly user: AdapterUser } }
  | {
      readonly name: "linkAccount"
      readonly message: { readonly user: AdapterUser; readonly account: Account; readonly profile: User }
    }

/** @throws OAuthAccountNotLinked, AccountNotLinked when the decision is to refuse; AdapterError when the store fails. */
export async function apply(decision: Decision, newcomer: Newcomer, means: Means): Promise<Admission> {
  switch (decision.kind) {
    case "refuse":
      throw refusal(decision.reason, newcomer.account)
    case "sign-in":
      await keepTokens(newcomer, means)
      return { user: decision.user, isNewUser: false, events: [] }
    case "verify":
      return verify(decision.user, means)
    case "link":
      return link(decision.user, decision.isNewUser, newcomer, means)
    case "create":
      return newcomer.account.type === "email" ? create(newcomer, means) : createWithAccount(newcomer, means)
    default:
      return unreachable(decision, "decision")
  }
}

const refusals: Readonly<Record<Refusal, string>> = {
  "account-taken": "The account belongs to another user",
  "email-taken":
    "Another user has this e-mail address: they sign in as before, and link this account while they are signed in",
}

function refusal(reason: Refusal, { type, provider }: NewAccount): Error {
  const NotLinked = type === "webauthn" ? AccountNotLinked : OAuthAccountNotLinked
  return new NotLinked(refusals[reason], { cause: { provider } })
}

/** The tokens of this sign-in replace those of the last. It does not depend on them. */
async function keepTokens({ account }: Newcomer, { store, logger }: Means): Promise<void> {
  try {
    if (store.has("updateAccount")) await store.updateAccount(account)
  } catch (error) {
    logger.error(asError(error))
  }
}

async function verify({ id }: AdapterUser, { store, now }: Means): Promise<Admission> {
  const user = requireUser(await store.updateUser({ id, emailVerified: new Date(now()) }), "updateUser")
  return { user, isNewUser: false, events: [{ name: "updateUser", message: { user } }] }
}

async function link(user: AdapterUser, isNewUser: boolean, newcomer: Newcomer, means: Means): Promise<Admission> {
  await means.store.linkAccount({ ...newcomer.account, userId: user.id })
  return { user, isNewUser, events: [...(isNewUser ? [created(user)] : []), linked(user, newcomer)] }
}

async function create({ user: given }: Newcomer, { store }: Means): Promise<Admission> {
  const user = requireUser(await store.createUser(given), "createUser")
  return { user, isNewUser: true, events: [created(user)] }
}

async function createWithAccount(newcomer: Newcomer, means: Means): Promise<Admission> {
  const user = (await createAtOnce(newcomer, means)) ?? (await createOneByOne(newcomer, means))
  return admitNewUser(user, newcomer)
}

export function admitNewUser(user: AdapterUser, newcomer: Newcomer): Admission {
  return { user, isNewUser: true, events: [created(user), linked(user, newcomer)] }
}

async function createAtOnce({ user, account }: Newcomer, { store }: Means): Promise<AdapterUser | null> {
  if (!store.has("createUserWithAccount")) return null
  return readUser(await store.createUserWithAccount(user, account), "createUserWithAccount")
}

async function createOneByOne({ user: given, account }: Newcomer, means: Means): Promise<AdapterUser> {
  const { store } = means
  const user = requireUser(await store.createUser(given), "createUser")
  try {
    await store.linkAccount({ ...account, userId: user.id })
    return user
  } catch (error) {
    // The account may have been written all the same, and only the answer lost.
    if (await isLinked(user, account, means)) return user
    throw (await removeUser(user, means)) ? error : new UnlinkedUser(user, asError(error))
  }
}

/** A user was stored, but not their account, and could not be removed either. */
export class UnlinkedUser extends AdapterError {
  constructor(
    readonly user: AdapterUser,
    err: Error,
  ) {
    super("The user was stored, but not the account", { cause: { err } })
  }
}

async function isLinked(user: AdapterUser, account: NewAccount, { store }: Means): Promise<boolean> {
  try {
    const owner = await findOwner(store, account)
    return owner !== null && isSameUser(owner, user)
  } catch {
    return false
  }
}

/** A user without an account would stand in the way of the next attempt. Whether they are gone. */
export async function removeUser({ id }: AdapterUser, { store, logger }: Means): Promise<boolean> {
  if (!store.has("deleteUser")) return false
  try {
    await store.deleteUser(id)
    return true
  } catch (error) {
    logger.error(asError(error))
    return false
  }
}

export function created(user: AdapterUser): AccountEvent {
  return { name: "createUser", message: { user } }
}

/** As the contract has it, the event's account says nothing of the user, who is told beside it. */
function linked(user: AdapterUser, { account, profile }: Newcomer): AccountEvent {
  return { name: "linkAccount", message: { user, account, profile } }
}
