// @ts-check
import { renderTable } from "../lib/table.mjs"
import { fullyBusy } from "./measure.mjs"

/** @typedef {import("./compare.mjs").Entry} Entry */

/** @param {readonly Entry[]} entries */
export function renderEntries(entries) {
  const isDisturbed = findDisturbed(entries).length > 0
  const rank = (/** @type {Entry} */ entry) => (isDisturbed ? entry.cpuRatio : entry.ratio).median
  const head = ["", "vs bare", "min–max", "req/s", "min–max", "CPU µs/req", "vs bare by CPU", "failed"]
  const sorted = [...entries].sort((a, b) => rank(b) - rank(a))
  const rows = sorted.map(({ label, ratio, rate, micros, cpuRatio, failures }) => [
    label,
    ratio.median.toFixed(2),
    `${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}`,
    rate.median.toFixed(0),
    `${rate.min.toFixed(0)}–${rate.max.toFixed(0)}`,
    micros.median.toFixed(0),
    cpuRatio.median.toFixed(2),
    `${failures}`,
  ])
  return renderTable(head, rows)
}

/**
 * @param {readonly Entry[]} entries
 * @param {import("../lib/options.mjs").Options} options
 */
export function describeRun(entries, { rounds, seconds, connections }) {
  const how = `Medians of ${rounds} interleaved rounds of ${seconds} s; ${connections} keep-alive connections.`
  return [how, ...describeDisturbance(findDisturbed(entries))]
}

/**
 * Those whose rates are not to be trusted.
 *
 * @param {readonly Entry[]} entries
 */
function findDisturbed(entries) {
  return entries.filter(({ busy, waits }) => !waits && busy.min < fullyBusy)
}

/** @param {readonly Entry[]} disturbed */
function describeDisturbance(disturbed) {
  if (disturbed.length === 0) return []
  const list = disturbed.map(({ label, busy }) => `${label} (${(busy.min * 100).toFixed(0)}%)`).join("; ")
  return [
    `**Disturbed.** The machine was doing something else too; the CPU columns suffer least. Least share of its core that a server got: ${list}.`,
  ]
}
