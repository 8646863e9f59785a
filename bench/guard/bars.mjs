// @ts-check
import { spreadOf } from "../lib/stats.mjs"
import { renderTable } from "../lib/table.mjs"

/**
 * @typedef {object} Bar What one contender is to reach, in requests per second.
 * @property {string} id
 * @property {string} than The contender that it is compared with, round by round.
 * @property {number} least
 */

/** @type {readonly Bar[]} */
const bars = [
  { id: "latchkey-sqlite", than: "bare", least: 0.75 },
  { id: "latchkey-postgres", than: "auth-express-postgres", least: 2 },
  { id: "latchkey-redis", than: "express-session-redis", least: 1 },
  { id: "latchkey-redis", than: "express-session-redis-read", least: 1 },
]

/**
 * @param {readonly import("./compare.mjs").Guard[]} guards
 * @returns {string} Nothing where none of those that have a bar was measured.
 */
export function renderBars(guards) {
  const rows = bars.flatMap((bar) => {
    const own = guards.find(({ id }) => id === bar.id)
    const other = guards.find(({ id }) => id === bar.than)
    return own && other ? [describe(bar, own, other)] : []
  })
  return rows.length === 0 ? "" : `\n${renderTable(["Bar, by req/s", "times", "min–max", "at least", "met"], rows)}`
}

/**
 * @param {Bar} bar
 * @param {import("./compare.mjs").Guard} own
 * @param {import("./compare.mjs").Guard} other
 */
function describe({ least }, own, other) {
  const { median, min, max } = spreadOf(own.rates.map((rate, round) => rate / (other.rates[round] ?? Number.NaN)))
  return [
    `${own.label} / ${other.label}`,
    median.toFixed(2),
    `${min.toFixed(2)}–${max.toFixed(2)}`,
    least.toFixed(2),
    median >= least ? "yes" : "no",
  ]
}
