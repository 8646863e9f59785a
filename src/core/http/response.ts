/** Results become Responses here, and nowhere else. */
import { randomHex } from "#hash"
import { contentSecurityPolicy, renderPage } from "../pages/render.js"
import type { ResponseInternal } from "../types.js"
import { unreachable } from "../unreachable.js"
import { serializeCookie, type CookieWrite } from "./cookies.js"
import type { Result } from "./result.js"

/** A result that can be answered: failures have been turned into one of the others. */
export type Answer = Exclude<Result, { readonly kind: "failure" }>

/** No answer of ours may be kept or shared: it belongs to one person, at one moment. */
const privateHeaders: Readonly<Record<string, string>> = {
  "cache-control": "private, no-cache, no-store",
  expires: "0",
  pragma: "no-cache",
  vary: "Cookie",
}

const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // `no-referrer` would make browsers send `Origin: null` with our own forms, which frameworks refuse.
  "referrer-policy": "same-origin",
}

/** An answer as it goes over the wire, without its cookies. */
export interface Rendered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string | undefined
}

export function render(answer: Answer): Rendered {
  const { status } = answer
  switch (answer.kind) {
    case "redirect":
      return { status, headers: { ...privateHeaders, location: answer.to }, text: undefined }
    case "json": {
      const headers = { ...privateHeaders, "content-type": "application/json", ...answer.headers }
      return { status, headers, text: JSON.stringify(answer.body) }
    }
    case "page": {
      const nonce = randomHex(16)
      const policy = contentSecurityPolicy(answer.page, nonce)
      const headers = { ...privateHeaders, ...pageHeaders, "content-security-policy": policy }
      return { status, headers, text: renderPage(answer.page, nonce) }
    }
    case "empty":
      return { status, headers: { ...privateHeaders, ...answer.headers }, text: undefined }
    default:
      return unreachable(answer, "kind of result")
  }
}

/** A Response for whoever asked. */
export function toResponse(answer: Answer): Response {
  const { status, headers, text } = render(answer)
  const all = new Headers(headers)
  for (const cookie of answer.cookies) all.append("set-cookie", serializeCookie(cookie))
  return new Response(text, { status, headers: all })
}

/** The record that `Auth` returns in raw mode. */
export function toRecord(answer: Answer): ResponseInternal {
  const { status, headers, text } = render(answer)
  const cookies = answer.cookies.map(({ name, value, options }: CookieWrite) => ({ name, value, options }))
  switch (answer.kind) {
    case "redirect":
      return { status, headers: new Headers(privateHeaders), redirect: answer.to, cookies }
    case "json":
      return { status, headers: new Headers(headers), body: answer.body as ResponseInternal["body"], cookies }
    case "page":
      return { status, headers: new Headers(headers), body: text, cookies }
    case "empty":
      return { status, headers: new Headers(headers), cookies }
    default:
      return unreachable(answer, "kind of result")
  }
}

/** Under `X-Auth-Return-Redirect` a redirect is told in JSON, with its headers and cookies. */
export function withReturnedRedirect(answer: Answer): Answer {
  if (answer.kind !== "redirect") return answer
  return {
    kind: "json",
    status: 200,
    body: { url: answer.to },
    headers: { location: answer.to },
    cookies: answer.cookies,
  }
}
