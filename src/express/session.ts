/** `req.auth` and `getSession`: the session of a request, read once. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Session } from "../core/types.js"
import type { Instance } from "./instance.js"

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- the way Express lets its Request be extended
  namespace Express {
    interface Request {
      /**
       * The session, or `null` when signed out. Filled by `auth.session` and by the guards.
       * `requireSession(handler)` narrows it to a session.
       */
      auth: Session | null
    }
  }
}

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
