// @ts-check
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"

export const serverCore = 0
export const loadCore = 1

/** Whether processes can be held on a core each: needs `taskset` (Linux) and these two cores. */
export const canPin =
  availableParallelism() > 1 &&
  [serverCore, loadCore].every((core) => spawnSync("taskset", ["-c", `${core}`, "true"]).status === 0)

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
  return spawn(command, rest, {
    stdio: ["ignore", 2, "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "production" },
  })
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
    const onExit = () => finish(() => reject(new Error(`"${child.spawnargs.join(" ")}" ended before it answered`)))
    const finish = (/** @type {() => void} */ settle) => {
      child.off("message", onMessage).off("exit", onExit)
      settle()
    }
    if (!child.connected) return onExit()
    child.once("message", onMessage).once("exit", onExit)
    if (question !== undefined) child.send(question)
  })
}
