/**
 * Who is refreshing, told through the stored refresh token itself: there is one place that every server sees, and that can
 * be compared and set at once. While one refreshes, a lease with the token in it stands in the token's place.
 */
import type { AdapterAccount } from "../../adapters/contract.js"
import type { Engine } from "../engine/engine.js"
import { AdapterError } from "../errors.js"
import { definedOnly } from "../config/merge.js"
import type { Store } from "../storage/store.js"
import { asError } from "../thrown.js"

/** A lease of ours. */
export interface Lease {
  /** What stands in the store. */
  readonly text: string
  readonly refreshToken: string
}

const form = /^latchkey-refreshing;(\d{1,16});[0-9a-f-]{36};(.+)$/s

/** The lease in a stored refresh token, if somebody has put one there. Who has not finished in time never will. */
export function readLease(
  engine: Engine,
  stored: string | null | undefined,
): { readonly refreshToken: string; readonly isHeld: boolean } | undefined {
  const [, until, refreshToken] = form.exec(stored ?? "") ?? []
  if (refreshToken === undefined) return undefined
  const left = Number(until) - engine.ports.now()
  // Nobody takes one for longer than a refresh may take, however far servers' clocks are apart.
  return { refreshToken, isHeld: left > 0 && left <= 2 * leaseMs(engine) }
}

/** How long a refresh may take, in milliseconds: discovery, the keys, the token endpoint, and the store. */
export function leaseMs({ timeouts }: Engine): number {
  return (3 * timeouts.provider + timeouts.adapter) * 1000
}

/** Sets a lease in place of the refresh token that was read; `undefined` when another server was faster. */
export async function leaseAccount(
  engine: Engine,
  store: Store,
  { provider, providerAccountId, refresh_token }: AdapterAccount,
  refreshToken: string,
): Promise<Lease | undefined> {
  // Each is another text, so that a server never takes another one's for its own.
  const until = engine.ports.now() + leaseMs(engine)
  const text = `latchkey-refreshing;${until};${crypto.randomUUID()};${refreshToken}`
  const change = { provider, providerAccountId, refresh_token: text }
  const taken = await store.updateAccount(change, { refresh_token: refresh_token ?? null })
  return taken ? { text, refreshToken } : undefined
}

interface Leased {
  readonly engine: Engine
  readonly store: Store
  readonly account: AdapterAccount
  readonly lease: Lease
}

/** Milliseconds between attempts: a rotated refresh token that is lost cannot be had again. */
const pauses = [50, 250, 1000, 3000]

/** Writes in place of the lease. `overtaken`: a sign-in has brought new tokens meanwhile. `failed`: the store does. */
export async function saveTokens(
  { engine, store, account, lease }: Leased,
  change: Partial<AdapterAccount>,
  refreshToken: string | undefined,
): Promise<"saved" | "overtaken" | "failed"> {
  const update = updateOf(account, change, refreshToken)
  for (const pause of [...pauses, undefined]) {
    try {
      const saved = await store.updateAccount(update, { refresh_token: lease.text })
      return saved === null ? "overtaken" : "saved"
    } catch (error) {
      engine.logger.error(new AdapterError("Refreshed tokens could not be saved", { cause: { err: asError(error) } }))
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return "failed"
}

/** The contract's types have no `null`, which is how stores take a value away. */
function updateOf(
  { provider, providerAccountId, expires_at }: AdapterAccount,
  change: Partial<AdapterAccount>,
  refreshToken: string | undefined,
): AdapterAccount {
  const isNewToken = change.access_token !== undefined
  // The moment at which an earlier token expired says nothing of this one.
  const expiry = isNewToken && change.expires_at === undefined && expires_at ? { expires_at: null } : {}
  const { userId: _notTheirs, ...kept } = change
  return {
    ...definedOnly(kept),
    ...expiry,
    provider,
    providerAccountId,
    refresh_token: refreshToken ?? null,
  } as unknown as AdapterAccount
}
