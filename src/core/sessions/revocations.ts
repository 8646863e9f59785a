/** The application's memory of ended sessions as the core asks it: in time, and never taken for an answer when it gave none. */
import type { Revocations } from "../../adapters/contract.js"
import { within } from "../deadline.js"
import { AdapterError } from "../errors.js"
import { momentOf } from "../storage/records.js"
import { asError } from "../thrown.js"

export interface EndedSessions {
  /** @throws AdapterError */
  revoke(key: string, at: Date, expires: Date): Promise<void>
  /** Whether one of `keys` was ended at `since` or later, in milliseconds since the epoch. @throws AdapterError */
  hasEnded(keys: readonly string[], since: number): Promise<boolean>
}

/** @param timeout Seconds that one question may take. */
export function endedSessions(revocations: Revocations, timeout: number): EndedSessions {
  async function ask<T>(method: keyof Revocations, run: () => Promise<T>): Promise<T> {
    try {
      return await within(timeout, run(), () => new Error(`no answer within ${timeout} s`))
    } catch (error) {
      throw new AdapterError(`session.revocations.${method} failed`, { cause: { err: asError(error) } })
    }
  }

  return {
    revoke: (key, at, expires) => ask("revoke", async () => revocations.revoke(key, at, expires)),
    hasEnded: (keys, since) =>
      ask("revokedAt", async () => {
        const ended: unknown = await revocations.revokedAt(keys)
        if (ended === null || ended === undefined) return false
        const moment = momentOf(ended)
        if (!moment) throw new TypeError("it must give a Date, or null")
        return moment.getTime() >= since
      }),
  }
}
