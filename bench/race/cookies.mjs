// @ts-check
import { randomBytes } from "node:crypto"

/** @typedef {keyof typeof shapes} CookieShape */

/** No two of them are alike, so that remembering one helps against none. */
const forgedCount = 10_000

const foreignBytes = 16 * 1024

const shapes = {
  /** Those of the sessions that the server has made. */
  own: (/** @type {readonly string[]} */ cookies) => cookies,
  none: () => [""],
  /** Each with the form of a real one, and a content that nobody ever issued. */
  forged: (/** @type {readonly string[]} */ [cookie = ""]) => Array.from({ length: forgedCount }, () => forge(cookie)),
  /** Behind cookies of other applications on the same host. */
  crowded: (/** @type {readonly string[]} */ cookies) => cookies.map((cookie) => `${foreign()}; ${cookie}`),
}

/**
 * @param {readonly string[]} cookies Values of the `Cookie` header.
 * @param {CookieShape} shape
 */
export function shapeCookies(cookies, shape) {
  return shapes[shape](cookies)
}

/**
 * Whoever forges a token copies the public head of a real one (RFC 7516, section 3.1), and makes up the rest.
 *
 * @param {string} cookie
 */
function forge(cookie) {
  const head = /^[^=]+=(?:eyJ[\w-]*\.)?/.exec(cookie)?.[0] ?? ""
  return head + cookie.slice(head.length).replace(/[\w-]+/g, ({ length }) => madeUp(length))
}

function foreign() {
  const size = 512
  const cookies = Array.from({ length: foreignBytes / size }, (_, index) => `app_${index}=`)
  return cookies.map((name) => name + madeUp(size - name.length - 2)).join("; ")
}

/** @param {number} length */
function madeUp(length) {
  return randomBytes(Math.floor((length * 3) / 4)).toString("base64url")
}
