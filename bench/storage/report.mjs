// @ts-check
import { spreadOf } from "../lib/stats.mjs"
import { renderTable } from "../lib/table.mjs"
import { sizeOf, smallSessions } from "./rows.mjs"

/** @typedef {{ name: string, measurement: import("./measure.mjs").Measurement }} Measured */
/** @typedef {import("./operations.mjs").Times} Times */

/** How much longer a lookup may take in the large database. Writes have no bar: they wait for the disk. */
const most = 1.5

/** @param {number} sessions Of the large database. */
export function sizesIn(sessions) {
  return [smallSessions, sessions].map(describeSize).join(" and ")
}

/** @param {number} sessions */
function describeSize(sessions) {
  return `${sessions.toLocaleString("en")} sessions of ${sizeOf(sessions).users.toLocaleString("en")} users`
}

/**
 * @param {readonly Measured[]} measured
 * @param {number} sessions Of the large database.
 */
export function renderTimes(measured, sessions) {
  const head = [
    "One call of an adapter, in µs",
    ...[smallSessions, sessions].flatMap((count) => [`${count.toLocaleString("en")}: median`, "p95"]),
    "ratio",
    "min–max",
  ]
  const rows = measured.flatMap(({ name, measurement }) =>
    Object.entries(measurement.rounds).map(([operation, times]) => [`${name}: ${operation}`, ...describe(times)]),
  )
  return renderTable(head, rows)
}

/** @param {import("../lib/options.mjs").Options} options */
export function describeRun({ sessions, rounds }) {
  return `${sizesIn(sessions)}; medians of ${rounds} rounds; ratio of the medians of each round.`
}

/** @typedef {readonly { small: Times, large: Times }[]} Rounds */

/** @param {Rounds} rounds */
function describe(rounds) {
  const medianOf = (/** @type {(round: { small: Times, large: Times }) => number} */ pick) =>
    spreadOf(rounds.map(pick)).median.toFixed(1)
  const ratio = ratioOf(rounds)
  return [
    medianOf(({ small }) => small.median),
    medianOf(({ small }) => small.p95),
    medianOf(({ large }) => large.median),
    medianOf(({ large }) => large.p95),
    ratio.median.toFixed(2),
    `${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
  ]
}

/** @param {Rounds} rounds */
function ratioOf(rounds) {
  return spreadOf(rounds.map(({ small, large }) => large.median / small.median))
}

/**
 * @param {readonly Measured[]} measured
 * @returns {import("../lib/outcome.mjs").Bar[]}
 */
export function measureBars(measured) {
  return measured.flatMap(({ name, measurement }) => {
    const lookups = Object.entries(measurement.rounds).filter(([operation]) =>
      operation.startsWith("getSessionAndUser"),
    )
    return lookups.map(([operation, rounds]) => {
      const value = ratioOf(rounds)
      const what = `${name}: ${operation}, large / small`
      return { workload: "storage", what, value, goal: `≤ ${most.toFixed(2)}`, isMet: value.median <= most }
    })
  })
}

/** @param {Measured} measured */
export function renderLookups({ name, measurement }) {
  const lines = measurement.lookups.map(({ statement, indexes, isIndexed }) =>
    isIndexed ? `- \`${statement}\`: ${indexes.join(", ")}` : `- \`${statement}\`: **reads a whole table**`,
  )
  return [`What ${name} finds its rows through, in the large database:`, "", ...lines].join("\n")
}
