// @ts-check
import { readFileSync, writeFileSync } from "node:fs"
import { renderChart } from "./chart.mjs"
import { comparePanels, describePanels, findMissing } from "./comparisons.mjs"
import { renderResults } from "./results.mjs"

/** @typedef {import("./results.mjs").Results} Results */

const home = new URL("../", import.meta.url)

/**
 * What a run prints.
 *
 * @param {Results} results
 */
export function printResults(results) {
  process.stdout.write(renderResults(results, readExplanations()))
}

/**
 * What a whole run leaves in `bench/`.
 *
 * @param {Results} results
 * @param {(line: string) => void} report
 */
export function writeResults(results, report) {
  const panels = comparePanels(results.outcomes)
  const description = describePanels(panels)
  const markdown = renderResults(results, readExplanations(), `![${description}](results.svg)`)
  writeFileSync(new URL("RESULTS.md", home), markdown)
  writeFileSync(new URL("results.svg", home), renderChart(panels, description, describeRun(results)))
  for (const name of findMissing(panels)) report(`The chart is without "${name}": it was not measured.`)
  report("Wrote bench/RESULTS.md and bench/results.svg.")
}

function readExplanations() {
  return readFileSync(new URL("shortfalls.md", import.meta.url), "utf8")
}

/** @param {Results} results */
function describeRun({ machine, options }) {
  const { processor, cores, node, day } = machine
  return `${processor}, ${cores} cores · Node ${node} · ${day} · medians of ${options.rounds} rounds`
}
