// @ts-check
// A load generator: a process of its own, which first tells what the servers have to know of it, and then answers each
// job it is sent with what it saw.

/**
 * @typedef {object} Job
 * @property {string} url
 * @property {readonly string[]} cookies Values of the `Cookie` header, each dealt to one connection.
 * @property {import("./journeys.mjs").JourneyName} [journey] How to sign in, where that is the load.
 * @property {import("../race/contender.mjs").Expected} expected
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * @typedef {object} Load
 * @property {number} requests Those that were answered as expected.
 * @property {number} failures Everything else: other statuses, wrong bodies, socket errors and timeouts.
 * @property {number} seconds From the first request to the last answer.
 * @property {string} [problem] What the first failure was, where that is known.
 */

/**
 * @param {(job: Job) => Promise<Load>} applyLoad
 * @param {readonly string[]} serverArgs Arguments of all servers, after their own.
 */
export function generate(applyLoad, serverArgs = []) {
  process.send?.({ serverArgs })
  process.on("message", async (/** @type {Job} */ job) => process.send?.(await applyLoad(job)))
  process.on("disconnect", () => process.exit())
}
