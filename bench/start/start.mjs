// @ts-check
import { assertBuilt } from "../lib/built.mjs"
import { ask, endAll, serverCore, startPinned } from "../lib/pinned.mjs"
import { nameWithVersion } from "../lib/versions.mjs"
import { measureBars } from "./bars.mjs"
import { bare, contenders } from "./contenders.mjs"
import { describeRun, renderEntries } from "./report.mjs"

/** @typedef {import("./contenders.mjs").Contender} Contender */
/** @typedef {import("./launch.mjs").Launch} Launch */

/**
 * @typedef {object} Entry What was measured of one contender.
 * @property {string} id
 * @property {string} label
 * @property {readonly Launch[]} launches Turn by turn.
 */

/** @type {import("../run.mjs").Benchmark} */
export async function measureStart({ rounds, only }, report) {
  assertBuilt()
  const chosen = [bare, ...contenders.filter(({ id }) => only.length === 0 || only.includes(id))]
  // Reads the files once, so that they are in the memory of the operating system.
  await launchAll(chosen, 0)

  /** @type {Launch[][]} */
  const launches = []
  for (let turn = 0; turn < rounds; turn++) {
    report(`Round ${turn + 1} of ${rounds} …`)
    launches.push(await launchAll(chosen, turn))
  }
  const entries = chosen.map((contender, index) => summarize(contender, launches, index))
  return {
    title: "(j) Import, first response, memory",
    tables: [renderEntries(entries)],
    bars: measureBars(entries),
    notes: describeRun(rounds),
    rows: [],
    isFailed: false,
  }
}

/**
 * Starts every contender once.
 *
 * @param {readonly Contender[]} chosen
 * @param {number} turn Each turn begins with another contender, so that none always has the same neighbours.
 * @returns {Promise<Launch[]>} In the order of the contenders.
 */
async function launchAll(chosen, turn) {
  /** @type {Launch[]} */
  const launches = []
  for (let step = 0; step < chosen.length; step++) {
    const index = (step + turn) % chosen.length
    const contender = chosen[index]
    if (contender) launches[index] = await launch(contender)
  }
  return launches
}

/**
 * @param {Contender} contender
 * @returns {Promise<Launch>}
 */
async function launch({ app }) {
  const child = startPinned(serverCore, new URL("launch.mjs", import.meta.url), [app])
  try {
    return await ask(child)
  } finally {
    await endAll([child])
  }
}

/**
 * @param {Contender} contender
 * @param {readonly (readonly Launch[])[]} launches
 * @param {number} index
 * @returns {Entry}
 */
function summarize({ id, packages }, launches, index) {
  const label = packages.map(nameWithVersion).join(" + ")
  return { id, label, launches: launches.flatMap((turn) => turn[index] ?? []) }
}
