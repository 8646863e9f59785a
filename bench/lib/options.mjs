// @ts-check
import { parseArgs } from "node:util"

/**
 * @typedef {object} Options
 * @property {readonly string[]} benchmarks What to measure. Default all.
 * @property {boolean} isWhole Whether that is everything there is, with all contenders.
 * @property {number} rounds How often every contender is measured. Default 24.
 * @property {number} seconds Length of one measurement, without its warm-up. Default 0.25.
 * @property {number} connections Keep-alive connections of the load generator. Default 32.
 * @property {readonly string[]} only Ids of the contenders to measure, besides the bare route. Empty: all of them.
 * @property {number} sessions How many sessions the large database of the storage benchmark has. Default a million.
 * @property {boolean} isHelpWanted Whether to tell the names and options, and measure nothing.
 */

const settings = /** @type {const} */ ({
  rounds: { type: "string", default: "24", value: "<n>", what: "how often every contender is measured" },
  seconds: { type: "string", default: "0.25", value: "<n>", what: "length of one measurement, without its warm-up" },
  connections: { type: "string", default: "32", value: "<n>", what: "connections of the load generator" },
  only: {
    type: "string",
    default: "",
    value: "<id,id>",
    what: "contenders of the races and of start, besides the bare route",
  },
  sessions: { type: "string", default: "1000000", value: "<n>", what: "sessions of the large database of storage" },
  help: { type: "boolean", default: false, value: "", what: "this text" },
})

/**
 * @param {readonly string[]} args
 * @param {readonly string[]} names What there is to measure, in this order.
 * @param {readonly string[]} contenderIds What `--only` can name.
 * @returns {Options}
 */
export function readOptions(args, names, contenderIds) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: settings })
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`expected ${names.join(", ")} or nothing for everything, got "${unknown}"`)
  const only = values.only.split(",").filter(Boolean)
  const stranger = only.find((id) => !contenderIds.includes(id))
  if (stranger !== undefined) throw new Error(`--only knows ${contenderIds.join(", ")}; got "${stranger}"`)
  return {
    benchmarks: names.filter((name) => positionals.length === 0 || positionals.includes(name)),
    isWhole: args.length === 0,
    rounds: Math.ceil(readPositive("rounds", values.rounds)),
    seconds: readPositive("seconds", values.seconds),
    connections: Math.ceil(readPositive("connections", values.connections)),
    only,
    sessions: readSessions(values.sessions),
    isHelpWanted: values.help,
  }
}

/** @param {readonly string[]} names What there is to measure. */
export function describeUsage(names) {
  const lines = Object.entries(settings).map(([name, { value, what, default: usual }]) => {
    const option = `  --${name} ${value}`.padEnd(22)
    return usual ? `${option}${what}; ${usual} unless told` : `${option}${what}`
  })
  return [
    "npm run bench -- [name …] [option …]",
    "",
    `Names: ${names.join(", ")}. Without any, everything is measured.`,
    "",
    ...lines,
    "",
    "A run without names and options writes bench/RESULTS.md and bench/results.svg.",
  ].join("\n")
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
