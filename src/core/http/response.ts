/** Results become Responses here, and nowhere else. */
import { contentSecurityPolicy, renderPage } from "../pages/render.js"
import type { ResponseInternal } from "../types.js"
import { randomHex } from "../crypto/hash.js"
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

/** A Response for whoever asked. */
export function toResponse(answer: Answer): Response {
  const { status, headers, body, redirect } = toRecord(answer)
  const text =
    body === undefined ? null : typeof body === "string" && answer.kind === "page" ? body : JSON.stringify(body)
  const response = new Headers(headers)
  if (redirect !== undefined) response.set("location", redirect)
  for (const cookie of answer.cookies) response.append("set-cookie", serializeCookie(cookie))
  return new Response(text, { status, headers: response })
}

/** The record that `Auth` returns in raw mode. */
export function toRecord(answer: Answer): ResponseInternal {
  const cookies = answer.cookies.map(({ name, value, options }: CookieWrite) => ({ name, value, options }))
  switch (answer.kind) {
    case "redirect":
      return { status: answer.status, headers: new Headers(privateHeaders), redirect: answer.to, cookies }
    case "json": {
      const headers = new Headers({ ...privateHeaders, "content-type": "application/json", ...answer.headers })
      return { status: answer.status, headers, body: answer.body as ResponseInternal["body"], cookies }
    }
    case "page": {
      const nonce = randomHex(16)
      const headers = new Headers({ ...privateHeaders, ...pageHeaders })
      headers.set("content-security-policy", contentSecurityPolicy(answer.page, nonce))
      return { status: answer.status, headers, body: renderPage(answer.page, nonce), cookies }
    }
    case "empty":
      return { status: answer.status, headers: new Headers({ ...privateHeaders, ...answer.headers }), cookies }
    default:
      return unreachable(answer)
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

function unreachable(answer: never): never {
  throw new TypeError(`no such kind of result: ${String(answer)}`)
}
