// @ts-check
// A process of its own: starts one app, and tells what that took. Argument: a file in `apps/`.
import { once } from "node:events"
import { get } from "node:http"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/**
 * @typedef {object} App
 * @property {() => Promise<unknown>} importPackages Imports what is measured; Express was imported before.
 * @property {() => Promise<unknown>} [importLater] Imports what the package itself leaves for the first sign-in.
 * @property {(packages: unknown) => import("express").Express} build Whose route `/guarded` answers 401 to whoever has no session.
 */

/**
 * @typedef {object} Launch
 * @property {number} importMillis
 * @property {number} importCpuMillis CPU time of the process meanwhile.
 * @property {number} responseMillis From the start of the process to the end of the first response.
 * @property {number} residentBytes After it, and after a garbage collection.
 * @property {number} heapBytes Likewise.
 * @property {number} laterMillis What was left for the first sign-in.
 */

const [file = "bare.mjs"] = process.argv.slice(2)
/** @type {App} */
const app = await import(new URL(`apps/${file}`, import.meta.url).href)
const launch = await measure(app)
if (process.send) process.send(launch, () => process.exit())
else {
  console.log(launch)
  process.exit()
}

/**
 * @param {App} app
 * @returns {Promise<Launch>}
 */
async function measure({ importPackages, importLater, build }) {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  const packages = await importPackages()
  const importMillis = performance.now() - before
  const { user, system } = process.cpuUsage(cpuBefore)
  const importCpuMillis = (user + system) / 1000

  await assertRefuses(await listen(build(packages)))
  const responseMillis = performance.now()

  collectGarbage()
  const { rss, heapUsed } = process.memoryUsage()

  const laterBefore = performance.now()
  await importLater?.()
  const laterMillis = performance.now() - laterBefore
  return { importMillis, importCpuMillis, responseMillis, residentBytes: rss, heapBytes: heapUsed, laterMillis }
}

/**
 * @param {import("express").Express} app
 * @returns {Promise<string>} The address of the guarded route.
 */
async function listen(app) {
  const server = app.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("expected a TCP port to listen on")
  return `http://127.0.0.1:${address.port}/guarded`
}

/**
 * Not with `fetch`, which would load more than many a package does.
 *
 * @param {string} url
 */
async function assertRefuses(url) {
  /** @type {import("node:http").IncomingMessage[]} */
  const [response] = await once(get(url, { agent: false }), "response")
  await once(response?.resume() ?? process, "end")
  if (response?.statusCode !== 401) throw new Error(`expected 401 without a session, got ${response?.statusCode}`)
}

function collectGarbage() {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}
