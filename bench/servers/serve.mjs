// @ts-check
import { createServer } from "node:http"
import { leave } from "../lib/leave.mjs"

// Room for the cookies of other applications as well.
const maxHeaderSize = 32 * 1024

/**
 * Starts one contender: listens on a free port, obtains valid session cookies, and tells the runner both.
 * Afterwards it answers each message with the CPU time used so far, in microseconds.
 *
 * @param {import("express").Express} app
 * @param {(origin: string) => Promise<string[]>} obtainCookies Values of the `Cookie` header, each a valid session.
 */
export function serve(app, obtainCookies) {
  const server = createServer({ maxHeaderSize }, app).listen(0, "127.0.0.1", async () => {
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("expected a TCP port to listen on")
    const origin = `http://127.0.0.1:${address.port}`
    tellRunner({ origin, cookies: await obtainCookies(origin) })
  })
  process.on("message", () => tellRunner(usedMicros()))
  process.on("disconnect", () => leave(0))
}

/**
 * Signs in with a POST.
 *
 * @param {string} url
 * @returns {Promise<string[]>} The cookies of the one session.
 */
export async function signInAt(url) {
  const response = await fetch(url, { method: "POST" })
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`)
  return [cookiesOf(response)]
}

/**
 * Signs in with so many POSTs, each to a new session.
 *
 * @param {string} url
 * @param {number} count
 */
export async function signInOften(url, count) {
  const cookies = []
  for (let index = 0; index < count; index++) cookies.push(...(await signInAt(url)))
  return cookies
}

/**
 * The `Cookie` header that a browser would send after this response.
 *
 * @param {Response} response
 */
export function cookiesOf(response) {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ")
}

function usedMicros() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** @param {unknown} message Printed where there is no runner, so that a server can also be started by hand. */
function tellRunner(message) {
  if (process.send) process.send(message)
  else console.log(JSON.stringify(message))
}
