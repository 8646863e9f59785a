// @ts-check

/** @typedef {import("./contender.mjs").Expected} Expected */

/**
 * Makes sure that a server does what is to be measured: lets the session in, and nobody without a real one.
 *
 * @param {string} label
 * @param {string} url The guarded route.
 * @param {readonly string[]} cookies The first and the last are tried.
 * @param {{ admits: "open" | "guarded" | "stored", expected: Expected }} how
 */
export async function assertGuards(label, url, cookies, { admits, expected }) {
  for (const cookie of new Set([cookies[0] ?? "", cookies.at(-1) ?? ""])) {
    await assertAnswers(label, url, cookie, expected)
  }
  if (admits === "open") return
  await assertRefuses(label, url, "")
  if (admits === "stored") await assertRefuses(label, url, withMadeUpValues(cookies[0] ?? ""))
}

/**
 * @param {string} label
 * @param {string} url
 * @param {string} cookie
 * @param {Expected} expected
 */
export async function assertAnswers(label, url, cookie, expected) {
  const response = await fetch(url, { headers: cookie ? { cookie } : {}, redirect: "manual" })
  const body = await response.text()
  if (response.status === expected.status && isExpectedBody(body, expected)) return
  const wanted = `${expected.status} ${expected.body ?? expected.part ?? ""}`
  throw new Error(`${label}: expected ${wanted} from ${url}, got ${response.status} ${body.slice(0, 300)}`)
}

/**
 * @param {string} body
 * @param {Expected} expected
 */
export function isExpectedBody(body, { body: whole, part }) {
  return (whole === undefined || body === whole) && (part === undefined || body.includes(part))
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
async function assertRefuses(label, url, cookie) {
  const { status } = await fetch(url, { headers: cookie ? { cookie } : {}, redirect: "manual" })
  if (status === 401 || (status >= 300 && status < 400)) return
  const without = cookie ? "with made-up cookies" : "without a session"
  throw new Error(`${label}: expected 401 or a redirect ${without}, got ${status}`)
}
