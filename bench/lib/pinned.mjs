// @ts-check
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"

export const serverCore = 0
export const loadCore = 1

/** Whether processes can be held on a core each: needs `taskset` (Linux) and these two cores. */
export const canPin =
  availableParallelism() > 1 &&
  [serverCore, loadCore].every((core) => spawnSync("taskset", ["-c", `${core}`, "true"]).status === 0)

/** What the processes print: it costs them what a log file costs, and nobody wants to read it. */
const output = mkdtempSync(join(tmpdir(), "latchkey-bench-output-"))
process.on("exit", () => rmSync(output, { recursive: true }))

/** @type {WeakMap<import("node:child_process").ChildProcess, string>} */
const outputOf = new WeakMap()
let started = 0

/**
 * Starts a Node process that talks over IPC, held on one core where that is possible.
 *
 * @param {number} core
 * @param {URL} file
 * @param {readonly string[]} [args]
 */
export function startPinned(core, file, args = []) {
  const node = [process.execPath, file.pathname, ...args]
  const [command = "", ...rest] = canPin ? ["taskset", "-c", `${core}`, ...node] : node
  const path = join(output, `${started++}.log`)
  const log = openSync(path, "a")
  const child = spawn(command, rest, {
    stdio: ["ignore", log, log, "ipc"],
    env: { ...process.env, NODE_ENV: "production" },
  })
  closeSync(log)
  outputOf.set(child, path)
  return child
}

/**
 * Lets go of processes, and waits until they have cleaned up and ended.
 *
 * @param {readonly import("node:child_process").ChildProcess[]} children
 */
export async function endAll(children) {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  const ended = running.map((child) => once(child, "exit"))
  for (const child of running) if (child.connected) child.disconnect()
  await Promise.all(ended)
}

/**
 * Sends a message to a process and waits for its answer.
 *
 * @template Answer
 * @param {import("node:child_process").ChildProcess} child
 * @param {import("node:child_process").Serializable} [question] Nothing is sent without it.
 * @returns {Promise<Answer>}
 */
export function ask(child, question) {
  return new Promise((resolve, reject) => {
    const onMessage = (/** @type {any} */ answer) => finish(() => resolve(answer))
    const onExit = () => finish(() => reject(new Error(describeEnd(child))))
    const finish = (/** @type {() => void} */ settle) => {
      child.off("message", onMessage).off("exit", onExit)
      settle()
    }
    if (!child.connected) return onExit()
    child.once("message", onMessage).once("exit", onExit)
    if (question !== undefined) child.send(question)
  })
}

/** @param {import("node:child_process").ChildProcess} child */
function describeEnd(child) {
  const path = outputOf.get(child)
  const printed = path ? readFileSync(path, "utf8").slice(-4000) : ""
  return `"${child.spawnargs.join(" ")}" ended before it answered. The last it printed:\n${printed}`
}
