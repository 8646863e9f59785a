// @ts-check
// A process of its own: fills one kind of database twice, a little and a lot, and tells how long the adapter takes in both.
// Arguments: a key of `stores`, number of sessions of the large one, number of rounds.
import { setImmediate } from "node:timers/promises"
import { leave } from "../lib/leave.mjs"
import { operations } from "./operations.mjs"
import { readPlans, useAll } from "./plans.mjs"
import { createPostgresSite } from "./postgres.mjs"
import { sizeOf, smallSessions } from "./rows.mjs"
import { createSqliteSite } from "./sqlite.mjs"

/** @typedef {Required<import("../../dist/adapters/contract.js").Adapter>} Adapter */
/** @typedef {import("./operations.mjs").Times} Times */

/**
 * @typedef {object} Site A database, filled.
 * @property {Adapter} adapter
 * @property {(use: (adapter: Adapter) => Promise<void>) => Promise<readonly import("./plans.mjs").Plan[]>} explain How it
 * goes about each statement of an adapter while that is used.
 */

/**
 * @typedef {object} Measurement
 * @property {number} fillSeconds
 * @property {readonly import("./plans.mjs").Lookup[]} lookups In the large database.
 * @property {Readonly<Record<string, readonly { small: Times, large: Times }[]>>} rounds By operation.
 */

const stores = { sqlite: createSqliteSite, postgres: createPostgresSite }

const [store = "", sessions = "", rounds = ""] = process.argv.slice(2)
process.on("disconnect", () => leave(0))
const createSite = stores[/** @type {keyof typeof stores} */ (store)]
const answer = await measure(createSite, Number(sessions), Number(rounds))
if (process.send) process.send(answer)
else {
  console.dir(answer, { depth: null })
  await leave(0)
}

/**
 * @param {(size: import("./rows.mjs").Size) => Promise<Site>} createSite
 * @param {number} largeSessions
 * @param {number} rounds
 * @returns {Promise<Measurement>}
 */
async function measure(createSite, largeSessions, rounds) {
  const startedAt = performance.now()
  const small = { ...sizeOf(smallSessions), ...(await createSite(sizeOf(smallSessions))) }
  const large = { ...sizeOf(largeSessions), ...(await createSite(sizeOf(largeSessions))) }
  const fillSeconds = (performance.now() - startedAt) / 1000

  /** @type {Record<string, { small: Times, large: Times }[]>} */
  const measured = {}
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    for (const [name, time] of Object.entries(operations)) {
      // Each of the two goes first in turn.
      const first = await time(round % 2 === 0 ? small : large)
      const second = await time(round % 2 === 0 ? large : small)
      const times = round % 2 === 0 ? { small: first, large: second } : { small: second, large: first }
      if (round >= 0) (measured[name] ??= []).push(times)
      // SQLite answers without waiting: only here the process hears that it was interrupted.
      await setImmediate()
    }
  }
  return { fillSeconds, lookups: readPlans(await large.explain(useAll)), rounds: measured }
}
