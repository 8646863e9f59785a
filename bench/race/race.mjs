// @ts-check
// A race: contenders that do the same work, measured in turns.
import { assertBuilt } from "../lib/built.mjs"
import { absenceOf } from "../lib/services.mjs"
import { measureBars } from "./bars.mjs"
import { compare } from "./compare.mjs"
import { bare, labelOf } from "./contender.mjs"
import { describeRun, renderEntries } from "./report.mjs"

/** @typedef {import("./contender.mjs").Contender} Contender */

/** @typedef {"requests" | "sign-ins"} LoadKind What generates the load: a file in `load/`. */

/**
 * @typedef {object} Race
 * @property {string} title
 * @property {LoadKind} load
 * @property {readonly Contender[]} contenders Without the bare route, which runs in every race.
 * @property {readonly import("./bars.mjs").RatioBar[]} bars What Latchkey is to reach.
 */

/**
 * @param {Race} race
 * @returns {import("../run.mjs").Benchmark}
 */
export function runRace(race) {
  return async (options, report) => {
    assertBuilt()
    const { present, absences } = await findPresent(chooseContenders(race.contenders, options.only))
    for (const absence of absences) report(absence)
    const entries = await compare({ ...race, contenders: [bare, ...present] }, options, report)
    return {
      title: race.title,
      tables: [renderEntries(entries)],
      bars: measureBars(race.bars, entries),
      notes: [...describeRun(entries, options), ...absences],
      rows: entries.map(({ id, label, ratio }) => ({ id, label, ratio: ratio.median })),
      isFailed: entries.some(({ failures }) => failures > 0),
    }
  }
}

/**
 * @param {readonly Contender[]} contenders
 * @param {readonly string[]} only Ids. Empty: all.
 */
function chooseContenders(contenders, only) {
  return contenders.filter(({ id }) => only.length === 0 || only.includes(id))
}

/**
 * Those whose service is there, and a line for each that has to be left out.
 *
 * @param {readonly Contender[]} contenders
 */
async function findPresent(contenders) {
  /** @type {Contender[]} */
  const present = []
  /** @type {string[]} */
  const absences = []
  for (const contender of contenders) {
    const absence = contender.needs && (await absenceOf(contender.needs))
    if (absence) absences.push(`Left out: ${labelOf(contender)} (${absence})`)
    else present.push(contender)
  }
  return { present, absences }
}
