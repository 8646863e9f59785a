// @ts-check
// A load generator: a process of its own, which answers each job it is sent with what it saw.

/**
 * @typedef {object} Job
 * @property {string} url
 * @property {readonly string[]} cookies Values of the `Cookie` header, each dealt to one connection.
 * @property {import("../race/contender.mjs").Expected} expected
 * @property {number} connections
 * @property {number} seconds
 */

/**
 * @typedef {object} Load
 * @property {number} requests Those that were answered as expected.
 * @property {number} failures Everything else: other statuses, wrong bodies, socket errors and timeouts.
 * @property {number} seconds From the first request to the last answer.
 */

/** @param {(job: Job) => Promise<Load>} applyLoad */
export function generate(applyLoad) {
  process.on("message", async (/** @type {Job} */ job) => process.send?.(await applyLoad(job)))
  process.on("disconnect", () => process.exit())
}
