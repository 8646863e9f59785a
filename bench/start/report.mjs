// @ts-check
import { spreadOf } from "../lib/stats.mjs"
import { renderTable } from "../lib/table.mjs"

/** @typedef {import("./start.mjs").Entry} Entry */
/** @typedef {import("./launch.mjs").Launch} Launch */

const bytesPerMegabyte = 1e6

/** @param {readonly Entry[]} entries */
export function renderEntries(entries) {
  const head = ["", "import ms", "min–max", "CPU ms", "later ms", "first response ms", "RSS MB", "heap MB"]
  const sorted = entries
    .map((entry) => ({ ...entry, importMillis: spreadOf(entry.launches.map(({ importMillis }) => importMillis)) }))
    .sort((a, b) => a.importMillis.median - b.importMillis.median)
  const rows = sorted.map(({ label, launches, importMillis }) => [
    label,
    importMillis.median.toFixed(1),
    `${importMillis.min.toFixed(1)}–${importMillis.max.toFixed(1)}`,
    medianOf(launches, ({ importCpuMillis }) => importCpuMillis),
    medianOf(launches, ({ laterMillis }) => laterMillis),
    medianOf(launches, ({ responseMillis }) => responseMillis),
    medianOf(launches, ({ residentBytes }) => residentBytes / bytesPerMegabyte),
    medianOf(launches, ({ heapBytes }) => heapBytes / bytesPerMegabyte),
  ])
  return renderTable(head, rows)
}

/**
 * @param {readonly Launch[]} launches
 * @param {(launch: Launch) => number} pick
 */
function medianOf(launches, pick) {
  return spreadOf(launches.map(pick)).median.toFixed(1)
}

/** @param {number} turns */
export function describeRun(turns) {
  return [
    `Medians of ${turns} starts each, interleaved, after one that is not measured; one OpenID Connect provider where a package has providers. Express is imported before the import is timed. The first response, counted from the start of the process, is 401 to a request without a session; memory is read after it and after a garbage collection. "Later" is what a package imports only with the first sign-in: Latchkey leaves openid-client and jose until then.`,
  ]
}
