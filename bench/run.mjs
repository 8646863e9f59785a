// @ts-check
import { installOnce } from "./lib/install.mjs"
import { describeMachine } from "./lib/machine.mjs"
import { readOptions } from "./lib/options.mjs"
import { renderOutcome } from "./lib/outcome.mjs"
import { runRace } from "./race/race.mjs"
import { foreignCookies } from "./races/foreign-cookies.mjs"
import { forged } from "./races/forged.mjs"
import { guard } from "./races/guard.mjs"
import { sessionEndpoint } from "./races/session-endpoint.mjs"
import { sessions } from "./races/sessions.mjs"
import { signInPage } from "./races/sign-in-page.mjs"
import { stored } from "./races/stored.mjs"
import { measureStorage } from "./storage/storage.mjs"
import { measureOpening } from "./tokens/opening.mjs"

/**
 * @callback Benchmark
 * @param {import("./lib/options.mjs").Options} options
 * @param {(line: string) => void} report Is told about the progress.
 * @returns {Promise<import("./lib/outcome.mjs").Outcome>}
 */

/** @type {Readonly<Record<string, Benchmark>>} */
const benchmarks = {
  guard: runRace(guard),
  sessions: runRace(sessions),
  stored: runRace(stored),
  "session-endpoint": runRace(sessionEndpoint),
  "sign-in-page": runRace(signInPage),
  "foreign-cookies": runRace(foreignCookies),
  forged: runRace(forged),
  tokens: measureOpening,
  storage: measureStorage,
}

try {
  const options = readOptions(process.argv.slice(2), Object.keys(benchmarks))
  installOnce()
  console.log(describeMachine())
  for (const name of options.benchmarks) {
    const outcome = await benchmarks[name]?.(options, (line) => console.error(`${name}: ${line}`))
    if (!outcome) continue
    console.log(`\n${renderOutcome(outcome)}`)
    if (outcome.isFailed) process.exitCode = 1
  }
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}
