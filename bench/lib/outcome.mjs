// @ts-check
import { renderTable } from "./table.mjs"

/**
 * @typedef {object} Outcome What a benchmark has found.
 * @property {string} title
 * @property {readonly string[]} tables Markdown.
 * @property {readonly Bar[]} bars
 * @property {readonly string[]} notes How it was measured, and what was left out.
 * @property {readonly Row[]} rows For the chart; empty where there is nothing to compare with the bare route.
 * @property {boolean} isFailed Whether something did not work, so that the figures mean nothing.
 */

/**
 * @typedef {object} Bar What is to be reached, and what was.
 * @property {string} [id] What the chart finds it by: the ids of both contenders, as in `latchkey-1/bare`.
 * @property {string} workload The letter of the workload.
 * @property {string} what What is divided by what.
 * @property {import("./stats.mjs").Spread} value
 * @property {import("./stats.mjs").Spread} [byCpu] The same by CPU time of the server processes.
 * @property {string} goal For example `≥ 0.90`.
 * @property {boolean} isMet
 */

/** @typedef {{ id: string, label: string, ratio: number }} Row How a contender compares with the bare route; more is faster. */

/** @param {readonly Bar[]} bars At least one. */
export function renderBars(bars) {
  const rows = bars.map(({ workload, what, value, byCpu, goal, isMet }) => [
    `(${workload}) ${what}`,
    value.median.toFixed(2),
    `${value.min.toFixed(2)}–${value.max.toFixed(2)}`,
    byCpu ? byCpu.median.toFixed(2) : "",
    goal,
    isMet ? "yes" : "**no**",
  ])
  return renderTable(["Bar", "median", "min–max", "by CPU", "goal", "met"], rows)
}

/**
 * Without its bars, which stand in a table of their own.
 *
 * @param {Outcome} outcome
 */
export function renderOutcome({ title, tables, notes }) {
  return [`## ${title}`, ...tables, ...notes].join("\n\n")
}

/**
 * Of a benchmark that came to no end; why is said where it happened.
 *
 * @param {string} name
 * @returns {Outcome}
 */
export function failedOutcome(name) {
  return { title: name, tables: [], bars: [], notes: ["**Failed.**"], rows: [], isFailed: true }
}
