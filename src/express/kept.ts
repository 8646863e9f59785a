/**
 * What is kept with a request while it is handled, in one property of its own. Node 20 gives every request of Express a
 * hidden class of its own, so that each property that is added costs it 1.7 µs, where the whole guard takes 10.
 */
import type { IncomingMessage } from "node:http"
import { isPromise } from "../core/awaitable.js"
import type { CookieWrite } from "../core/http/cookies.js"
import type { Awaitable, Session } from "../core/types.js"

export interface Reading {
  readonly session: Session | null
  readonly cookies: readonly CookieWrite[]
}

/** What one reader has read. */
export interface Kept {
  readonly reader: object
  reading: Awaitable<Reading>
  /** Whether its cookies have gone into a response. */
  isTaken: boolean
  /** Whether it is what `req.auth` shows. */
  isShown: boolean
  /** What another reader has read: there are several only where an app has several `ExpressAuth`. */
  next: Kept | undefined
}

const key = Symbol("latchkey")

type KeepingRequest = IncomingMessage & { [key]?: Kept }

export function findKept(req: KeepingRequest, reader: object): Kept | undefined {
  let kept = req[key]
  while (kept && kept.reader !== reader) kept = kept.next
  return kept
}

export function keep(req: KeepingRequest, reader: object, reading: Awaitable<Reading>): Kept {
  const first = req[key]
  const kept: Kept = { reader, reading, isTaken: false, isShown: false, next: first?.next }
  if (first) first.next = kept
  else req[key] = kept
  return kept
}

type AuthRequest = IncomingMessage & { auth?: Session | null }

/** Lets `req.auth` show what was read. */
export function show(req: AuthRequest, kept: Kept | undefined, session: Session | null): void {
  if (kept) kept.isShown = true
  // Where `defineAuth` has been, it shows it already.
  if (req.auth !== session) req.auth = session
}

/** Gives the requests of an Express app a `req.auth` that costs them no property. Who assigns to it has one. */
export function defineAuth(prototype: object): void {
  if (Object.hasOwn(prototype, "auth")) return
  Object.defineProperty(prototype, "auth", {
    configurable: true,
    get(this: KeepingRequest) {
      const kept = this[key]
      return kept?.isShown && !isPromise(kept.reading) ? kept.reading.session : undefined
    },
    set(this: KeepingRequest, value: unknown) {
      Object.defineProperty(this, "auth", { value, configurable: true, enumerable: true, writable: true })
    },
  })
}
