/** Tokens that the store keeps with the account. Of all servers, one refreshes; the others wait for what it gets. */
import type { AdapterAccount } from "../../adapters/contract.js"
import { definedOnly } from "../config/merge.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { AdapterError, type AuthError, ReauthenticationRequired, TokenRefreshError } from "../errors.js"
import { requireList } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import { asError } from "../thrown.js"
import type { KeptTokens } from "../types.js"
import { unreachable } from "../unreachable.js"
import { readClaim, writeClaim, type Claim } from "./claim.js"
import { refreshTokens, type Refreshed } from "./refresh.js"
import { lasts, pickTokens, type AccessTokenOptions } from "./tokens.js"

export interface RecordRequest {
  readonly engine: Engine
  readonly store: Store
  readonly provider: OAuthProvider
  readonly userId: string
  readonly options: AccessTokenOptions
}

/**
 * The tokens of the user's account, refreshed if need be.
 * @returns `somebody else` when the provider's answer is about another person.
 * @throws ReauthenticationRequired, TokenRefreshError, AdapterError
 */
export async function tokensFromRecord(request: RecordRequest): Promise<KeptTokens | "somebody else"> {
  const { engine, store, provider } = request
  const account = await findAccount(request)
  if (isGood(request, account)) return pickTokens(account)
  const key = JSON.stringify([provider.id, account.providerAccountId, request.userId])
  return engine.ports.refreshes.join(store.adapter, key, () => renew({ ...request, account }))
}

function isGood({ engine, options }: RecordRequest, account: AdapterAccount): boolean {
  return !options.refresh && lasts(pickTokens(account), options.minimumValidity ?? 30, engine.ports.now())
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

async function renew(renewal: Renewal): Promise<KeptTokens | "somebody else"> {
  const { engine, provider, account, options } = renewal
  const request = { ...renewal, options: { ...options, providerAccountId: account.providerAccountId } }
  const giveUpAt = engine.ports.now() + 2 * claimMs(engine)
  while (engine.ports.now() < giveUpAt) {
    const stored = await findAccount(request)
    const tokens = pickTokens(stored)
    const isUnexpired = lasts(tokens, 0, engine.ports.now())
    const isRenewed = isUnexpired && stored.access_token !== account.access_token
    if (isRenewed || isGood(request, stored)) return tokens

    const isUsable = isUnexpired && !options.refresh
    const claim = readClaim(stored.refresh_token)
    if (claim && isHeld(engine, claim)) {
      if (isUsable) return tokens
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      continue
    }
    const refreshToken = claim?.refreshToken ?? stored.refresh_token
    if (!refreshToken && isUsable) return tokens
    if (!refreshToken) throw new ReauthenticationRequired(provider.id, "no-refresh-token")
    const mine = await claimAccount(request, stored, refreshToken)
    if (mine !== undefined) return exchange({ ...request, account: stored }, { mine, refreshToken })
  }
  throw new TokenRefreshError("Another server was refreshing all the time")
}

/** Nobody claims for longer than a refresh may take, however far servers' clocks are apart. */
function isHeld(engine: Engine, { until }: Claim): boolean {
  const left = until - engine.ports.now()
  return left > 0 && left <= 2 * claimMs(engine)
}

/** How long a refresh may take: discovery, the keys, the token endpoint, and the store. */
function claimMs({ timeouts }: Engine): number {
  return (3 * timeouts.provider + timeouts.adapter) * 1000
}

/** Sets our claim in place of what was read; `undefined` when another server was faster. */
async function claimAccount(
  { engine, store }: RecordRequest,
  { provider, providerAccountId, refresh_token }: AdapterAccount,
  refreshToken: string,
): Promise<string | undefined> {
  const mine = writeClaim({ until: engine.ports.now() + claimMs(engine), refreshToken })
  const change = { provider, providerAccountId, refresh_token: mine }
  const claimed = await store.updateAccount(change, { refresh_token: refresh_token ?? null })
  return claimed ? mine : undefined
}

interface Held {
  /** The claim that stands in the store. */
  readonly mine: string
  readonly refreshToken: string
}

async function exchange(renewal: Renewal, held: Held): Promise<KeptTokens | "somebody else"> {
  const { provider, account } = renewal
  const kept = { ...pickTokens(account), refresh_token: held.refreshToken }
  const refreshed = await refreshOrRelease(renewal, kept, held)
  switch (refreshed.kind) {
    case "fresh":
      await save(renewal, held, refreshed.tokens)
      return refreshed.tokens
    case "refused":
      // Where somebody has signed in meanwhile, there are tokens again.
      if (!(await save(renewal, held, { refresh_token: undefined }))) return renew(renewal)
      return keepOrThrow(renewal, kept, new ReauthenticationRequired(provider.id, "refused"))
    case "somebody else":
      await save(renewal, held, { refresh_token: undefined })
      return "somebody else"
    case "failed":
      return keepOrThrow(renewal, kept, refreshed.error)
    default:
      return unreachable(refreshed, "outcome of a refresh")
  }
}

/** What has not expired yet will do for now. */
function keepOrThrow({ engine, options }: Renewal, kept: KeptTokens, error: AuthError): KeptTokens {
  if (options.refresh || !lasts(kept, 0, engine.ports.now())) throw error
  engine.logger.error(error)
  return kept
}

type Attempt = Refreshed | { readonly kind: "failed"; readonly error: TokenRefreshError }

async function refreshOrRelease(renewal: Renewal, kept: KeptTokens, held: Held): Promise<Attempt> {
  const { engine, provider } = renewal
  try {
    return await refreshTokens(engine, provider, kept)
  } catch (error) {
    // Nothing says that the refresh token was used, so it is there for whoever tries next.
    await save(renewal, held, { refresh_token: held.refreshToken })
    const message = `The access token of "${provider.id}" could not be refreshed`
    return { kind: "failed", error: new TokenRefreshError(message, { cause: { err: asError(error) } }) }
  }
}

/** Milliseconds between attempts to save: a rotated refresh token that is lost cannot be had again. */
const savePauses = [50, 250, 1000, 3000]

/** Writes in place of our claim. `false` when a sign-in has brought new tokens meanwhile, or the store fails and fails. */
async function save({ engine, store, account }: Renewal, { mine }: Held, tokens: KeptTokens): Promise<boolean> {
  const { provider, providerAccountId } = account
  // The contract's types have no `null`, which is how a token is taken away.
  const change = { ...definedOnly(tokens), provider, providerAccountId, refresh_token: tokens.refresh_token ?? null }
  for (const pause of [...savePauses, undefined]) {
    try {
      return (
        (await store.updateAccount(change as Partial<AdapterAccount> & typeof account, { refresh_token: mine })) !==
        null
      )
    } catch (error) {
      engine.logger.error(new AdapterError("Refreshed tokens could not be saved", { cause: { err: asError(error) } }))
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return false
}
