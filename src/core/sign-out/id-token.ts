/** The ID token that says to a provider whose session is to end. */
import type { AdapterAccount } from "../../adapters/contract.js"
import { unverifiedClaims } from "../crypto/unverified.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { Scope } from "../engine/scope.js"
import { readKept } from "../provider-tokens/kept.js"
import { requireList } from "../storage/records.js"

/** An ID token that was kept, and whose it is. */
export interface KeptIdToken {
  readonly provider: OAuthProvider
  readonly idToken: string
}

/**
 * The newest ID token of whoever is signed in; only of `wanted`, where that is given. To be asked for before the session
 * ends. They are kept with the accounts of the store, or by the browser.
 * @throws AdapterError, SessionTokenError, JWTSessionError when store or callback fail.
 */
export async function findIdToken(
  engine: Engine,
  scope: Scope,
  wanted: OAuthProvider | undefined,
): Promise<KeptIdToken | undefined> {
  const accounts = [...(await storedAccounts(engine, scope)), ...(await keptAccounts(engine, scope))]
  const kept = accounts.flatMap((account) => keptBy(engine, account))
  const eligible = wanted ? kept.filter(({ provider }) => provider === wanted) : kept
  return eligible.toSorted((one, other) => issuedAt(other) - issuedAt(one))[0]
}

async function storedAccounts(
  { store, sessions }: Engine,
  { session }: Scope,
): Promise<readonly Partial<AdapterAccount>[]> {
  if (!store?.has("listAccountsByUserId")) return []
  const user = await sessions.currentUser(session)
  return user ? requireList(await store.listAccountsByUserId(user.id), "listAccountsByUserId") : []
}

async function keptAccounts(engine: Engine, scope: Scope): Promise<readonly Partial<AdapterAccount>[]> {
  const { accounts = {} } = (await readKept(engine, scope)) ?? {}
  return Object.entries(accounts).map(([provider, tokens]) => ({ ...tokens, provider }))
}

function keptBy(engine: Engine, { provider: id, id_token }: Partial<AdapterAccount>): readonly KeptIdToken[] {
  const provider = oidcProvider(engine, id)
  return provider && typeof id_token === "string" && id_token !== "" ? [{ provider, idToken: id_token }] : []
}

function issuedAt({ idToken }: KeptIdToken): number {
  const { iat } = unverifiedClaims(idToken) ?? {}
  return typeof iat === "number" ? iat : 0
}

/** The OpenID Connect provider with this id. */
export function oidcProvider({ providers }: Pick<Engine, "providers">, id: unknown): OAuthProvider | undefined {
  const provider = typeof id === "string" ? providers.get(id) : undefined
  return provider?.type === "oidc" ? provider : undefined
}
