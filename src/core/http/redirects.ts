/** Where a browser may be sent. */

const maxLength = 2048
// A browser drops or rewrites these inside an address, so that it would go elsewhere than a check of the text says.
const unsafeCharacters = /[\u0000-\u001f\u007f\\]/

/**
 * The default `redirect` callback: a path, or an address on our own origin, passes in canonical form; anything else
 * becomes `baseUrl`. Compares parsed origins, never prefixes.
 */
export function sameOriginRedirect({ url, baseUrl }: { readonly url: string; readonly baseUrl: string }): string {
  const target = parseTarget(url, baseUrl)
  if (!target || target.origin !== new URL(baseUrl).origin) return baseUrl
  if (target.username !== "" || target.password !== "" || target.pathname.startsWith("//")) return baseUrl
  return target.pathname === "/" && !url.endsWith("/") && target.search + target.hash === ""
    ? target.origin
    : target.href
}

/** Parses a callback URL: a path, resolved against `origin`, or an absolute http(s) address. Anything else is none. */
export function parseTarget(url: unknown, origin: string): URL | undefined {
  if (typeof url !== "string" || url.length > maxLength || unsafeCharacters.test(url)) return undefined
  if (!url.startsWith("/") && !/^https?:\/\//i.test(url)) return undefined
  const target = URL.canParse(url, origin) ? new URL(url, origin) : undefined
  return target && target.href.length - target.origin.length <= maxLength ? target : undefined
}

/** Adds query parameters to a path or an address, whether or not it has some. Undefined values are left out. */
export function withQuery(url: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
    )
    .join("&")
  return withSearch(url, query)
}

/** Adds a query, as it is, to a path or an address. It may begin with `?`. */
export function withSearch(url: string, search: string): string {
  const query = search.replace(/^\?/, "")
  if (query === "") return url
  const end = url.includes("#") ? url.indexOf("#") : url.length
  const address = url.slice(0, end)
  return `${address}${address.includes("?") ? "&" : "?"}${query}${url.slice(end)}`
}

/** Schemes of addresses that are programs or documents themselves. */
const running: ReadonlySet<string> = new Set(["javascript:", "data:", "vbscript:"])

/** The address of a page, or of what the application answers: a path is one on `origin`, an app's own link stays. */
export function absoluteUrl(pathOrUrl: string, origin: string): string {
  if (URL.canParse(pathOrUrl)) return running.has(new URL(pathOrUrl).protocol) ? origin : headerSafe(pathOrUrl)
  if (!URL.canParse(pathOrUrl, origin)) return origin
  return headerSafe(origin + (pathOrUrl.startsWith("/") ? pathOrUrl : `/${pathOrUrl}`))
}

/** A header takes no character beyond ASCII; an address can always be written without. */
function headerSafe(url: string): string {
  return /^[\x21-\x7e]*$/.test(url) ? url : new URL(url).href
}
