/** Settles whose account it is that somebody has signed in with: gathers the facts, decides, and acts. */
import type { AdapterUser } from "../../adapters/contract.js"
import { AdapterError } from "../errors.js"
import { readUser, requireList } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import type { Profile } from "../types.js"
import { admitNewUser, apply, UnlinkedUser, type Admission, type Means, type Newcomer } from "./apply.js"
import { decide, isSameUser, type AccountFacts, type Decision, type EmailTrust } from "./decide.js"
import { canonicalEmail, isEmail, isPlainEmail, isUnverified } from "./email.js"
import { findOwner } from "./owner.js"
import { isUserIdOf } from "./user-id.js"

/** What a configuration says of e-mail addresses. */
export interface Reliance {
  /** Ids of the providers that have `allowDangerousEmailAccountLinking`. */
  readonly trustedProviders: ReadonlySet<string>
  /** Users may sign in by credentials, of which the store does not tell. */
  readonly mayHavePassword: boolean
}

export interface Case extends Reliance {
  readonly newcomer: Newcomer
  /** The user of the live session that this sign-in was started in. */
  readonly current: AdapterUser | null
  /** What the provider says of the person. */
  readonly claims: Profile | undefined
  /** The e-mail address as the provider wrote it. */
  readonly statedEmail: string | null | undefined
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linksByEmail: boolean
  /** Newest first. */
  readonly secrets: readonly string[]
}

/**
 * The user that the account belongs to from now on.
 * @throws OAuthAccountNotLinked, AccountNotLinked when account or address belong to another user; AdapterError when the
 * store fails.
 */
export async function settle(given: Case, means: Means): Promise<Admission> {
  const decision = decide(await gatherFacts(given, means.store))
  try {
    return await apply(decision, given.newcomer, means)
  } catch (error) {
    if (!(error instanceof AdapterError)) throw error
    // Somebody else may have been faster, or an earlier write was made and its answer lost: what is there now decides.
    const made = [given.newcomer.user, ...(error instanceof UnlinkedUser ? [error.user] : [])]
    const again = await decideAgain(given, means.store, made)
    if (again === undefined || again.kind === decision.kind) throw error
    if (again.kind === "sign-in" && isAmong(made, again.user)) return admitNewUser(again.user, given.newcomer)
    return apply(again, given.newcomer, means)
  }
}

async function decideAgain(given: Case, store: Store, made: readonly AdapterUser[]): Promise<Decision | undefined> {
  try {
    return decide(await gatherFacts(given, store, made))
  } catch {
    // The first failure is the one to report.
    return undefined
  }
}

/** @param made Users that this very sign-in has made. */
async function gatherFacts(given: Case, store: Store, made: readonly AdapterUser[] = []): Promise<AccountFacts> {
  const { current, newcomer } = given
  const owner = await findOwner(store, newcomer.account)
  const { email } = newcomer.user as { readonly email?: string | null }
  const namesake = !owner && !current && email ? await findNamesake(email, store) : null
  const isOwn = namesake !== null && isAmong(made, namesake)
  const trust = isOwn ? "unfinished" : namesake ? await trustIn(namesake, given, store) : "none"
  return { kind: "account", current, owner, namesake, trust }
}

function isAmong(users: readonly AdapterUser[], user: AdapterUser): boolean {
  return users.some((each) => isSameUser(each, user))
}

/** The user with an e-mail address. @throws AdapterError when the store comes with somebody else. */
export async function findNamesake(email: string, store: Store): Promise<AdapterUser | null> {
  const found = readUser(await store.getUserByEmail(email), "getUserByEmail")
  const theirs: unknown = found?.email
  if (!found || (typeof theirs === "string" && canonicalEmail(theirs) === canonicalEmail(email))) return found
  throw new AdapterError("The adapter's getUserByEmail returned a user with another e-mail address")
}

async function trustIn(namesake: AdapterUser, given: Case, store: Store): Promise<EmailTrust> {
  if (await isUnfinished(namesake, given, store)) return "unfinished"
  const { linksByEmail, claims, statedEmail } = given
  if (!linksByEmail || isUnverified(claims) || !isEmail(statedEmail) || !isPlainEmail(statedEmail)) return "none"
  return (await isOwnerOfAddress(namesake, given, store)) ? "opted-in" : "none"
}

/**
 * Whether the namesake came by the address honestly: they have proved it, or have come from providers alone whose
 * addresses are relied on. Anybody can register with somebody else's address where nobody asks, and wait for its owner to
 * be linked to them.
 */
async function isOwnerOfAddress({ id, emailVerified }: AdapterUser, given: Case, store: Store): Promise<boolean> {
  if (emailVerified) return true
  if (given.mayHavePassword) return false
  if (!store.has("listAccountsByUserId")) return true
  const accounts = requireList(await store.listAccountsByUserId(id), "listAccountsByUserId")
  return accounts.every(({ provider }) => given.trustedProviders.has(provider))
}

/**
 * Whether a sign-in with this very account created the user and then broke off. Only where it is known that they cannot
 * sign in by any other way: somebody may have unlinked this account, and whoever has it must not get in again.
 */
async function isUnfinished({ id, emailVerified }: AdapterUser, given: Case, store: Store): Promise<boolean> {
  const { newcomer, secrets, mayHavePassword } = given
  if (emailVerified || mayHavePassword || !store.has("listAccountsByUserId")) return false
  if (!(await isUserIdOf(secrets, newcomer.account, id))) return false
  const sessions = store.has("listSessionsByUserId") ? await store.listSessionsByUserId(id) : []
  const accounts = await store.listAccountsByUserId(id)
  return [requireList(sessions, "listSessionsByUserId"), requireList(accounts, "listAccountsByUserId")].every(
    ({ length }) => length === 0,
  )
}
