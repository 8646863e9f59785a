/** `getSession(req, config)`: the session wherever only the configuration is at hand. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AuthConfig } from "../core/config/config.js"
import type { Session } from "../core/types.js"
import { createInstance } from "./instance.js"
import { nodePorts } from "./ports.js"
import { instanceOfConfig } from "./registry.js"
import { readSession } from "./session.js"

/**
 * The session of a request, or `null` when signed out. Read once per request and configuration object, so give it the
 * one that `ExpressAuth` got. What has to reach the browser is written into the response that Express keeps with the
 * request.
 *
 * @throws AuthError when the configuration has problems or the session cannot be known.
 */
export async function getSession(
  req: IncomingMessage & { readonly res?: ServerResponse | undefined },
  config: AuthConfig,
): Promise<Session | null> {
  const instance = instanceOfConfig(config) ?? createInstance(config, nodePorts)
  return readSession(instance, req, req.res)
}
