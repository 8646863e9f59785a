/** Writing an answer into a response of Express, Connect or plain Node. */
import type { ServerResponse } from "node:http"
import { serializeCookie, type CookieWrite } from "../core/http/cookies.js"
import { toRecord, type Answer } from "../core/http/response.js"

/** Adds cookies to a response, whatever others it has. Its headers must not have left yet. */
export function appendCookies(res: ServerResponse, cookies: readonly CookieWrite[]): void {
  if (cookies.length === 0 || res.headersSent) return
  const present = res.getHeader("set-cookie")
  const earlier = present === undefined ? [] : [present].flat().map(String)
  res.setHeader("set-cookie", [...earlier, ...cookies.map(serializeCookie)])
  // A shared cache that kept this response would hand one person's session to the next.
  if (!res.hasHeader("cache-control")) res.setHeader("cache-control", "private, no-store")
  if (!String(res.getHeader("vary") ?? "").includes("Cookie")) res.appendHeader("vary", "Cookie")
}

/** Answers, and ends the response. A HEAD request gets the headers alone. */
export function writeAnswer(res: ServerResponse, answer: Answer, method: string | undefined): void {
  const { status = 200, headers, body, redirect } = toRecord(answer)
  res.statusCode = status
  headers?.forEach((value, name) => res.setHeader(name, value))
  if (redirect !== undefined) res.setHeader("location", redirect)
  appendCookies(res, answer.cookies)
  const text =
    body === undefined ? "" : answer.kind === "page" && typeof body === "string" ? body : JSON.stringify(body)
  res.setHeader("content-length", Buffer.byteLength(text))
  res.end(method === "HEAD" ? undefined : text)
}
