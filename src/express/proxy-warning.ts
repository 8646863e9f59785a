/** Says once that a proxy is not trusted, which otherwise only shows as cookies that do not come back. */
import type { IncomingMessage } from "node:http"
import type { LoggerInstance } from "../core/types.js"
import type { Addressing } from "./address.js"

export function createProxyWarning(addressing: Addressing): (req: IncomingMessage, logger: LoggerInstance) => void {
  let hasWarned = false
  return (req, logger) => {
    if (hasWarned || !addressing.isProxyIgnored(req)) return
    hasWarned = true
    logger.warn("proxy-not-trusted")
  }
}
