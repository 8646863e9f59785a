/** Clears away what has expired, now and then, without anybody waiting for it. */
import type { Adapter } from "../../adapters/contract.js"
import { adapterError } from "../storage/adapter-error.js"
import type { LoggerInstance } from "../types.js"

/** At most this often, in milliseconds. */
const pause = 60 * 60 * 1000

// When each adapter was swept last. Losing an entry costs one sweep.
const sweptAt = new WeakMap<Adapter, number>()

export interface SweepOptions {
  readonly logger: Pick<LoggerInstance, "error">
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** A sweep of an adapter that can; to be called when something was written anyway. Never throws. */
export function createSweep(adapter: Adapter | undefined, { logger, now }: SweepOptions): () => void {
  return () => {
    if (!adapter?.deleteExpired || now() - (sweptAt.get(adapter) ?? -Infinity) < pause) return
    sweptAt.set(adapter, now())
    deleteExpired(adapter, new Date(now())).catch((error: unknown) => {
      logger.error(adapterError("deleteExpired", error, []))
    })
  }
}

async function deleteExpired(adapter: Adapter, now: Date): Promise<void> {
  await adapter.deleteExpired?.(now)
}
