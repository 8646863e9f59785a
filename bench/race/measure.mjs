// @ts-check
import { ask } from "../lib/pinned.mjs"

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */

/**
 * @typedef {object} Server
 * @property {string} id
 * @property {string} label
 * @property {ChildProcess} child
 * @property {ChildProcess} load What generates its load.
 * @property {string} url
 * @property {readonly string[]} cookies
 * @property {import("./contender.mjs").Contender["journey"]} journey
 * @property {import("./contender.mjs").Expected} expected
 * @property {number} warmUpSeconds Load before the first round.
 * @property {boolean} waits Whether it waits for another process, so that its share of a core tells nothing.
 */

/**
 * @typedef {object} Sample
 * @property {number} rate Requests per second.
 * @property {number} micros CPU time of the server process per request.
 * @property {number} busy Share of the time in which the server process had a core.
 * @property {number} failures Answers that were not the expected one.
 */

/** Below this share of a core, something else held the server back, and its rate says little. */
export const fullyBusy = 0.9

const attempts = 3

/**
 * Measures one server; again if it was disturbed. Of several samples the least disturbed counts, with all failures.
 *
 * @param {Server} server
 * @param {import("../lib/options.mjs").Options} options
 * @returns {Promise<Sample>}
 */
export async function measure(server, options) {
  let best = await measureOnce(server, options)
  for (let attempt = 1; attempt < attempts && !server.waits && best.busy < fullyBusy; attempt++) {
    const sample = await measureOnce(server, options)
    const failures = best.failures + sample.failures
    best = { ...(sample.busy > best.busy ? sample : best), failures }
  }
  return best
}

/**
 * @param {Server} server
 * @param {import("../lib/options.mjs").Options} options
 * @returns {Promise<Sample>}
 */
async function measureOnce(server, { connections, seconds }) {
  /** @type {number} */
  const microsBefore = await ask(server.child, "used")
  const seen = await applyLoad(server, connections, seconds)
  /** @type {number} */
  const micros = (await ask(server.child, "used")) - microsBefore
  return {
    rate: seen.requests / seen.seconds,
    micros: micros / seen.requests,
    busy: micros / 1e6 / seen.seconds,
    // A server that answers nothing at all fails too.
    failures: seen.failures + (seen.requests === 0 ? 1 : 0),
  }
}

/**
 * @param {Server} server
 * @param {number} connections
 * @param {number} seconds
 * @returns {Promise<import("../load/load.mjs").Load>}
 */
export async function applyLoad({ label, load, url, cookies, journey, expected }, connections, seconds) {
  /** @type {import("../load/load.mjs").Load} */
  const seen = await ask(load, { url, cookies, journey, expected, connections, seconds })
  if (seen.problem) console.error(`${label}: ${seen.problem}`)
  return seen
}
