/** What every built-in page shows around its own content. */
import { absoluteUrl } from "../http/redirects.js"
import type { Theme } from "../types.js"

/** The application's own page, made absolute; `undefined` where it has none, or names the built-in one. */
export function ownPage(
  page: string | undefined,
  { origin, baseUrl }: { readonly origin: string; readonly baseUrl: string },
  action: "signin" | "signout" | "error" | "verify-request",
): string | undefined {
  const address = page ? absoluteUrl(page, origin) : undefined
  const isBuiltIn = address !== undefined && address.split(/[?#]/, 1)[0] === `${baseUrl}/${action}`
  return isBuiltIn ? undefined : address
}

export interface PageFrame {
  readonly theme: Required<Theme>
  readonly site: { readonly url: string; readonly host: string }
  readonly signinUrl: string
}

export function pageFrame(
  theme: Required<Theme>,
  { origin, baseUrl }: { readonly origin: string; readonly baseUrl: string },
): PageFrame {
  return { theme, site: { url: origin, host: new URL(origin).host }, signinUrl: `${baseUrl}/signin` }
}
