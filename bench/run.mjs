// @ts-check
import { measureBundle } from "./bundle/bundle.mjs"
import { installOnce } from "./lib/install.mjs"
import { readMachine } from "./lib/machine.mjs"
import { describeUsage, readOptions } from "./lib/options.mjs"
import { failedOutcome } from "./lib/outcome.mjs"
import { runRace } from "./race/race.mjs"
import { foreignCookies } from "./races/foreign-cookies.mjs"
import { forged } from "./races/forged.mjs"
import { guard } from "./races/guard.mjs"
import { sessionEndpoint } from "./races/session-endpoint.mjs"
import { sessions } from "./races/sessions.mjs"
import { signIn } from "./races/sign-in.mjs"
import { signInPage } from "./races/sign-in-page.mjs"
import { stored } from "./races/stored.mjs"
import { printResults, writeResults } from "./results/write.mjs"
import { contenders as startContenders } from "./start/contenders.mjs"
import { measureStart } from "./start/start.mjs"
import { measureStorage } from "./storage/storage.mjs"
import { measureOpening } from "./tokens/opening.mjs"

/** @typedef {import("./lib/options.mjs").Options} Options */
/** @typedef {import("./lib/outcome.mjs").Outcome} Outcome */

/**
 * @callback Benchmark
 * @param {Options} options
 * @param {(line: string) => void} report Is told about the progress.
 * @returns {Promise<Outcome>}
 */

const races = {
  guard,
  sessions,
  stored,
  "session-endpoint": sessionEndpoint,
  "sign-in-page": signInPage,
  "sign-in": signIn,
  "foreign-cookies": foreignCookies,
  forged,
}

/** @type {Readonly<Record<string, Benchmark>>} */
const benchmarks = {
  ...Object.fromEntries(Object.entries(races).map(([name, race]) => [name, runRace(race)])),
  start: measureStart,
  bundle: measureBundle,
  tokens: measureOpening,
  storage: measureStorage,
}

/** What `--only` can name. */
const contenderIds = [...Object.values(races), { contenders: startContenders }].flatMap(({ contenders }) =>
  contenders.map(({ id }) => id),
)

try {
  const names = Object.keys(benchmarks)
  const options = readOptions(process.argv.slice(2), names, contenderIds)
  if (options.isHelpWanted) console.log(describeUsage(names))
  else await run(options)
} catch (error) {
  say(messageOf(error))
  process.exitCode = 1
}

/** @param {Options} options */
async function run(options) {
  installOnce()
  const results = { machine: readMachine(), options, outcomes: await measureAll(options) }
  printResults(results)
  const failed = results.outcomes.filter(({ isFailed }) => isFailed)
  for (const { title } of failed) say(`failed: ${title}`)
  if (failed.length > 0) process.exitCode = 1
  else if (options.isWhole) writeResults(results, say)
}

/** @param {Options} options */
async function measureAll(options) {
  /** @type {Outcome[]} */
  const outcomes = []
  for (const [index, name] of options.benchmarks.entries()) {
    const place = `${index + 1}/${options.benchmarks.length} ${name}`
    outcomes.push(await measureOne(name, options, (line) => console.error(`${place}: ${line}`)))
  }
  return outcomes
}

/**
 * One that throws does not keep the others from running.
 *
 * @param {string} name
 * @param {Options} options
 * @param {(line: string) => void} report
 * @returns {Promise<Outcome>}
 */
async function measureOne(name, options, report) {
  try {
    report("begins")
    const benchmark = benchmarks[name]
    if (!benchmark) throw new Error(`there is no benchmark "${name}"`)
    return await benchmark(options, report)
  } catch (error) {
    report(`failed: ${messageOf(error)}`)
    return failedOutcome(name)
  }
}

/** @param {string} line */
function say(line) {
  console.error(`bench: ${line}`)
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : `${error}`
}
