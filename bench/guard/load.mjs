// @ts-check
// The load generator: a process of its own, which answers each job it is sent with what it saw.
// @ts-expect-error The package has no types.
import autocannon from "autocannon"
import { expectedBody } from "./user.mjs"

/**
 * @typedef {object} Job
 * @property {string} url
 * @property {readonly string[]} cookies Dealt out among the connections; each goes round its share.
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * @typedef {object} Load
 * @property {number} requests Answered with status 2xx.
 * @property {number} failures Other statuses, wrong bodies, socket errors and timeouts.
 * @property {number} seconds From the first request to the last answer.
 */

process.on("message", async (/** @type {Job} */ job) => process.send?.(await applyLoad(job)))
process.on("disconnect", () => process.exit())

/**
 * @param {Job} job
 * @returns {Promise<Load>}
 */
async function applyLoad({ url, cookies, connections, seconds }) {
  let connection = 0
  let startedAt = 0
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    pipelining: 1,
    // A run only ends at the end of a sample, in milliseconds.
    sampleInt: 50,
    expectBody: expectedBody,
    setupClient: (/** @type {any} */ client) => client.setRequests(shareOf(cookies, connection++, connections)),
  })
  // Preparing the requests takes time too, which is not the server's.
  run.on("start", () => (startedAt = performance.now()))
  const result = await run
  return {
    requests: result["2xx"],
    failures: result.non2xx + result.mismatches + result.errors + result.timeouts,
    seconds: (performance.now() - startedAt) / 1000,
  }
}

/**
 * @param {readonly string[]} cookies
 * @param {number} connection
 * @param {number} connections
 */
function shareOf(cookies, connection, connections) {
  if (cookies.length < connections) return [{ headers: { cookie: cookies[connection % cookies.length] } }]
  return cookies.filter((_, index) => index % connections === connection).map((cookie) => ({ headers: { cookie } }))
}
