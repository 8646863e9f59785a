// @ts-check
import { parseArgs } from "node:util"

/**
 * @typedef {object} Options
 * @property {number} rounds How often every contender is measured. Default 5.
 * @property {number} seconds Length of one measurement, without its warm-up. Default 2.
 * @property {number} connections Keep-alive connections of the load generator. Default 32.
 * @property {readonly string[]} only Ids of the contenders to measure, besides the bare route. Empty: all of them.
 * @property {boolean} tokens Whether the opening of tokens is measured too. Default true.
 */

/**
 * @param {string[]} args
 * @returns {Options}
 */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      connections: { type: "string", default: "32" },
      only: { type: "string", default: "" },
      "no-tokens": { type: "boolean", default: false },
    },
  })
  return {
    rounds: Math.ceil(readPositive("rounds", values.rounds)),
    seconds: readPositive("seconds", values.seconds),
    connections: Math.ceil(readPositive("connections", values.connections)),
    only: values.only.split(",").filter(Boolean),
    tokens: !values["no-tokens"],
  }
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
