/** Reads the session of a request once, however often it is asked for. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Compiled } from "../core/engine/compile.js"
import { cookiesFor, type Engine } from "../core/engine/engine.js"
import { requireTrustedHost } from "../core/engine/trust.js"
import { emit } from "../core/engine/events.js"
import { isAuthError } from "../core/errors.js"
import { report } from "../core/failures.js"
import { parseCookies, type CookieWrite } from "../core/http/cookies.js"
import type { Awaitable, CookieOption, Session } from "../core/types.js"
import type { Addressing } from "./address.js"
import { appendCookies, dependOnCookie } from "./response.js"
import { isPromise } from "./awaitable.js"

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
    const kept = { reading: peek(req) ?? readFresh(req), isWritten: false }
    req[key] = kept
    return kept
  }

  /** Most sessions can be told at once. Whatever is out of the ordinary takes the way of `readFresh`. */
  function peek(req: IncomingMessage): Reading | undefined {
    const { cookie } = req.headers
    const compiled = compiledFor(req)
    if (isPromise(compiled) || compiled.kind !== "engine" || compiled.engine.trustHost !== true) return undefined
    const { engine } = compiled
    const setting = settingFor(engine, req)
    if (!cookie?.includes(setting.name)) return signedOut
    const session = engine.events.session ? undefined : engine.sessions.peek(cookie, setting)
    return session && { session, cookies: [] }
  }

  async function readFresh(req: IncomingMessage): Promise<Reading> {
    const compiled = await compiledFor(req)
    const { logger } = compiled.kind === "engine" ? compiled.engine : compiled.misconfiguration
    try {
      if (compiled.kind === "misconfigured") throw compiled.misconfiguration.error
      return await readWith(compiled.engine, req)
    } catch (error) {
      if (isAuthError(error)) report({ logger }, error)
      throw error
    }
  }

  async function readWith(engine: Engine, req: IncomingMessage): Promise<Reading> {
    checkHost(engine, req)
    const context = { cookies: parseCookies(req.headers.cookie), setting: settingFor(engine, req) }
    const read = await engine.sessions.read(context, { kind: "visit" })
    if (read.session && engine.events.session) await emit(engine, "session", read.event as SessionEvent)
    return read
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

/** The contract types `token` as always present; under the `database` strategy it is not. */
type SessionEvent = Parameters<NonNullable<Engine["events"]["session"]>>[0]
