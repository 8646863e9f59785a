/** `req.auth` and `getSession`: the session of a request, read once. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Session } from "../core/types.js"
import type { Instance } from "./instance.js"

/** Reads the session into `req.auth`. @throws AuthError when it cannot be known. */
export async function readIntoRequest(
  instance: Instance,
  req: IncomingMessage & { auth?: Session | null },
  res: ServerResponse,
): Promise<Session | null> {
  const session = await instance.readSession(req, res)
  req.auth = session
  return session
}
