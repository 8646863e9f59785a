/** A request of Express, Connect or plain Node, as the core sees it. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { adoptBody, BodyError, parseBody, readBodyBytes, type RequestBody } from "../core/http/body.js"
import { parseCookies } from "../core/http/cookies.js"
import type { AuthRequest, RequestHeaders } from "../core/http/request.js"
import { mountedBasePath, type Addressing, type FrameworkRequest } from "./address.js"

/**
 * Where a request goes: its public address, and the base path in it.
 * @param fallback Base path where the middleware is mounted at the root.
 * @throws BodyError(400) when the `Host` header or the path is malformed.
 */
export function locate(req: FrameworkRequest, addressing: Addressing, fallback: string) {
  const path = mountedBasePath(req)
  const mounted = path || fallback
  const basePath = addressing.publicBasePath(mounted)
  const target = req.originalUrl ?? req.url ?? "/"
  // Where something before us has rewritten the path, what Express left of it counts.
  const rest = target.startsWith(mounted) ? target.slice(mounted.length) : path ? (req.url ?? "") : ""
  const { origin } = addressing.originOf(req)
  const address = `${origin}${basePath}${rest}`
  if (!URL.canParse(address)) throw new BodyError(400, "the path is malformed")
  const url = new URL(address)
  // `/auth/./csrf` is `/auth/csrf` to a parser of addresses, but not to whatever limits paths in front of us.
  const isCanonical = url.pathname === `${basePath}${rest.split("?", 1)[0]}`
  return { url, basePath, isCanonical }
}

/** @throws BodyError when the body is malformed, too large, or was consumed without being parsed. */
export async function toAuthRequest(
  req: FrameworkRequest,
  location: Pick<AuthRequest, "url" | "basePath">,
): Promise<AuthRequest> {
  const { url, basePath } = location
  return {
    url,
    basePath,
    method: req.method ?? "GET",
    headers: headersOf(req),
    cookies: parseCookies(req.headers.cookie),
    body: req.method === "POST" ? await readBody(req) : undefined,
  }
}

/** Few answers look at more than one or two: only who asks for all of them pays for a copy. */
export function headersOf({ headers }: IncomingMessage): RequestHeaders {
  return {
    get: (name) => headers[name]?.toString() ?? null,
    has: (name) => headers[name] !== undefined,
    all: () => copyHeaders(headers),
  }
}

function copyHeaders(headers: IncomingHttpHeaders): Headers {
  const all = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && !name.startsWith(":")) all.append(name, each)
  }
  return all
}

/** @throws BodyError when it is too large, or breaks off. */
async function readStream(req: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBodyBytes(req.iterator({ destroyOnReturn: false }))
  } catch (cause) {
    if (cause instanceof BodyError) throw cause
    throw new BodyError(400, "the request body broke off", { cause })
  }
}

/** The body, whether or not a parser of the app came first. */
async function readBody(req: IncomingMessage & { readonly body?: unknown }): Promise<RequestBody | undefined> {
  const contentType = req.headers["content-type"] ?? ""
  if (!req.readableDidRead && !req.readableEnded) {
    // The connection must survive a body that is too large, to carry the answer that says so.
    return parseBody(contentType, await readStream(req))
  }
  const { body } = req
  if (typeof body === "string") return parseBody(contentType, new TextEncoder().encode(body))
  if (body instanceof Uint8Array) return parseBody(contentType, new Uint8Array(body))
  if (body === undefined)
    throw new BodyError(400, "the request body was consumed before it reached Latchkey, but not parsed")
  return adoptBody(body)
}
