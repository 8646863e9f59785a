// @ts-check
// The same request over and over, with one cookie after the other.
// @ts-expect-error The package has no types.
import autocannon from "autocannon"
import { isExpectedBody } from "../race/check.mjs"
import { generate } from "./load.mjs"

generate(applyLoad)

/** How many requests each server has had: the next run goes on with the cookie after the last. @type {Map<string, number>} */
const asked = new Map()

/**
 * @param {import("./load.mjs").Job} job
 * @returns {Promise<import("./load.mjs").Load>}
 */
async function applyLoad({ url, cookies, expected, connections, seconds }) {
  const first = (asked.get(url) ?? 0) % cookies.length
  const rotated = [...cookies.slice(first), ...cookies.slice(0, first)]
  let connection = 0
  let startedAt = 0
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    pipelining: 1,
    // A run only ends at the end of a sample, in milliseconds.
    sampleInt: 50,
    verifyBody: (/** @type {string} */ body) => isExpectedBody(body, expected),
    setupClient: (/** @type {any} */ client) => client.setRequests(shareOf(rotated, connection++, connections)),
  })
  // Preparing the requests takes time too, which is not the server's.
  run.on("start", () => (startedAt = performance.now()))
  const result = await run
  const requests = result.statusCodeStats[expected.status]?.count ?? 0
  const answers = result.requests.total
  asked.set(url, first + answers)
  return {
    requests,
    failures: answers - requests + result.mismatches + result.errors + result.timeouts,
    seconds: (performance.now() - startedAt) / 1000,
  }
}

/**
 * @param {readonly string[]} cookies
 * @param {number} connection
 * @param {number} connections
 */
function shareOf(cookies, connection, connections) {
  if (cookies.length < connections) return [requestWith(cookies[connection % cookies.length])]
  return cookies.filter((_, index) => index % connections === connection).map(requestWith)
}

/** @param {string | undefined} cookie */
function requestWith(cookie) {
  return { headers: cookie ? { cookie } : {} }
}
