// @ts-check
import { assertBuilt } from "../lib/built.mjs"
import { ask, endAll, serverCore, startPinned } from "../lib/pinned.mjs"
import { absenceOf } from "../lib/services.mjs"
import { describeRun, measureBars, renderLookups, renderTimes, sizesIn } from "./report.mjs"

/** @typedef {import("./measure.mjs").Measurement} Measurement */

/**
 * @typedef {object} Store
 * @property {string} id What `measure.mjs` calls it.
 * @property {string} name
 * @property {import("../lib/services.mjs").Service} [needs]
 */

/** @type {readonly Store[]} */
const stores = [
  { id: "sqlite", name: "SQLite" },
  { id: "postgres", name: "PostgreSQL", needs: "postgres" },
]

/** A round has thousands of calls, and few are enough. */
const shareOfRounds = 1 / 8

/** @type {import("../run.mjs").Benchmark} */
export async function measureStorage(given, report) {
  const options = { ...given, rounds: Math.ceil(given.rounds * shareOfRounds) }
  assertBuilt()
  const measured = []
  const absences = []
  for (const { id, name, needs } of stores) {
    const absence = needs && (await absenceOf(needs))
    if (absence) absences.push(`Left out: ${name} (${absence})`)
    else measured.push({ name, measurement: await measureStore(id, name, options, report) })
  }
  for (const line of absences) report(line)
  return {
    title: "Looking up a session in a small database and in a large one",
    tables: [renderTimes(measured, options.sessions)],
    bars: measureBars(measured),
    notes: [describeRun(options), ...measured.map(renderLookups), ...absences],
    rows: [],
    isFailed: measured.some(({ measurement }) => measurement.lookups.some(({ isIndexed }) => !isIndexed)),
  }
}

/**
 * @param {string} id
 * @param {string} name
 * @param {import("../lib/options.mjs").Options} options
 * @param {(line: string) => void} report
 * @returns {Promise<Measurement>}
 */
async function measureStore(id, name, { sessions, rounds }, report) {
  report(`${name}: filling in ${sizesIn(sessions)}, then ${rounds} rounds …`)
  const file = new URL("measure.mjs", import.meta.url)
  const child = startPinned(serverCore, file, [id, `${sessions}`, `${rounds}`])
  try {
    /** @type {Measurement} */
    const measurement = await ask(child)
    report(`${name}: filled in ${measurement.fillSeconds.toFixed(0)} s`)
    return measurement
  } finally {
    await endAll([child])
  }
}
