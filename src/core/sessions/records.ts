/** Database sessions as the store has them: found, prolonged, removed, with what the store may not know yet. */
import type { AdapterSession } from "../../adapters/contract.js"
import { isPromise } from "../awaitable.js"
import { SessionTokenError } from "../errors.js"
import type { StoredSession } from "../storage/records.js"
import type { Store } from "../storage/store.js"
import { asError } from "../thrown.js"
import type { Awaitable, LoggerInstance } from "../types.js"
import type { SessionNotes } from "./session-notes.js"

export interface RecordsOptions {
  /** Seconds. */
  readonly maxAge: number
  /** Seconds. */
  readonly updateAge: number
  readonly store: Store
  readonly notes: SessionNotes
  readonly logger: Pick<LoggerInstance, "error">
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Nothing else has ever been a token of ours, and a store should not see it. */
export function isTokenShaped(token: string): boolean {
  return token.length <= 1024 && /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(token)
}

/**
 * Whatever the store has under a token. Where it answers without a promise, so does this.
 * @throws SessionTokenError when the store fails: that is never taken for signed out.
 */
export function findRecord({ store }: RecordsOptions, token: string): Awaitable<unknown> {
  const fail = (error: unknown): never => {
    throw new SessionTokenError("The session could not be read", { cause: { err: asError(error) } })
  }
  try {
    const found = store.getSessionAndUser(token)
    return isPromise(found) ? found.then(undefined, fail) : found
  } catch (error) {
    return fail(error)
  }
}

export function isLive({ now }: RecordsOptions, { session }: StoredSession): boolean {
  return session.expires.getTime() > now()
}

/** Whether it is time to prolong: never more than once per `updateAge` (spec, "States and transitions"). */
export function isDue(options: RecordsOptions, { session }: StoredSession): boolean {
  return isDueAt(options, session.expires.getTime())
}

function isDueAt({ maxAge, updateAge, now }: RecordsOptions, expires: number): boolean {
  return expires - maxAge * 1000 + updateAge * 1000 <= now()
}

export function expiryFromNow({ now, maxAge }: RecordsOptions): Date {
  return new Date(now() + maxAge * 1000)
}

/** `gone`: somebody has ended the session meanwhile. */
export type Prolonging = "prolonged" | "not due" | "gone"

/** Of parallel reads one writes. A failure costs nothing yet: the next read tries again. */
export async function prolong(options: RecordsOptions, token: string): Promise<Prolonging> {
  const { notes } = options
  const { prolongedTo, writers = 0 } = notes.get(token) ?? {}
  if (prolongedTo !== undefined && !isDueAt(options, prolongedTo)) return "not due"
  const expires = expiryFromNow(options)
  notes.set(token, { ...notes.get(token), prolongedTo: expires.getTime(), writers: writers + 1 })
  const outcome = await writeExpiry(options, token, expires)
  const note = notes.get(token)
  notes.set(token, { ...note, writers: (note?.writers ?? 1) - 1 })
  if (!note?.isEnded) return outcome
  // A store that reads and writes back may have revived what was ended meanwhile.
  await discard(options, token)
  return "gone"
}

async function writeExpiry(options: RecordsOptions, token: string, expires: Date): Promise<Prolonging> {
  const { notes, store, logger } = options
  try {
    const updated: unknown = await store.updateSession({ sessionToken: token, expires })
    // Adapters may say nothing of what they did; only a second look tells.
    const isDoubtful = updated === null || updated === undefined
    return isDoubtful && (await isGone(options, token)) ? "gone" : "prolonged"
  } catch (error) {
    notes.set(token, { ...notes.get(token), prolongedTo: undefined })
    logger.error(new SessionTokenError("The session could not be prolonged", { cause: { err: asError(error) } }))
    return "not due"
  }
}

/** How long a replica may lag behind, in milliseconds. */
const lag = 5000

/** Whether the session was created here a moment ago, so that its record may still be on the way to a replica. */
export function isFresh({ notes, now }: RecordsOptions, token: string): boolean {
  const createdAt = notes.peek(token)?.createdAt
  return createdAt !== undefined && createdAt + lag > now()
}

/** Whether the session was ended here, whatever the store says. */
export function isEnded({ notes }: RecordsOptions, token: string): boolean {
  return notes.peek(token)?.isEnded === true
}

/** Whether the store knows for certain that there is no such session. */
async function isGone({ store }: RecordsOptions, token: string): Promise<boolean> {
  try {
    return !(await store.getSessionAndUser(token))
  } catch {
    return false
  }
}

/** Deletes what is of no use any more. The store may be told another time, so a failure is only logged. */
export async function discard(options: RecordsOptions, token: string): Promise<void> {
  try {
    await deleteRecord(options, token)
  } catch (error) {
    options.logger.error(
      new SessionTokenError("An old session could not be deleted", { cause: { err: asError(error) } }),
    )
  }
}

/**
 * Ends a session; from the first moment on it is dead here. What the store gives back.
 * @throws AdapterError when the store cannot be told.
 */
export async function deleteRecord(options: RecordsOptions, token: string): Promise<DeletedSession> {
  const { notes } = options
  notes.set(token, { ...notes.get(token), isEnded: true })
  const deleted = await deleteOrMiss(options, token)
  if (!notes.peek(token)?.writers) notes.delete(token)
  return deleted
}

export type DeletedSession = AdapterSession | null | undefined | void

/** Some adapters throw when there is nothing to delete. */
async function deleteOrMiss(options: RecordsOptions, token: string): Promise<DeletedSession> {
  try {
    return await options.store.deleteSession(token)
  } catch (error) {
    if (await isGone(options, token)) return null
    throw error
  }
}
