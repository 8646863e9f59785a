// @ts-check
import { parseArgs } from "node:util"

/**
 * @typedef {object} Options
 * @property {readonly string[]} benchmarks What to measure. Default all.
 * @property {number} rounds How often every contender is measured. Default 5.
 * @property {number} seconds Length of one measurement, without its warm-up. Default 2.
 * @property {number} connections Keep-alive connections of the load generator. Default 32.
 * @property {readonly string[]} only Ids of the contenders to measure, besides the bare route. Empty: all of them.
 * @property {number} sessions How many sessions the large database of the storage benchmark has. Default a million.
 */

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} names What there is to measure, in this order.
 * @returns {Options}
 */
export function readOptions(args, names) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      connections: { type: "string", default: "32" },
      only: { type: "string", default: "" },
      sessions: { type: "string", default: "1000000" },
    },
  })
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`expected ${names.join(", ")} or nothing for everything, got "${unknown}"`)
  return {
    benchmarks: names.filter((name) => positionals.length === 0 || positionals.includes(name)),
    rounds: Math.ceil(readPositive("rounds", values.rounds)),
    seconds: readPositive("seconds", values.seconds),
    connections: Math.ceil(readPositive("connections", values.connections)),
    only: values.only.split(",").filter(Boolean),
    sessions: readSessions(values.sessions),
  }
}

/**
 * Databases read small tables from beginning to end, whatever indexes there are.
 *
 * @param {string} text
 */
function readSessions(text) {
  const sessions = Math.ceil(readPositive("sessions", text))
  if (sessions >= 10_000) return sessions
  throw new Error(`--sessions must be 10000 or more, got "${text}"`)
}

/**
 * @param {string} name
 * @param {string} text
 */
function readPositive(name, text) {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${name} must be a number above 0, got "${text}"`)
}
