/** A request as the core sees it, whatever framework received it. */
import { chunksOf } from "../bytes.js"
import { bodyLimit, BodyError, parseBody, readBodyBytes, type RequestBody } from "./body.js"
import { parseCookies, type Cookies } from "./cookies.js"

/** Header fields, by their names in small letters. */
export interface RequestHeaders extends Pick<Headers, "get" | "has"> {
  /** All of them, as the platform has them. */
  all(): Headers
}

export interface AuthRequest {
  readonly method: string
  /** The address as the browser knows it: public origin, public path. */
  readonly url: URL
  /** Public path below which the actions live, without a trailing slash: `/auth`. */
  readonly basePath: string
  readonly headers: RequestHeaders
  readonly cookies: Cookies
  /** Only of a POST, and only of a media type that forms and JSON clients send. */
  readonly body: RequestBody | undefined
}

/**
 * Takes a Web Request apart.
 * @throws BodyError when the body is malformed or larger than 64 KB.
 */
export async function fromWebRequest(request: Request, basePath: string): Promise<AuthRequest> {
  const { headers } = request
  return {
    method: request.method,
    url: new URL(request.url),
    basePath: normalizeBasePath(basePath),
    headers: webHeaders(headers),
    cookies: parseCookies(headers.get("cookie")),
    body: request.method === "POST" ? await readWebBody(request) : undefined,
  }
}

export function webHeaders(headers: Headers): RequestHeaders {
  return {
    get: (name) => headers.get(name),
    has: (name) => headers.has(name),
    all: () => new Headers(headers),
  }
}

async function readWebBody(request: Request): Promise<RequestBody | undefined> {
  if (!request.body) return undefined
  if (request.bodyUsed) throw new BodyError(400, "the request body was read before it reached Latchkey")
  if (Number(request.headers.get("content-length") ?? 0) > bodyLimit) {
    throw new BodyError(413, `the request body is larger than ${bodyLimit} bytes`)
  }
  const bytes = await readBodyBytes(chunksOf(request.body))
  return parseBody(request.headers.get("content-type") ?? "", bytes)
}

/** `/auth/` and `auth` become `/auth`; `/` becomes the empty string. */
export function normalizeBasePath(basePath: string): string {
  const trimmed = trimSlashes(basePath)
  return trimmed === "" ? "" : `/${trimmed}`
}

/** Without the slashes at both ends. A regular expression would look at a long run of slashes again and again. */
export function trimSlashes(path: string): string {
  let start = 0
  let end = path.length
  while (start < end && path[start] === "/") start += 1
  while (end > start && path[end - 1] === "/") end -= 1
  return path.slice(start, end)
}

/** `https://app.example/auth`: what every address of ours begins with. */
export function baseUrlOf(request: AuthRequest): string {
  return request.url.origin + request.basePath
}

/** Whether whoever asks wants JSON rather than a page, by its `Accept` header. */
export function prefersJson(headers: Pick<Headers, "get">): boolean {
  const accept = (headers.get("accept") ?? "").toLowerCase()
  const types = accept.split(",").map((entry) => entry.split(";", 1)[0]?.trim() ?? "")
  return types.some((type) => /^application\/(?:[\w.-]+\+)?json$/.test(type)) && !types.includes("text/html")
}

/** How browsers, now and formerly, say that nobody has asked for a page yet. */
const speculations: readonly (readonly [header: string, form: RegExp])[] = [
  ["sec-purpose", /^\s*(?:prefetch|prerender)\b/i],
  ["purpose", /^\s*(?:prefetch|prerender|preview)\b/i],
  ["x-purpose", /^\s*(?:prefetch|prerender|preview)\b/i],
  ["x-moz", /^\s*prefetch\b/i],
]

/** Whether a browser fetches this in advance, on the chance that somebody will go there (HTML, `Sec-Purpose`). */
export function isPrefetch(headers: Pick<Headers, "get">): boolean {
  return speculations.some(([header, form]) => form.test(headers.get(header) ?? ""))
}
