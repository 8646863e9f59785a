// @ts-check
import { describeMachine } from "../lib/machine.mjs"
import { renderBars, renderOutcome } from "../lib/outcome.mjs"
import { renderShortfalls } from "./shortfalls.mjs"

/** @typedef {import("../lib/outcome.mjs").Bar} Bar */

/**
 * @typedef {object} Results What a run has found.
 * @property {import("../lib/machine.mjs").Machine} machine
 * @property {import("../lib/options.mjs").Options} options
 * @property {readonly import("../lib/outcome.mjs").Outcome[]} outcomes
 */

/**
 * @param {Results} results
 * @param {string} explanations The text of `shortfalls.md`.
 * @param {string} [chart] The Markdown that shows it.
 */
export function renderResults({ machine, options, outcomes }, explanations, chart) {
  const bars = sortByWorkload(outcomes.flatMap(({ bars }) => bars))
  const parts = [
    "# Results of the benchmark",
    `${describeMachine(machine)}. ${describeOptions(options)}`,
    chart,
    renderAllBars(bars),
    ...outcomes.map(renderOutcome),
    renderShortfalls(bars, explanations),
  ]
  return `${parts.filter(Boolean).join("\n\n")}\n`
}

/** @param {readonly Bar[]} bars */
function sortByWorkload(bars) {
  return [...bars].sort((a, b) => a.workload.localeCompare(b.workload))
}

/** @param {import("../lib/options.mjs").Options} options */
function describeOptions({ rounds, seconds, connections, sessions, only }) {
  const chosen = only.length > 0 ? `; only ${only.join(", ")}` : ""
  const large = sessions.toLocaleString("en")
  return `${rounds} rounds of ${seconds} s, ${connections} connections, ${large} sessions in the large database${chosen}.`
}

/** @param {readonly Bar[]} bars */
function renderAllBars(bars) {
  if (bars.length === 0) return ""
  const met = bars.filter(({ isMet }) => isMet).length
  return `## Bars\n\n${met} of ${bars.length} are met.\n\n${renderBars(bars)}`
}
