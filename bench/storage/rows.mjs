// @ts-check
// What the databases of the storage benchmark are filled with. Everything follows from a number, so that nothing has to
// be remembered: PostgreSQL makes the same values by itself.
import { createHash } from "node:crypto"

/** @typedef {{ sessions: number, users: number }} Size */

/** Of the small database. */
export const smallSessions = 1000

const sessionsPerUser = 10

/**
 * @param {number} sessions
 * @returns {Size} Every user has ten sessions, one account, one passkey, and one e-mail link that was not followed yet.
 */
export function sizeOf(sessions) {
  return { sessions, users: Math.ceil(sessions / sessionsPerUser) }
}

/**
 * As random as a real one: in no order, and with 128 bits.
 *
 * @param {"user" | "session" | "token"} kind
 * @param {number} index
 */
export function uuidOf(kind, index) {
  const hex = createHash("md5").update(`${kind} ${index}`).digest("hex")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/** In seconds from now; spread over 29 days, and not one of them before tomorrow. */
export const secondsToExpiry = { least: 86_400, range: 28 * 86_400 }

/** @param {number} index */
export function expiryOf(index) {
  return new Date(Date.now() + (secondsToExpiry.least + (index % secondsToExpiry.range)) * 1000)
}
