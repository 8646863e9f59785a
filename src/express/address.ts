/**
 * One rule for the public address, used by handlers, guards, redirects and cookies alike: `AUTH_URL` if it is set,
 * else what Express itself trusts. Forwarded headers are read by Express alone, under its `trust proxy` setting.
 */
import type { IncomingMessage } from "node:http"
import type { Problem } from "../core/config/problem.js"
import { BodyError } from "../core/http/body.js"
import type { Env } from "../core/http/origin.js"
import { normalizeBasePath, trimSlashes } from "../core/http/request.js"
import type { App } from "./registry.js"

/** The members that Express, Connect or nobody has added to Node's request. */
export interface FrameworkRequest extends IncomingMessage {
  readonly originalUrl?: string
  readonly baseUrl?: string
  readonly protocol?: string
  readonly app?: App
  readonly params?: Readonly<Record<string, unknown>>
}

export interface Addressing {
  /** What is wrong with `AUTH_URL`, if anything is. */
  readonly problems: readonly Problem[]
  /** `https:` or `http:`. */
  protocolOf(req: IncomingMessage): string
  /** @throws BodyError(400) when the `Host` header is none. */
  originOf(req: IncomingMessage): URL
  /** Whether `AUTH_URL` has a path. */
  readonly hasPath: boolean
  /** The path that the browser uses for `basePath`, when a proxy adds a prefix that `AUTH_URL` tells. */
  publicBasePath(basePath: string): string
  /** Whether a proxy claims https where nothing lets us believe it: cookies and addresses would be those of http. */
  isProxyIgnored(req: IncomingMessage): boolean
}

/** @param mountedOn The app that stands in where a request has none, as that of a WebSocket. */
export function createAddressing(env: Env, mountedOn: () => App | undefined): Addressing {
  const appFor = (req: FrameworkRequest): App | undefined => req.app ?? mountedOn()
  const address = env["AUTH_URL"] || env["NEXTAUTH_URL"]
  const configured = address && /^https?:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined
  const configuredBasePath =
    configured && configured.pathname !== "/" ? normalizeBasePath(configured.pathname) : undefined

  const problems = address && !configured ? [{ path: "AUTH_URL", expected: "an absolute http(s) address" }] : []
  return {
    problems,
    hasPath: configuredBasePath !== undefined,
    protocolOf: (req) => configured?.protocol ?? protocolOf(req, appFor),
    originOf: (req) => configured ?? new URL(`${protocolOf(req, appFor)}//${hostOf(req, appFor(req))}`),
    isProxyIgnored: (req) =>
      !configured && req.headers["x-forwarded-proto"] === "https" && protocolOf(req, appFor) === "http:",
    publicBasePath: (basePath) => (configuredBasePath?.endsWith(basePath) ? configuredBasePath : basePath),
  }
}

function protocolOf(req: FrameworkRequest, appFor: (req: FrameworkRequest) => App | undefined): string {
  const forwarded = req.headers["x-forwarded-proto"]
  // Without a word from a proxy, Express would say the same, at greater length.
  if (forwarded === undefined) return isEncrypted(req) ? "https:" : "http:"
  if (req.protocol !== undefined) return req.protocol === "https" ? "https:" : "http:"
  const [first = ""] = String(forwarded).split(",", 1)
  const isSecure = trustsProxy(req, appFor(req)) ? first.trim() === "https" : isEncrypted(req)
  return isSecure ? "https:" : "http:"
}

function isEncrypted({ socket }: FrameworkRequest): boolean {
  return "encrypted" in socket && socket.encrypted === true
}

const hostForm = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i

function hostOf(req: FrameworkRequest, app: App | undefined): string {
  const host = trustedHost(req, app)
  if (host === undefined || !hostForm.test(host) || !URL.canParse(`http://${host}`)) {
    throw new BodyError(400, "the Host header is missing or malformed")
  }
  return host
}

/** How Express keeps `trust proxy`, whatever form it was set in. */
type TrustFunction = (address: string | undefined, hop: number) => boolean

/** Whether Express would believe the proxy that this request came through. */
function trustsProxy({ socket }: FrameworkRequest, app: App | undefined): boolean {
  const trusts = app?.get?.("trust proxy fn") as TrustFunction | undefined
  return trusts?.(socket.remoteAddress, 0) ?? false
}

/** What `req.host` is in Express 5. Express 4 leaves the port out there, so its rule is applied here, with its own trust. */
function trustedHost(req: FrameworkRequest, app: App | undefined): string | undefined {
  const { host, "x-forwarded-host": forwarded } = req.headers
  return forwarded && trustsProxy(req, app) ? String(forwarded).split(",", 1)[0]?.trim() : host
}

/** Path below which the middleware was mounted, as this request sees it; empty at the root. */
export function mountedBasePath(req: FrameworkRequest): string {
  const [original = ""] = (req.originalUrl ?? req.url ?? "").split("?", 1)
  const base = req.baseUrl ?? strippedPrefix(original, req.url ?? "")
  const [rest] = (req.url ?? "").split("?", 1)
  return normalizeBasePath(rest === "/" ? withoutWildcard(base, req.params) : base)
}

/** Connect cuts the mount path off `req.url` and leaves `req.originalUrl` alone. */
function strippedPrefix(original: string, url: string): string {
  const [path = ""] = url.split("?", 1)
  if (original.endsWith(path)) return original.slice(0, original.length - path.length)
  return path === "/" ? original : ""
}

/** Under `/auth/*` the whole path counts as mount path; the segments that the wildcard took are cut off again. */
function withoutWildcard(base: string, params: Readonly<Record<string, unknown>> = {}): string {
  const taken = params["0"] ?? Object.values(params).find(Array.isArray)
  if (typeof taken !== "string" && !Array.isArray(taken)) return base
  const suffix = trimSlashes([taken].flat().join("/"))
  const path = trimSlashes(base)
  if (suffix === "" || !`/${path}`.endsWith(`/${suffix}`)) return base
  return path.slice(0, path.length - suffix.length)
}
