/** `GET session` reads the session and prolongs it; `POST session` hands the client's data to the callbacks as well. */
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import type { Scope } from "../engine/scope.js"
import { json, type Result } from "../http/result.js"
import type { SessionAccess } from "../sessions/strategy.js"

export function readSession(engine: Engine, scope: Scope): Promise<Result> {
  return answerSession(engine, scope, { kind: "touch" })
}

export function updateSession(engine: Engine, scope: Scope): Promise<Result> {
  return answerSession(engine, scope, { kind: "update", data: scope.request.body?.["data"] })
}

async function answerSession(engine: Engine, scope: Scope, access: SessionAccess): Promise<Result> {
  const read = await engine.sessions.read(scope.session, access)
  if (!read.session) return json(null, { cookies: read.cookies })
  await emitSession(engine, read.event)
  return json(read.session, { cookies: read.cookies })
}

type SessionEvent = Parameters<NonNullable<Engine["events"]["session"]>>[0]

/** The contract types `token` as always present; under the `database` strategy it is not. */
function emitSession(engine: Engine, event: Pick<SessionEvent, "session"> & Partial<SessionEvent>): Promise<void> {
  return emit(engine, "session", event as SessionEvent)
}
