// @ts-check
import { openBrowser, openConnections } from "./browser.mjs"
import { journeys } from "./journeys.mjs"

/** @typedef {import("./browser.mjs").Answer} Answer */
/** @typedef {import("./journeys.mjs").Step} Step */

/**
 * Signs in with a new browser.
 *
 * @param {import("node:http").Agent} agent
 * @param {string} origin
 * @param {import("./journeys.mjs").JourneyName} name
 * @returns The browser, which has a session then.
 * @throws {Error} Where something does not go as expected.
 */
export async function signIn(agent, origin, name) {
  const { steps, session } = journeys[name]
  const browser = openBrowser(agent, origin)
  /** @type {Answer} */
  let last = { status: 0, location: "", cookies: [], body: "" }
  for (const step of steps) {
    const url = typeof step.to === "string" ? origin + step.to : step.to(last)
    last = await browser.visit({ url, ...step.sends?.(last) })
    if (last.status !== step.status) throw unexpected(step, url, last)
  }
  const isSignedIn = last.cookies.some((cookie) => cookie.startsWith(`${session}=`) || cookie.startsWith(`${session}.`))
  if (!isSignedIn) throw new Error(`expected the cookie ${session} at last, got a redirect to ${last.location}`)
  return browser
}

/**
 * The `Cookie` header of one new session, for a server that is being started.
 *
 * @param {string} origin
 * @param {import("./journeys.mjs").JourneyName} name
 */
export async function signInOnce(origin, name) {
  const agent = openConnections(1)
  const browser = await signIn(agent, origin, name)
  agent.destroy()
  return browser.readCookies()
}

/**
 * @param {Step} step
 * @param {string} url
 * @param {Answer} answer
 */
function unexpected({ status: wanted }, url, { status, location, body }) {
  const instead = location || body.slice(0, 300).replace(/\s+/g, " ")
  return new Error(`expected ${wanted} from ${url}, got ${status} ${instead}`)
}
