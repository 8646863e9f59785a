// @ts-check
import { renderTable } from "../lib/table.mjs"
import { fullyBusy } from "./measure.mjs"

/** @typedef {import("./compare.mjs").Guard} Guard */

/**
 * @param {string} title
 * @param {readonly Guard[]} guards
 * @param {import("../lib/options.mjs").Options} options
 */
export function renderGuards(title, guards, { rounds, seconds, connections }) {
  const disturbed = guards.filter(({ busy, waits }) => !waits && busy.min < fullyBusy)
  const rank = (/** @type {Guard} */ guard) => (disturbed.length > 0 ? guard.cpuRatio : guard.ratio).median
  const head = [title, "vs bare", "min–max", "req/s", "min–max", "CPU µs/req", "vs bare by CPU", "failed"]
  const sorted = [...guards].sort((a, b) => rank(b) - rank(a))
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
  const how = `Medians of ${rounds} interleaved rounds of ${seconds} s; ${connections} keep-alive connections.`
  return ["", renderTable(head, rows), "", how, ...describeDisturbance(disturbed)].join("\n")
}

/** @param {readonly Guard[]} disturbed Those whose rates are not to be trusted. */
function describeDisturbance(disturbed) {
  if (disturbed.length === 0) return []
  const list = disturbed.map(({ label, busy }) => `${label} (${(busy.min * 100).toFixed(0)}%)`).join("; ")
  return [
    "",
    "**Disturbed run.** The machine was doing something else too: repeat it when it is idle. The CPU columns suffer least.",
    `Least share of its core that a server got: ${list}.`,
  ]
}
