/** A database session strategy with a clock that is set by hand, over a store that can be watched. */
import { createSessionNotes } from "../../../src/core/sessions/session-notes.js"
import { databaseSessions, type DatabaseSessionOptions } from "../../../src/core/sessions/database.js"
import type { NewSession, SessionAccess, SessionRead, SessionStrategy } from "../../../src/core/sessions/strategy.js"
import { createStore } from "../../../src/core/storage/store.js"
import type { Awaitable } from "../../../src/core/types.js"
import type { HandMadeClock } from "../../support/core-ports.js"
import { recordingLogger, type RecordingLogger } from "../../support/core-recording-logger.js"
import { watchedAdapter, type WatchedAdapter } from "../../support/database-adapter.js"
import { at, day, maxAge, setting, start } from "./setup.js"

export const ann = { id: "1", name: "Ann", email: "ann@x.example", image: "p", emailVerified: null, role: "admin" }
export const annSignsIn: NewSession = { user: ann, account: { provider: "p", providerAccountId: "1", type: "oauth" } }

export interface SetUp extends WatchedAdapter {
  /** Milliseconds. */
  readonly clock: HandMadeClock
  readonly logger: RecordingLogger
  readonly sessions: SessionStrategy
  /** A strategy of another process over the same store. */
  elsewhere(): SessionStrategy
  /** Puts a session of Ann's into the store. `expires` in seconds after the start. */
  keep(sessionToken?: string, expires?: number): void
  /** When a kept session expires, in seconds after the start; `undefined` when there is none. */
  expiryOf(sessionToken?: string): number | undefined
}

/** Resolved within a blink, so that a method that never answers holds no test up. */
const timeout = 0.02

export function setUp({
  isAsync = true,
  ...given
}: Partial<DatabaseSessionOptions> & { readonly isAsync?: boolean } = {}): SetUp {
  const clock = { now: start * 1000 }
  const logger = recordingLogger()
  const watched = watchedAdapter({ isAsync })
  const { real, adapter } = watched
  let tokens = 0
  const open = () =>
    databaseSessions({
      store: createStore(adapter, { timeout, logger }),
      notes: createSessionNotes(),
      logger,
      callbacks: {},
      maxAge,
      updateAge: day,
      generateSessionToken: () => `generated-${++tokens}`,
      now: () => clock.now,
      ...given,
    })
  real.createUser({ ...ann })
  return {
    ...watched,
    clock,
    logger,
    sessions: open(),
    elsewhere: open,
    keep(sessionToken = "tok", expires = given.maxAge ?? maxAge) {
      real.createSession({ sessionToken, userId: ann.id, expires: new Date((start + expires) * 1000) })
    },
    expiryOf(sessionToken = "tok") {
      const found = real.getSessionAndUser(sessionToken) as { session: { expires: Date } } | null
      return found ? found.session.expires.getTime() / 1000 - start : undefined
    },
  }
}

export const accesses: readonly SessionAccess[] = [{ kind: "visit" }, { kind: "touch" }, { kind: "update", data: 1 }]

/** Everybody who reads the session `tok`. */
export const readers: readonly (readonly [who: string, read: (given: SetUp) => Awaitable<SessionRead>])[] = [
  ...accesses.map((access) => [access.kind, (given: SetUp) => given.sessions.read(at(holding()), access)] as const),
  ["an app route", (given) => given.sessions.visit(headerOf(), setting)],
]

/** Reads a session as the session action does. */
export function readAs(given: SetUp, token = "tok"): Promise<SessionRead> {
  return given.sessions.read(at(holding(token)), { kind: "touch" })
}

/** What every reader finds as long as Ann's session lives. */
export const alive = { session: { user: { name: "Ann" } } }

/** The cookies of a browser that holds a session token. */
export function holding(token = "tok"): Readonly<Record<string, string>> {
  return { [setting.name]: token }
}

/** The `Cookie` header of a browser that holds a session token. */
export function headerOf(token = "tok"): string {
  return `theme=dark; ${setting.name}=${token}; x=1`
}

/** What writes the session cookie so that it lasts until `expires`, in seconds after the start. */
export function cookieUntil(expires: number, value = "tok") {
  return { name: setting.name, value, options: { ...setting.options, expires: new Date((start + expires) * 1000) } }
}

export const cleared = { name: setting.name, value: "", options: { ...setting.options, maxAge: 0 } }
export const signedOut = { session: null, cookies: [cleared] }
