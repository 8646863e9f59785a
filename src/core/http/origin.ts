/** Which address this server goes by, for frameworks that have no rule of their own. */
import type { AuthAction, LoggerInstance } from "../types.js"
import { normalizeBasePath } from "./request.js"

/** Environment variables, by name. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * The public address of an action. `AUTH_URL` decides when it is set; otherwise the forwarded headers, which only a
 * proxy in front of the server may write, then `Host`.
 *
 * @param protocol What the framework says: `https` or `https:`. Default `https`.
 * @throws TypeError when the parts do not make an address.
 */
export function createActionURL(
  action: AuthAction,
  protocol: string,
  headers: Headers,
  envObject: Env,
  config: { readonly logger?: Partial<LoggerInstance>; readonly basePath?: string },
): URL {
  const basePath = normalizeBasePath(config.basePath ?? "")
  const configured = envObject["AUTH_URL"] || envObject["NEXTAUTH_URL"]
  const base = configured ? baseOfEnv(new URL(configured), basePath, config.logger) : requestOrigin(headers, protocol)
  return new URL(`${base.replace(/\/$/, "")}${basePath}/${action}`)
}

function baseOfEnv(url: URL, basePath: string, logger: Partial<LoggerInstance> | undefined): string {
  if (basePath === "" || url.pathname === "/") return url.href
  if (url.pathname !== basePath) logger?.warn?.("env-url-basepath-mismatch")
  return url.origin
}

function requestOrigin(headers: Headers, protocol: string): string {
  const scheme = firstOf(headers.get("x-forwarded-proto")) ?? (protocol || "https")
  const host = firstOf(headers.get("x-forwarded-host")) ?? headers.get("host") ?? ""
  return new URL(`${scheme.replace(/:$/, "")}://${host}`).origin
}

/** Each proxy appends to a forwarded header: the first entry is what the browser used. */
function firstOf(list: string | null): string | undefined {
  return list?.split(",", 1)[0]?.trim() || undefined
}

/** Which hosts may be answered for: all that the platform lets through, none, or those listed. */
export type TrustHost = boolean | readonly string[]

/** Whether `url` is of a trusted host. An entry is `app.example`, `app.example:8443`, or `*.app.example`. */
export function isTrustedHost(url: URL, trustHost: TrustHost): boolean {
  if (typeof trustHost === "boolean") return trustHost
  return trustHost.some((entry) => {
    const wanted = entry.toLowerCase()
    if (wanted.startsWith("*.")) return url.hostname.endsWith(wanted.slice(1))
    return wanted === url.host || wanted === url.hostname
  })
}

/** Whether a host is this machine itself (RFC 8252, section 7.3). */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  )
}
