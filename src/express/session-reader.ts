/** Reads the session of a request once, however often it is asked for. */
import type { IncomingMessage } from "node:http"
import type { Compiled } from "../core/engine/compile.js"
import { cookiesFor, type Engine } from "../core/engine/engine.js"
import { requireTrustedHost } from "../core/engine/trust.js"
import { emitSession } from "../core/engine/events.js"
import { isAuthError } from "../core/errors.js"
import { report } from "../core/failures.js"
import type { CookieWrite } from "../core/http/cookies.js"
import type { SessionRead } from "../core/sessions/strategy.js"
import type { Awaitable, CookieOption, Session } from "../core/types.js"
import type { Addressing } from "./address.js"
import { attempt, isPromise } from "../core/awaitable.js"

export interface SessionReader {
  /**
   * The session of a request, read once however often it is asked for.
   * @throws AuthError when it cannot be known, logged once; that is never taken for signed out.
   */
  read(req: IncomingMessage): Awaitable<Session | null>
  /** What reading it has for the browser, to go with the first response that is written; nothing the second time. */
  takeCookies(req: IncomingMessage): readonly CookieWrite[]
}

interface Reading {
  readonly session: Session | null
  readonly cookies: readonly CookieWrite[]
}

const signedOut: Reading = { session: null, cookies: [] }

/** What this reader keeps with a request: a property costs a request less than an entry of a WeakMap. */
interface Kept {
  reading: Awaitable<Reading>
  isTaken: boolean
}

interface ReaderOptions {
  readonly compiledFor: (req: IncomingMessage) => Awaitable<Compiled>
  readonly addressing: Addressing
}

export function createSessionReader({ compiledFor, addressing }: ReaderOptions): SessionReader {
  const key = Symbol("latchkey session")
  type ReadRequest = IncomingMessage & { [key]?: Kept }

  function readOnce(req: ReadRequest): Awaitable<Reading> {
    const known = req[key]
    if (known) return known.reading
    const reading = attempt(() => readFresh(req))
    const kept: Kept = { reading, isTaken: false }
    req[key] = kept
    return isPromise(reading) ? reading.then((read) => (kept.reading = read)) : reading
  }

  /** Where configuration and store answer at once, no promise is made. */
  function readFresh(req: IncomingMessage): Awaitable<Reading> {
    const compiled = compiledFor(req)
    if (isPromise(compiled)) return compiled.then((ready) => readWith(ready, req))
    return readWith(compiled, req)
  }

  function readWith(compiled: Compiled, req: IncomingMessage): Awaitable<Reading> {
    const { logger } = compiled.kind === "engine" ? compiled.engine : compiled.misconfiguration
    const fail = (error: unknown): never => {
      if (isAuthError(error)) report({ logger }, error)
      throw error
    }
    try {
      if (compiled.kind === "misconfigured") throw compiled.misconfiguration.error
      const reading = visit(compiled.engine, req)
      return isPromise(reading) ? reading.then(undefined, fail) : reading
    } catch (error) {
      return fail(error)
    }
  }

  function visit(engine: Engine, req: IncomingMessage): Awaitable<Reading> {
    checkHost(engine, req)
    const { cookie } = req.headers
    const setting = settingFor(engine, req)
    if (!cookie?.includes(setting.name)) return signedOut
    const read = engine.sessions.visit(cookie, setting)
    if (engine.events.session) return announced(engine, read)
    return isPromise(read) ? read.then(readingOf) : readingOf(read)
  }

  function settingFor(engine: Engine, req: IncomingMessage): CookieOption {
    return cookiesFor(engine, { protocol: addressing.protocolOf(req) }).sessionToken
  }

  function checkHost(engine: Engine, req: IncomingMessage): void {
    if (engine.trustHost !== true) requireTrustedHost(engine, addressing.originOf(req))
  }

  return {
    read(req) {
      const reading = readOnce(req)
      return isPromise(reading) ? reading.then(({ session }) => session) : reading.session
    },
    takeCookies(req: ReadRequest) {
      const kept = req[key]
      if (!kept || kept.isTaken || isPromise(kept.reading)) return []
      kept.isTaken = true
      return kept.reading.cookies
    },
  }
}

async function announced(engine: Engine, reading: Awaitable<SessionRead>): Promise<Reading> {
  const read = await reading
  await emitSession(engine, read)
  return readingOf(read)
}

/** What an event tells of a token must not be found in a request that somebody prints. */
function readingOf({ session, cookies }: SessionRead): Reading {
  return { session, cookies }
}
