/** Finds, creates or links the user that an identity belongs to. */
import type { AdapterUser, NewAccount } from "../../adapters/contract.js"
import type { Admission, Means, Newcomer } from "../accounts/apply.js"
import { storeCredentialsUser } from "../accounts/credentials-user.js"
import { canonicalEmail, isEmail } from "../accounts/email.js"
import { settle, type Case } from "../accounts/settle.js"
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import { idText } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import type { AdmittedIdentity, Identity } from "./identity.js"

/**
 * @param startedBy Mark of the session that started this sign-in.
 * @throws OAuthAccountNotLinked, AccountNotLinked when account or address belong to another user; AdapterError when the
 * store fails.
 */
export async function admit(
  engine: Engine,
  scope: Scope,
  identity: Identity,
  startedBy: string | undefined,
): Promise<AdmittedIdentity> {
  const { store, ports } = engine
  const provider = engine.providers.get(identity.account.provider)
  if (!provider || provider.type === "credentials") return admitByCredentials(engine, identity)
  // Without storage there is nothing to find: the user is who the provider says.
  if (!store) return identity
  const current = await userWhoStarted(engine, scope, startedBy)
  const given = await caseOf(engine, provider, identity, current)
  const admission = await ports.turns.take(linesOf(identity), () => settle(given, meansOf(engine, store)))
  await tell(engine, admission)
  return { ...identity, user: admission.user, isNewUser: admission.isNewUser }
}

async function admitByCredentials(engine: Engine, identity: Identity): Promise<AdmittedIdentity> {
  const { store, sessions, ports } = engine
  const { user, account } = identity
  if (!store || !sessions.needsStoredUser) return { ...identity, isNewUser: false }
  if (identity.hasMadeUpId) throw new TypeError(needsId)
  const lines = [`user ${account.providerAccountId}`, ...emailLine(identity)]
  const run = () => storeCredentialsUser(user, account, meansOf(engine, store))
  const admission = await ports.turns.take(lines, run)
  await tell(engine, admission)
  return { ...identity, user: { ...user, id: idText(admission.user) }, isNewUser: false }
}

const needsId =
  "authorize must return a user with an id where sessions are kept in the database: without one, each sign-in would be somebody new"

/** Only when everything is written, and nobody waits in line: a handler may take its time. */
async function tell(engine: Engine, { events }: Admission): Promise<void> {
  for (const { name, message } of events) await emit(engine, name, message)
}

/** Accounts are linked to the user of the session that the sign-in was started in, and of no other. */
async function userWhoStarted(
  { sessions }: Engine,
  { session }: Scope,
  startedBy: string | undefined,
): Promise<AdapterUser | null> {
  const isSame = startedBy !== undefined && startedBy === (await sessions.mark(session))
  return isSame ? sessions.currentUser(session) : null
}

async function caseOf(
  { secrets, reliance }: Engine,
  provider: OAuthProvider,
  identity: Identity,
  current: AdapterUser | null,
): Promise<Case> {
  const { profile: claims, statedEmail } = identity
  const newcomer = await newcomerOf(provider, identity)
  const { linksByEmail } = provider
  return { newcomer, current, claims, statedEmail, linksByEmail, ...reliance, secrets }
}

async function newcomerOf(source: OAuthProvider, { user, account }: Identity): Promise<Newcomer> {
  const { provider, providerAccountId, type, ...tokens } = account
  const { userId: _notTheirs, ...kept } = (await source.account(tokens)) ?? {}
  return {
    user: { ...user, email: isEmail(user.email) ? user.email : undefined, emailVerified: null } as AdapterUser,
    account: { ...kept, provider, providerAccountId, type } as NewAccount,
    profile: user,
  }
}

function meansOf({ logger, ports }: Engine, store: Store): Means {
  return { store, logger, now: ports.now }
}

/** Two sign-ins with one account, or with one address, would each find nothing and both write. */
function linesOf(identity: Identity): readonly string[] {
  const { provider, providerAccountId } = identity.account
  return [`account ${provider} ${providerAccountId}`, ...emailLine(identity)]
}

function emailLine({ user: { email } }: Identity): readonly string[] {
  return email ? [`email ${canonicalEmail(email)}`] : []
}
