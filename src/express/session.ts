/** `req.auth`. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Awaitable, Session } from "../core/types.js"
import { isPromise } from "../core/awaitable.js"
import type { Instance } from "./instance.js"

/** Reads the session into `req.auth`. @throws AuthError when it cannot be known. */
export function readIntoRequest(
  instance: Instance,
  req: IncomingMessage & { auth?: Session | null },
  res: ServerResponse,
): Awaitable<Session | null> {
  const keep = (session: Session | null): Session | null => (req.auth = session)
  const reading = instance.readSession(req, res)
  return isPromise(reading) ? reading.then(keep) : keep(reading)
}
