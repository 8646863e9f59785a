// @ts-check
import { expectedBody } from "./user.mjs"

/**
 * Makes sure that a server does what is to be measured: lets the session in, and nobody without a real one.
 *
 * @param {string} label
 * @param {string} url The guarded route.
 * @param {readonly string[]} cookies The first and the last are tried.
 * @param {"open" | "guarded" | "stored"} kind Whether everybody gets in, or a store says who does.
 */
export async function assertGuards(label, url, cookies, kind) {
  for (const cookie of new Set([cookies[0] ?? "", cookies.at(-1) ?? ""])) await assertAdmits(label, url, cookie)
  if (kind === "open") return
  await assertRefuses(label, url, "")
  if (kind === "stored") await assertRefuses(label, url, withMadeUpValues(cookies[0] ?? ""))
}

/**
 * The same cookies, with values that nobody ever issued.
 *
 * @param {string} cookies
 */
function withMadeUpValues(cookies) {
  return cookies.replace(/=([^;]*)/g, (_, value) => `=${"x".repeat(value.length)}`)
}

/**
 * @param {string} label
 * @param {string} url
 * @param {string} cookie
 */
async function assertAdmits(label, url, cookie) {
  const response = await fetch(url, { headers: { cookie }, redirect: "manual" })
  const body = await response.text()
  if (response.status === 200 && body === expectedBody) return
  throw new Error(`${label}: expected 200 ${expectedBody} with a session, got ${response.status} ${body.slice(0, 300)}`)
}

/**
 * @param {string} label
 * @param {string} url
 * @param {string} cookie
 */
async function assertRefuses(label, url, cookie) {
  const { status } = await fetch(url, { headers: cookie ? { cookie } : {}, redirect: "manual" })
  if (status === 401 || (status >= 300 && status < 400)) return
  const without = cookie ? "with made-up cookies" : "without a session"
  throw new Error(`${label}: expected 401 or a redirect ${without}, got ${status}`)
}
