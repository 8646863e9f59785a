/** What every built-in page shows around its own content. */
import type { Theme } from "../types.js"

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
