/** What a handler decides, as a value. `response.ts` turns it into a Response. */
import type { AuthErrorLike } from "../errors.js"
import type { PageModel } from "../pages/models.js"
import type { CookieWrite } from "./cookies.js"

export type Result =
  | {
      readonly kind: "redirect"
      readonly to: string
      readonly status: 302 | 303
      readonly cookies: readonly CookieWrite[]
    }
  | {
      readonly kind: "json"
      readonly status: number
      readonly body: unknown
      readonly headers: Readonly<Record<string, string>>
      readonly cookies: readonly CookieWrite[]
    }
  | {
      readonly kind: "page"
      readonly status: number
      readonly page: PageModel
      readonly cookies: readonly CookieWrite[]
    }
  | {
      readonly kind: "empty"
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly cookies: readonly CookieWrite[]
    }
  /** An error to be logged and shown, with the cookies that must be written all the same. */
  | { readonly kind: "failure"; readonly error: AuthErrorLike; readonly cookies: readonly CookieWrite[] }

export function redirect(to: string, cookies: readonly CookieWrite[] = [], status: 302 | 303 = 302): Result {
  return { kind: "redirect", to, status, cookies }
}

export function json(
  body: unknown,
  options: {
    readonly status?: number
    readonly headers?: Readonly<Record<string, string>>
    readonly cookies?: readonly CookieWrite[]
  } = {},
): Result {
  const { status = 200, headers = {}, cookies = [] } = options
  return { kind: "json", status, body, headers, cookies }
}

/** Problem details for an HTTP API (RFC 9457). */
export function problem(
  status: number,
  title: string,
  members: Readonly<Record<string, unknown>> = {},
  cookies: readonly CookieWrite[] = [],
): Result {
  const headers = { "content-type": "application/problem+json" }
  return { kind: "json", status, body: { title, status, ...members }, headers, cookies }
}

export function page(model: PageModel, status = 200, cookies: readonly CookieWrite[] = []): Result {
  return { kind: "page", status, page: model, cookies }
}

export function empty(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  cookies: readonly CookieWrite[] = [],
): Result {
  return { kind: "empty", status, headers, cookies }
}

export function failure(error: AuthErrorLike, cookies: readonly CookieWrite[] = []): Result {
  return { kind: "failure", error, cookies }
}

/** The same result, with `cookies` written before its own. Of two of one name its own counts. */
export function withCookies(result: Result, cookies: readonly CookieWrite[]): Result {
  if (cookies.length === 0) return result
  const own = new Set(result.cookies.map(({ name }) => name))
  return { ...result, cookies: [...cookies.filter(({ name }) => !own.has(name)), ...result.cookies] }
}
