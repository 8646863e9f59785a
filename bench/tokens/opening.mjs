// @ts-check
import { ask, serverCore, startPinned } from "../lib/pinned.mjs"
import { renderTable } from "../lib/table.mjs"

/** @typedef {import("./open-token.mjs").Opening} Opening */

/** @type {import("../run.mjs").Benchmark} */
export async function measureOpening() {
  /** @type {Opening[]} */
  const openings = await ask(startPinned(serverCore, new URL("open-token.mjs", import.meta.url)))
  return {
    title: "Opening one session token",
    tables: [renderOpening(openings)],
    bars: [],
    notes: [],
    rows: [],
    isFailed: false,
  }
}

/** @param {readonly Opening[]} openings */
function renderOpening(openings) {
  const sorted = [...openings].sort((a, b) => a.micros.median - b.micros.median)
  const rows = sorted.map(({ label, micros }) => [
    label,
    micros.median.toFixed(1),
    `${micros.min.toFixed(1)}–${micros.max.toFixed(1)}`,
  ])
  return renderTable(["", "µs", "min–max"], rows)
}
