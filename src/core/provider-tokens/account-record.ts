/** Tokens that the store keeps with the account. Of all servers, one refreshes; the others wait for what it gets. */
import type { AdapterAccount } from "../../adapters/contract.js"
import type { Engine } from "../engine/engine.js"
import { createFlights } from "../engine/flights.js"
import type { OAuthProvider } from "../engine/providers.js"
import { ReauthenticationRequired, TokenRefreshError } from "../errors.js"
import { requireList } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import { asError } from "../thrown.js"
import type { KeptTokens, TokenSet } from "../types.js"
import { unreachable } from "../unreachable.js"
import { leaseAccount, leaseMs, readLease, saveTokens, type Lease } from "./lease.js"
import { refreshTokens } from "./refresh.js"
import { lasts, pickTokens, type AccessTokenOptions } from "./tokens.js"

interface RecordRequest {
  readonly engine: Engine
  readonly store: Store
  readonly provider: OAuthProvider
  readonly userId: string
  readonly options: AccessTokenOptions
}

/** What came of looking for a token that is good. `present` is the one that there was before. */
type Renewed =
  | { readonly kind: "tokens"; readonly tokens: KeptTokens }
  | {
      readonly kind: "failed"
      readonly present: KeptTokens
      readonly error: ReauthenticationRequired | TokenRefreshError
    }
  | { readonly kind: "subject-changed" }

// What is under way belongs to an adapter, and is gone with it.
const flights = createFlights<Renewed>()

/**
 * The tokens of the user's account, refreshed if need be; `subject-changed` when the provider's answer is about another
 * person.
 * @throws ReauthenticationRequired, TokenRefreshError, AdapterError
 */
export async function tokensFromRecord(request: RecordRequest): Promise<KeptTokens | "subject-changed"> {
  const { store, provider, userId, options } = request
  const account = await findAccount(request)
  if (isGood(request, account)) return pickTokens(account)

  const key = JSON.stringify([provider.id, account.providerAccountId, userId])
  const join = () => flights.join(store.adapter, key, () => renew({ ...request, account }))
  const joined = await join()
  // Who came before may have been content with the very token that the API has refused.
  const isRefused = options.refresh && joined.kind === "tokens" && joined.tokens.access_token === account.access_token
  return settle(request, isRefused ? await join() : joined)
}

function isGood({ engine, options }: RecordRequest, account: AdapterAccount): boolean {
  return !options.refresh && lasts(pickTokens(account), options.minimumValidity ?? 30, engine.ports.now())
}

/** What has not expired yet will do for now, but for those who know that it will not. */
function settle({ engine, options }: RecordRequest, renewed: Renewed): KeptTokens | "subject-changed" {
  if (renewed.kind === "tokens") return renewed.tokens
  if (renewed.kind === "subject-changed") return renewed.kind
  if (options.refresh || !lasts(renewed.present, 0, engine.ports.now())) throw renewed.error
  engine.logger.error(renewed.error)
  return renewed.present
}

async function findAccount({ store, provider, userId, options }: RecordRequest): Promise<AdapterAccount> {
  const all = requireList(await store.listAccountsByUserId(userId), "listAccountsByUserId")
  const [longest] = all
    .filter((account) => account.provider === provider.id)
    .filter(({ providerAccountId: id }) => id === (options.providerAccountId ?? id))
    .toSorted((one, other) => (pickTokens(other).expires_at ?? 0) - (pickTokens(one).expires_at ?? 0))
  if (longest) return longest
  throw new ReauthenticationRequired(provider.id, "not-linked")
}

interface Renewal extends RecordRequest {
  /** The account with the tokens that will not do. */
  readonly account: AdapterAccount
}

/** Milliseconds between two looks at what another server is refreshing. */
const pauseMs = 50

async function renew(renewal: Renewal): Promise<Renewed> {
  const { engine, provider, account, options } = renewal
  const request = { ...renewal, options: { ...options, providerAccountId: account.providerAccountId } }
  const giveUpAt = engine.ports.now() + 2 * leaseMs(engine)
  while (engine.ports.now() < giveUpAt) {
    const stored = await findAccount(request)
    const tokens = pickTokens(stored)
    const isUnexpired = lasts(tokens, 0, engine.ports.now())
    const isRenewed = isUnexpired && stored.access_token !== account.access_token
    if (isRenewed || isGood(request, stored)) return { kind: "tokens", tokens }

    const isUsable = isUnexpired && !options.refresh
    const lease = readLease(engine, stored.refresh_token)
    if (lease?.isHeld) {
      if (isUsable) return { kind: "tokens", tokens }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      continue
    }
    const refreshToken = lease?.refreshToken ?? stored.refresh_token
    if (isUsable && !canRefresh(provider, refreshToken)) return { kind: "tokens", tokens }
    if (!refreshToken || !canRefresh(provider, refreshToken)) {
      return { kind: "failed", present: tokens, error: new ReauthenticationRequired(provider.id, "no-refresh-token") }
    }
    const mine = await leaseAccount(engine, renewal.store, stored, refreshToken)
    if (mine) return exchange({ ...request, account: stored }, mine)
  }
  return {
    kind: "failed",
    present: pickTokens(account),
    error: new TokenRefreshError("Another server was refreshing all the time"),
  }
}

/** Whoever exchanges codes in a way of their own does not refresh in the usual one. */
function canRefresh({ token }: OAuthProvider, refreshToken: string | null | undefined): boolean {
  return Boolean(refreshToken) && !token.request
}

async function exchange(renewal: Renewal, lease: Lease): Promise<Renewed> {
  const { engine, store, provider, account } = renewal
  const present = { ...pickTokens(account), refresh_token: lease.refreshToken }
  const refreshed = await refreshTokens(engine, provider, present)
  const save = (change: Partial<AdapterAccount>, refreshToken: string | undefined) =>
    saveTokens({ engine, store, account, lease }, change, refreshToken)
  switch (refreshed.kind) {
    case "fresh": {
      const { refresh_token, ...change } = await accountFields(renewal, refreshed.tokens)
      await save(change, refresh_token)
      return { kind: "tokens", tokens: pickTokens(refreshed.tokens) }
    }
    case "refused":
      // Where somebody has signed in meanwhile, there are tokens again.
      if ((await save({}, undefined)) === "overtaken") return renew(renewal)
      return { kind: "failed", present, error: new ReauthenticationRequired(provider.id, "refused") }
    case "subject-changed":
      await save({}, undefined)
      return { kind: "subject-changed" }
    case "failed":
      // Nothing says that the refresh token was used, so it is there for whoever tries next.
      await save({}, lease.refreshToken)
      return { kind: "failed", present, error: refreshed.error }
    default:
      return unreachable(refreshed, "outcome of a refresh")
  }
}

/** What the application keeps of tokens. Where it cannot say, they are kept all the same: they are good once. */
async function accountFields({ engine, provider }: Renewal, tokens: TokenSet): Promise<TokenSet> {
  try {
    return (await provider.account(tokens)) ?? {}
  } catch (error) {
    engine.logger.error(asError(error))
    return pickTokens(tokens)
  }
}
