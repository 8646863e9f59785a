// @ts-check
import { randomInt, randomUUID } from "node:crypto"
import { uuidOf } from "./rows.mjs"

/** @typedef {{ median: number, p95: number }} Times Microseconds. */
/** @typedef {{ adapter: import("./measure.mjs").Adapter, sessions: number, users: number }} FilledSite */

const reads = 2000
const writes = 100

/**
 * What is timed: each calls the adapter over and over, one call after the other, and leaves as many rows as there were.
 *
 * @type {Readonly<Record<string, (site: FilledSite) => Promise<Times>>>}
 */
export const operations = {
  async getSessionAndUser({ adapter, sessions }) {
    const tokens = Array.from({ length: reads }, () => uuidOf("session", randomInt(sessions)))
    const isRight = (/** @type {any} */ found, /** @type {string} */ token) => found?.session.sessionToken === token
    return timeEach(tokens, (token) => adapter.getSessionAndUser(token), isRight)
  },

  async "getSessionAndUser, unknown token"({ adapter }) {
    const tokens = Array.from({ length: reads }, () => randomUUID())
    return timeEach(
      tokens,
      (token) => adapter.getSessionAndUser(token),
      (found) => found === null,
    )
  },

  async createSession({ adapter, users }) {
    const sessions = makeSessions(users)
    const times = await timeEach(sessions, (session) => adapter.createSession(session))
    for (const { sessionToken } of sessions) await adapter.deleteSession(sessionToken)
    return times
  },

  async updateSession({ adapter, sessions }) {
    const tokens = Array.from({ length: writes }, () => uuidOf("session", randomInt(sessions)))
    const expires = inAnHour()
    return timeEach(tokens, (sessionToken) => adapter.updateSession({ sessionToken, expires }), Boolean)
  },

  async deleteSession({ adapter, users }) {
    const sessions = makeSessions(users)
    for (const session of sessions) await adapter.createSession(session)
    return timeEach(sessions, ({ sessionToken }) => adapter.deleteSession(sessionToken), Boolean)
  },

  async useVerificationToken({ adapter }) {
    const tokens = Array.from({ length: writes }, () => ({ identifier: "a@example.com", token: randomUUID() }))
    for (const token of tokens) await adapter.createVerificationToken({ ...token, expires: inAnHour() })
    return timeEach(tokens, (token) => adapter.useVerificationToken(token), Boolean)
  },
}

/** @param {number} users */
function makeSessions(users) {
  return Array.from({ length: writes }, () => ({
    sessionToken: randomUUID(),
    userId: uuidOf("user", randomInt(users)),
    expires: inAnHour(),
  }))
}

function inAnHour() {
  return new Date(Date.now() + 3_600_000)
}

/**
 * @template T
 * @param {readonly T[]} inputs
 * @param {(input: T) => unknown} call
 * @param {(answer: unknown, input: T) => boolean} isRight
 * @returns {Promise<Times>}
 */
async function timeEach(inputs, call, isRight = () => true) {
  const micros = new Float64Array(inputs.length)
  for (const [index, input] of inputs.entries()) {
    const startedAt = performance.now()
    const answer = await call(input)
    micros[index] = (performance.now() - startedAt) * 1000
    if (!isRight(answer, input)) throw new Error("the adapter gave a wrong answer")
  }
  micros.sort()
  const at = (/** @type {number} */ share) => micros[Math.floor(share * (micros.length - 1))] ?? Number.NaN
  return { median: at(0.5), p95: at(0.95) }
}
