/** Which requests may be answered at all. */
import { UntrustedHost } from "../errors.js"
import { isTrustedHost } from "../http/origin.js"
import type { Engine } from "./engine.js"

const hint =
  "set AUTH_URL to the public address, or `trustHost` to true or to the host names to answer for (or AUTH_TRUST_HOST)"

/** @throws UntrustedHost when the host of `url` is not one to answer for. */
export function requireTrustedHost({ trustHost }: Pick<Engine, "trustHost">, url: URL): void {
  if (isTrustedHost(url, trustHost)) return
  throw new UntrustedHost(`Host must be trusted. URL was: ${url.href}`, { cause: { hint } })
}
