/** Finds, creates or links the user that an identity belongs to. */
import type { AdapterUser, NewAccount } from "../../adapters/contract.js"
import type { Means, Newcomer } from "../accounts/apply.js"
import { storeCredentialsUser } from "../accounts/credentials-user.js"
import { settle } from "../accounts/settle.js"
import { newUserId } from "../accounts/user-id.js"
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import { readUser } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import type { AdmittedIdentity, Identity } from "./identity.js"

/** The user that the identity's account belongs to already. Changes nothing. @throws AdapterError */
export async function findOwner({ store }: Pick<Engine, "store">, { account }: Identity): Promise<AdapterUser | null> {
  if (!store || account.type === "credentials") return null
  const { provider, providerAccountId } = account
  return readUser(await store.getUserByAccount({ provider, providerAccountId }), "getUserByAccount")
}

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
  const admission = await ports.turns.take(linesOf(identity), async () => {
    const current = await userWhoStarted(engine, scope, startedBy)
    return settle(await caseOf(engine, provider, identity, current), meansOf(engine, store))
  })
  return { ...identity, ...admission }
}

async function admitByCredentials(engine: Engine, identity: Identity): Promise<AdmittedIdentity> {
  const { store, sessions, ports } = engine
  const { user, account } = identity
  if (store && sessions.needsStoredUser) {
    const lines = [`user ${account.providerAccountId}`, ...emailLine(identity)]
    await ports.turns.take(lines, () => storeCredentialsUser(user, account, meansOf(engine, store)))
  }
  return { ...identity, isNewUser: false }
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
  engine: Engine,
  { linksByEmail }: OAuthProvider,
  identity: Identity,
  current: AdapterUser | null,
) {
  const { secrets } = engine
  return {
    newcomer: await newcomerOf(engine, identity),
    current,
    claims: identity.profile,
    statedEmail: identity.statedEmail,
    linksByEmail,
    secrets,
  }
}

async function newcomerOf({ providers, secrets: [secret = ""] }: Engine, identity: Identity): Promise<Newcomer> {
  const { user, account } = identity
  const { provider, providerAccountId, type } = account
  const source = providers.get(provider)
  const { provider: _provider, providerAccountId: _id, type: _type, userId: _userId, ...tokens } = account
  const { userId: _given, ...kept } = (source?.type !== "credentials" && (await source?.account(tokens))) || {}
  return {
    user: { ...user, id: await newUserId(secret, account), emailVerified: null } as AdapterUser,
    account: { ...kept, provider, providerAccountId, type } as NewAccount,
    profile: user,
  }
}

function meansOf(engine: Engine, store: Store): Means {
  const { logger, ports } = engine
  return { store, logger, now: ports.now, emit: (name, message) => emit(engine, name, message) }
}

/** Two sign-ins with one account, or with one address, would each find nothing and both write. */
function linesOf(identity: Identity): readonly string[] {
  const { provider, providerAccountId } = identity.account
  return [`account ${provider} ${providerAccountId}`, ...emailLine(identity)]
}

function emailLine({ user: { email } }: Identity): readonly string[] {
  return email ? [`email ${email}`] : []
}
