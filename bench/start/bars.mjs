// @ts-check
import { spreadOf } from "../lib/stats.mjs"

/** @typedef {import("./start.mjs").Entry} Entry */
/** @typedef {import("./launch.mjs").Launch} Launch */

/** What Latchkey's import is to cost at most, next to that of what it succeeds. */
const importBar = { id: "latchkey-start", than: "auth-express-start", most: 0.5 }

/**
 * @param {readonly Entry[]} entries
 * @returns {import("../lib/outcome.mjs").Bar[]} None where one of the two was not measured.
 */
export function measureBars(entries) {
  const own = entries.find(({ id }) => id === importBar.id)
  const other = entries.find(({ id }) => id === importBar.than)
  return own && other ? [measureBar(own, other)] : []
}

/**
 * @param {Entry} own
 * @param {Entry} other
 * @returns {import("../lib/outcome.mjs").Bar}
 */
function measureBar(own, other) {
  const compareBy = (/** @type {(launch: Launch) => number} */ costOf) =>
    spreadOf(
      own.launches.flatMap((launch, turn) =>
        other.launches[turn] ? [costOf(launch) / costOf(other.launches[turn])] : [],
      ),
    )
  const value = compareBy(({ importMillis }) => importMillis)
  return {
    id: `${own.id}/${other.id}`,
    workload: "j",
    what: `import of ${own.label} / ${other.label}`,
    value,
    byCpu: compareBy(({ importCpuMillis }) => importCpuMillis),
    goal: `≤ ${importBar.most.toFixed(2)}`,
    isMet: value.median <= importBar.most,
  }
}
