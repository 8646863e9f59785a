// @ts-check
import { assertBuilt } from "../lib/built.mjs"
import { absenceOf } from "../lib/services.mjs"
import { renderBars } from "./bars.mjs"
import { compareGuards } from "./compare.mjs"
import { chooseContenders, labelOf } from "./contenders.mjs"
import { renderGuards } from "./report.mjs"

/** @typedef {import("./contenders.mjs").Contender} Contender */

/** @type {import("../run.mjs").Benchmark} */
export async function measureGuards(options, report) {
  assertBuilt()
  const tables = []
  for (const { title, contenders } of chooseContenders(options.only)) {
    const { present, absences } = await findPresent(contenders)
    for (const absence of absences) report(absence)
    const guards = await compareGuards(present, options, report)
    const text = [renderGuards(title, guards, options), renderBars(guards), ...absences.map((line) => `\n${line}`)]
    tables.push({ text: text.filter(Boolean).join("\n"), isFailed: guards.some(({ failures }) => failures > 0) })
  }
  return { text: tables.map(({ text }) => text).join("\n"), isFailed: tables.some(({ isFailed }) => isFailed) }
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
