// @ts-check

const repository = new URL("../../", import.meta.url)
const bench = new URL("../", import.meta.url)

/**
 * @typedef {object} Contender
 * @property {string} name Of the package.
 * @property {string} [note] What is taken of it.
 * @property {URL} home Where the package is found from. Latchkey finds itself, by its name.
 * @property {string} entry What is bundled.
 */

const latchkey = { name: "latchkey", home: repository }
const authCore = { name: "@auth/core", home: bench }
const betterAuth = { name: "better-auth", home: bench }

/** @type {Contender} What has to do without Node. */
export const edgeCore = { ...latchkey, note: "core", entry: 'export { Auth } from "latchkey/core"' }

/** @type {readonly Contender[]} */
export const contenders = [
  edgeCore,
  {
    ...latchkey,
    note: "core, GitHub",
    entry: 'export { Auth } from "latchkey/core"; export { default as GitHub } from "latchkey/providers/github"',
  },
  { ...authCore, entry: 'export { Auth } from "@auth/core"' },
  {
    ...authCore,
    note: "GitHub",
    entry: 'export { Auth } from "@auth/core"; export { default as GitHub } from "@auth/core/providers/github"',
  },
  // Its providers are in it in any case.
  { ...betterAuth, note: "betterAuth", entry: 'export { betterAuth } from "better-auth"' },
  { ...betterAuth, note: "betterAuth of its minimal entry", entry: 'export { betterAuth } from "better-auth/minimal"' },
]
