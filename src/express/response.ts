/** Writing an answer into a response of Express, Connect or plain Node. */
import type { ServerResponse } from "node:http"
import { serializeCookie, type CookieWrite } from "../core/http/cookies.js"
import { render, type Answer } from "../core/http/response.js"

/** Adds cookies to an application's response, whatever others it has. Its headers must not have left yet. */
export function appendCookies(res: ServerResponse, cookies: readonly CookieWrite[]): void {
  if (cookies.length === 0 || res.headersSent) return
  setCookies(res, cookies)
  keepPrivate(res)
}

function setCookies(res: ServerResponse, cookies: readonly CookieWrite[]): void {
  const present = res.getHeader("set-cookie")
  const earlier = present === undefined ? [] : [present].flat().map(String)
  res.setHeader("set-cookie", [...earlier, ...cookies.map(serializeCookie)])
}

/**
 * A shared cache that kept a response with somebody's session cookie would hand it to the next person. Whatever the app
 * says of caching later, it did not know of the cookie.
 */
function keepPrivate(res: ServerResponse): void {
  addVary(res, "Cookie")
  const { writeHead } = res
  const patched = (...given: Parameters<typeof writeHead>) => {
    res.writeHead = writeHead
    const said = [res.getHeader("cache-control") ?? ""].flat().join(", ")
    if (!/\b(?:private|no-store)\b/.test(said)) res.setHeader("cache-control", "private, no-store")
    addVary(res, "Cookie")
    return res.writeHead(...given)
  }
  res.writeHead = patched as typeof writeHead
}

/** A response that was made with a look at the session is another one for the next person (RFC 9110, section 12.5.5). */
export function dependOnCookie(res: ServerResponse): void {
  if (!res.headersSent) addVary(res, "Cookie")
}

function addVary(res: ServerResponse, name: string): void {
  const given = res.getHeader("vary")
  if (given === undefined) return void res.setHeader("vary", name)
  if (given === name) return
  const present = [given].flat().join(", ")
  if (!present.toLowerCase().split(/, */).includes(name.toLowerCase())) res.appendHeader("vary", name)
}

/** Answers, and ends the response. A HEAD request gets the headers alone. */
export function writeAnswer(res: ServerResponse, answer: Answer, method: string | undefined): void {
  const { status, headers, text = "" } = render(answer)
  res.statusCode = status
  for (const [name, value] of Object.entries(headers)) {
    if (name === "vary") addVary(res, value)
    else res.setHeader(name, value)
  }
  if (answer.cookies.length > 0) setCookies(res, answer.cookies)
  res.setHeader("content-length", Buffer.byteLength(text))
  res.end(method === "HEAD" ? undefined : text)
}
