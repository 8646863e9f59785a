/** `GET session` reads the session and prolongs it; `POST session` hands the client's data to the callbacks as well. */
import type { Engine } from "../engine/engine.js"
import { emitSession } from "../engine/events.js"
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
  await emitSession(engine, read)
  return json(read.session, { cookies: read.cookies })
}
