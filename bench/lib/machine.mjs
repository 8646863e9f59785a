// @ts-check
import { cpus } from "node:os"
import { canPin } from "./pinned.mjs"

/**
 * @typedef {object} Machine What a run was made on, and when.
 * @property {string} processor
 * @property {number} cores
 * @property {string} node
 * @property {string} day
 * @property {boolean} isPinned Whether the server and the load generator have a core each.
 */

/** @returns {Machine} */
export function readMachine() {
  const cores = cpus()
  return {
    processor: cores[0]?.model.trim() || "unknown CPU",
    cores: cores.length,
    node: process.versions.node,
    day: new Date().toISOString().slice(0, 10),
    isPinned: canPin,
  }
}

/** @param {Machine} machine */
export function describeMachine({ processor, cores, node, day, isPinned }) {
  const pinning = isPinned ? "server and load generator pinned to a core each" : "processes not pinned"
  return `${processor}, ${cores} cores, Node ${node}, ${day}; ${pinning}`
}
