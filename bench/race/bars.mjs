// @ts-check
import { spreadOf } from "../lib/stats.mjs"

/** @typedef {import("./compare.mjs").Entry} Entry */

/**
 * @typedef {object} RatioBar What one contender is to reach, in requests per second.
 * @property {string} workload Its letter in the table of bars.
 * @property {string} id
 * @property {string} than The contender that it is compared with, round by round.
 * @property {number} least
 */

/**
 * @param {readonly RatioBar[]} bars
 * @param {readonly Entry[]} entries
 * @returns {import("../lib/outcome.mjs").Bar[]} Without those of contenders that were not measured.
 */
export function measureBars(bars, entries) {
  return bars.flatMap((bar) => {
    const own = entries.find(({ id }) => id === bar.id)
    const other = entries.find(({ id }) => id === bar.than)
    return own && other ? [measureBar(bar, own, other)] : []
  })
}

/**
 * @param {RatioBar} bar
 * @param {Entry} own
 * @param {Entry} other
 * @returns {import("../lib/outcome.mjs").Bar}
 */
function measureBar({ workload, id, than, least }, own, other) {
  const compareBy = (/** @type {(own: Sample, other: Sample) => number} */ ratioOf) =>
    spreadOf(
      own.samples.flatMap((sample, round) => (other.samples[round] ? [ratioOf(sample, other.samples[round])] : [])),
    )
  const value = compareBy((one, another) => one.rate / another.rate)
  return {
    id: `${id}/${than}`,
    workload,
    what: `${own.label} / ${other.label}`,
    value,
    byCpu: compareBy((one, another) => another.micros / one.micros),
    goal: `≥ ${least.toFixed(2)}`,
    isMet: value.median >= least,
  }
}

/** @typedef {import("./measure.mjs").Sample} Sample */
