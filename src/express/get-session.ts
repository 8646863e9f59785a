/** `getSession(req, config)`: the session wherever only the configuration is at hand. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AuthConfig } from "../core/config/config.js"
import type { Session } from "../core/types.js"
import { createInstance, type Instance } from "./instance.js"
import { nodePorts } from "./ports.js"

// Losing an entry costs compiling the configuration again.
const instances = new WeakMap<AuthConfig, Instance>()

/**
 * The session of a request, or `null` when signed out. Read once per request and configuration object, so give it the
 * one that `ExpressAuth` got. What has to reach the browser is written into the response that Express keeps with the
 * request.
 *
 * @throws AuthError when the configuration has problems or the session cannot be known.
 */
export function getSession(
  req: IncomingMessage & { readonly res?: ServerResponse },
  config: AuthConfig,
): Promise<Session | null> {
  const known = instances.get(config)
  if (known) return known.readSession(req, req.res)
  const instance = createInstance(config, nodePorts)
  instances.set(config, instance)
  return instance.readSession(req, req.res)
}
