// @ts-check
// Whole sign-ins, one after the other, each with a new browser. The provider runs here as well: what it costs is not the servers'.
import { isExpectedBody } from "../race/check.mjs"
import { openConnections } from "./browser.mjs"
import { generate } from "./load.mjs"
import { startProvider } from "./openid-provider.mjs"
import { signIn } from "./sign-in.mjs"

/** One in so many asks for the guarded route as well, to see that the session is one. */
const checkedShare = 100

generate(applyLoad, [await startProvider()])

/** @typedef {import("./load.mjs").Job} Job */
/** @typedef {Omit<import("./load.mjs").Load, "seconds"> & { started: number }} Tally */

/**
 * @param {Job} job
 * @returns {Promise<import("./load.mjs").Load>}
 */
async function applyLoad(job) {
  /** @type {Tally} */
  const tally = { started: 0, requests: 0, failures: 0 }
  const agent = openConnections(job.connections)
  const startedAt = performance.now()
  const until = startedAt + job.seconds * 1000
  await Promise.all(Array.from({ length: job.connections }, () => signInUntil(until, agent, job, tally)))
  const seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  return { requests: tally.requests, failures: tally.failures, problem: tally.problem, seconds }
}

/**
 * @param {number} until What is under way then is finished.
 * @param {import("node:http").Agent} agent
 * @param {Job} job
 * @param {Tally} tally Counts what happens.
 */
async function signInUntil(until, agent, job, tally) {
  while (performance.now() < until) {
    try {
      await signInAndCheck(agent, job, tally.started++ % checkedShare === 0)
      tally.requests++
    } catch (error) {
      tally.failures++
      tally.problem ??= `${error}`
    }
  }
}

/**
 * @param {import("node:http").Agent} agent
 * @param {Job} job
 * @param {boolean} isChecked
 */
async function signInAndCheck(agent, { url, journey, expected }, isChecked) {
  if (!journey) throw new Error("expected a journey to sign in by")
  const browser = await signIn(agent, new URL(url).origin, journey)
  if (!isChecked) return
  const { status, body } = await browser.visit({ url })
  if (status === expected.status && isExpectedBody(body, expected)) return
  throw new Error(`expected the new session to be let in at ${url}, got ${status} ${body.slice(0, 300)}`)
}
