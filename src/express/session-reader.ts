/** Reads the session of a request once, however often it is asked for. */
import type { IncomingMessage, ServerResponse } from "node:http"
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
import { appendCookies, dependOnCookie } from "./response.js"
import { attempt, isPromise } from "../core/awaitable.js"

/**
 * The session of a request. What has to reach the browser is written into the first response that comes with it.
 * @throws AuthError when the session cannot be known, logged once; that is never taken for signed out.
 */
export type SessionReader = (req: IncomingMessage, res: ServerResponse | undefined) => Awaitable<Session | null>

interface Reading {
  readonly session: Session | null
  readonly cookies: readonly CookieWrite[]
}

const signedOut: Reading = { session: null, cookies: [] }

/** What this reader keeps with a request: a property costs a request less than an entry of a WeakMap. */
interface Kept {
  readonly reading: Awaitable<Reading>
  isWritten: boolean
}

interface ReaderOptions {
  readonly compiledFor: (req: IncomingMessage) => Awaitable<Compiled>
  readonly addressing: Addressing
}

export function createSessionReader({ compiledFor, addressing }: ReaderOptions): SessionReader {
  const key = Symbol("latchkey session")

  function readOnce(req: IncomingMessage & { [key]?: Kept }): Kept {
    const known = req[key]
    if (known) return known
    const kept = { reading: attempt(() => readFresh(req)), isWritten: false }
    req[key] = kept
    return kept
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
    return engine.events.session ? announced(engine, read) : read
  }

  function settingFor(engine: Engine, req: IncomingMessage): CookieOption {
    return cookiesFor(engine, { protocol: addressing.protocolOf(req) }).sessionToken
  }

  function checkHost(engine: Engine, req: IncomingMessage): void {
    if (engine.trustHost !== true) requireTrustedHost(engine, addressing.originOf(req))
  }

  function write(kept: Kept, res: ServerResponse | undefined, { session, cookies }: Reading): Session | null {
    if (res && !kept.isWritten) {
      kept.isWritten = true
      dependOnCookie(res)
      appendCookies(res, cookies)
    }
    return session
  }

  return (req, res) => {
    const kept = readOnce(req)
    const { reading } = kept
    return isPromise(reading) ? reading.then((read) => write(kept, res, read)) : write(kept, res, reading)
  }
}

async function announced(engine: Engine, reading: Awaitable<SessionRead>): Promise<Reading> {
  const read = await reading
  await emitSession(engine, read)
  return read
}
