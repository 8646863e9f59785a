/** `req.auth`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { attempt, isPromise } from "../core/awaitable.js"
import type { Awaitable, Session } from "../core/types.js"
import type { Instance } from "./instance.js"
import { appendCookies, dependOnCookie } from "./response.js"

type SessionRequest = IncomingMessage & { auth?: Session | null }

/** Reads the session into `req.auth`. @throws AuthError when it cannot be known. */
export function readIntoRequest(
  instance: Instance,
  req: SessionRequest,
  res: ServerResponse,
): Awaitable<Session | null> {
  const session = instance.sessions.read(req)
  if (!isPromise(session)) return keepInRequest(instance, { req, res }, session)
  return session.then((read) => keepInRequest(instance, { req, res }, read))
}

/** Hands a session on to what comes after, with what reading it has for the browser. */
export function keepInRequest(
  instance: Instance,
  { req, res }: { readonly req: SessionRequest; readonly res: ServerResponse },
  session: Session | null,
): Session | null {
  writeCookies(instance, req, res)
  return (req.auth = session)
}

/** For whoever asks for the session without a place to keep it. */
export async function readSession(
  instance: Instance,
  req: IncomingMessage,
  res: ServerResponse | undefined,
): Promise<Session | null> {
  const session = await attempt(() => instance.sessions.read(req))
  if (res) writeCookies(instance, req, res)
  return session
}

function writeCookies(instance: Instance, req: IncomingMessage, res: ServerResponse): void {
  dependOnCookie(res)
  appendCookies(res, instance.sessions.takeCookies(req))
}
