// @ts-check
import { ask, endAll, loadCore, serverCore, startPinned } from "../lib/pinned.mjs"
import { spreadOf } from "../lib/stats.mjs"
import { assertGuards } from "./check.mjs"
import { admitted, labelOf } from "./contender.mjs"
import { shapeCookies } from "./cookies.mjs"
import { applyLoad, measure } from "./measure.mjs"

const roundWarmUpSeconds = 0.3

/** @typedef {import("node:child_process").ChildProcess} ChildProcess */
/** @typedef {import("../lib/stats.mjs").Spread} Spread */
/** @typedef {import("./measure.mjs").Server} Server */
/** @typedef {import("./measure.mjs").Sample} Sample */
/** @typedef {import("./contender.mjs").Contender} Contender */
/** @typedef {import("./race.mjs").LoadKind} LoadKind */

/**
 * @typedef {object} Entry What was measured of one contender.
 * @property {string} id
 * @property {string} label
 * @property {boolean} waits Whether it waits for another process, and so has no use for a whole core.
 * @property {readonly Sample[]} samples Round by round.
 * @property {Spread} ratio Requests per second, relative to the first contender in the same round.
 * @property {Spread} rate Requests per second.
 * @property {Spread} cpuRatio The same by CPU time per request.
 * @property {Spread} micros CPU time of the server process per request.
 * @property {Spread} busy Share of the measured time in which the server process had a core.
 * @property {number} failures Answers that were not the expected one, in all rounds.
 */

/**
 * Measures all contenders in turns: every round visits each of them once.
 *
 * @param {Pick<import("./race.mjs").Race, "load" | "contenders">} race The first contender is what the others are compared with.
 * @param {import("../lib/options.mjs").Options} options
 * @param {(line: string) => void} report Is told about the progress.
 * @returns {Promise<Entry[]>}
 */
export async function compare({ load: usual, contenders }, options, report) {
  /** @type {ChildProcess[]} */
  const children = []
  /** @type {Server[]} */
  const servers = []
  try {
    const loadOf = loadStarter(children)
    for (const contender of contenders) {
      servers.push(await startServer(contender, await loadOf(contender.load ?? usual), children))
    }
    for (const server of servers) await applyLoad(server, options.connections, server.warmUpSeconds)

    /** @type {Sample[][]} */
    const rounds = []
    for (let round = 0; round < options.rounds; round++) {
      report(`Round ${round + 1} of ${options.rounds} …`)
      rounds.push(await measureRound(servers, options, round))
    }
    return servers.map((server, index) => summarize(server, rounds, index))
  } finally {
    await endAll(children)
  }
}

/** @typedef {{ child: ChildProcess, serverArgs: readonly string[] }} LoadGenerator */

/**
 * Starts each kind of load generator when it is first asked for.
 *
 * @param {ChildProcess[]} children Takes in each new process at once, so that it is ended whatever happens.
 */
function loadStarter(children) {
  /** @type {Map<LoadKind, LoadGenerator>} */
  const started = new Map()
  return async (/** @type {LoadKind} */ kind) => {
    const load = started.get(kind) ?? (await startLoad(kind, children))
    started.set(kind, load)
    return load
  }
}

/**
 * @param {LoadKind} kind
 * @param {ChildProcess[]} children
 * @returns {Promise<LoadGenerator>}
 */
async function startLoad(kind, children) {
  const child = startPinned(loadCore, new URL(`../load/${kind}.mjs`, import.meta.url))
  children.push(child)
  /** @type {{ serverArgs: string[] }} */
  const { serverArgs } = await ask(child)
  return { child, serverArgs }
}

/**
 * @param {Contender} contender
 * @param {LoadGenerator} load
 * @param {ChildProcess[]} children
 * @returns {Promise<Server>}
 */
async function startServer(contender, load, children) {
  const { server, args = [] } = contender
  const child = startPinned(serverCore, new URL(`../servers/${server}`, import.meta.url), [...args, ...load.serverArgs])
  children.push(child)
  const {
    admits = "guarded",
    path = "/guarded",
    expected = admitted,
    warmUpSeconds = 2,
    waits = contender.needs !== undefined,
  } = contender
  const label = labelOf(contender)
  /** @type {{ origin: string, cookies: string[] }} */
  const { origin, cookies: own } = await ask(child)
  const [url, cookies] = [origin + path, shapeCookies(own, contender.cookies ?? "own")]
  await assertGuards(label, url, cookies, { admits, expected })
  const { id, journey } = contender
  return { id, label, child, load: load.child, url, cookies, journey, expected, warmUpSeconds, waits }
}

/**
 * @param {readonly Server[]} servers
 * @param {import("../lib/options.mjs").Options} options
 * @param {number} round Each round begins with another server, so that none always has the same neighbours.
 * @returns {Promise<Sample[]>} In the order of the servers.
 */
async function measureRound(servers, options, round) {
  /** @type {Sample[]} */
  const samples = []
  for (let step = 0; step < servers.length; step++) {
    const index = (step + round) % servers.length
    const server = servers[index]
    if (!server) continue
    await applyLoad(server, options.connections, roundWarmUpSeconds)
    samples[index] = await measure(server, options)
  }
  return samples
}

/**
 * @param {Server} server
 * @param {readonly (readonly Sample[])[]} rounds
 * @param {number} index
 * @returns {Entry}
 */
function summarize({ id, label, waits }, rounds, index) {
  const samples = rounds.flatMap((round) => round[index] ?? [])
  const first = rounds.flatMap((round) => round[0] ?? [])
  return {
    id,
    label,
    waits,
    samples,
    ratio: spreadOf(samples.map(({ rate }, round) => rate / (first[round]?.rate ?? Number.NaN))),
    cpuRatio: spreadOf(samples.map(({ micros }, round) => (first[round]?.micros ?? Number.NaN) / micros)),
    rate: spreadOf(samples.map(({ rate }) => rate)),
    micros: spreadOf(samples.map(({ micros }) => micros)),
    busy: spreadOf(samples.map(({ busy }) => busy)),
    failures: samples.reduce((sum, { failures }) => sum + failures, 0),
  }
}
