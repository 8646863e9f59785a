/** Reads the session of a request once, however often it is asked for. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Compiled } from "../core/engine/compile.js"
import { cookiesFor, type Engine } from "../core/engine/engine.js"
import { emit } from "../core/engine/events.js"
import { isAuthError, UntrustedHost } from "../core/errors.js"
import { report } from "../core/failures.js"
import { parseCookies, type CookieWrite } from "../core/http/cookies.js"
import { isTrustedHost } from "../core/http/origin.js"
import type { Session } from "../core/types.js"
import type { Addressing } from "./address.js"
import { appendCookies, dependOnCookie } from "./response.js"

/**
 * The session of a request. What has to reach the browser is written into the first response that comes with it.
 * @throws AuthError when the session cannot be known, logged once; that is never taken for signed out.
 */
export type SessionReader = (req: IncomingMessage, res: ServerResponse | undefined) => Promise<Session | null>

interface Reading {
  readonly session: Session | null
  readonly cookies: readonly CookieWrite[]
}

interface ReaderOptions {
  readonly compiledFor: (req: IncomingMessage) => Promise<Compiled>
  readonly addressing: Addressing
}

export function createSessionReader({ compiledFor, addressing }: ReaderOptions): SessionReader {
  const readings = new WeakMap<IncomingMessage, Promise<Reading>>()
  const written = new WeakSet<IncomingMessage>()

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
    const setting = cookiesFor(engine, { protocol: addressing.protocolOf(req) }).sessionToken
    const read = await engine.sessions.read({ cookies: parseCookies(req.headers.cookie), setting }, { kind: "visit" })
    if (read.session && engine.events.session) await emit(engine, "session", read.event as SessionEvent)
    return read
  }

  function checkHost({ trustHost }: Engine, req: IncomingMessage): void {
    if (trustHost === true) return
    const origin = addressing.originOf(req)
    if (!isTrustedHost(origin, trustHost)) throw new UntrustedHost(`Host must be trusted. URL was: ${origin.href}`)
  }

  return async (req, res) => {
    const reading = readings.get(req) ?? readFresh(req)
    readings.set(req, reading)
    const { session, cookies } = await reading
    if (res && !written.has(req)) {
      written.add(req)
      dependOnCookie(res)
      appendCookies(res, cookies)
    }
    return session
  }
}

/** The contract types `token` as always present; under the `database` strategy it is not. */
type SessionEvent = Parameters<NonNullable<Engine["events"]["session"]>>[0]
