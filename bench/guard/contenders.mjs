// @ts-check
import { existsSync } from "node:fs"
import { nameWithVersion } from "../lib/versions.mjs"

/**
 * @typedef {object} Contender
 * @property {string} id What `--only` calls it.
 * @property {string} server Its file in `servers/`.
 * @property {readonly string[]} [args] Arguments of that file.
 * @property {readonly string[]} packages What is measured.
 * @property {string} [note] How it is set up.
 */

/** @type {Contender} The route without authentication, which all others are compared with. */
export const bare = { id: "bare", server: "bare.mjs", packages: ["express"], note: "bare route" }

/** @type {readonly Contender[]} */
const contenders = [
  { id: "latchkey-1", server: "latchkey.mjs", args: ["1"], packages: ["latchkey"], note: "1 provider" },
  { id: "latchkey-50", server: "latchkey.mjs", args: ["50"], packages: ["latchkey"], note: "50 providers" },
  {
    id: "latchkey-sessions",
    server: "latchkey.mjs",
    args: ["50", "20000"],
    packages: ["latchkey"],
    note: "50 providers, 20000 sessions",
  },
  { id: "auth-express-1", server: "auth-express.mjs", args: ["1"], packages: ["@auth/express"], note: "1 provider" },
  {
    id: "auth-express-20",
    server: "auth-express.mjs",
    args: ["20"],
    packages: ["@auth/express"],
    note: "20 providers",
  },
  { id: "better-auth", server: "better-auth.mjs", packages: ["better-auth"], note: "memory adapter" },
  {
    id: "better-auth-cache",
    server: "better-auth.mjs",
    args: ["cookie-cache"],
    packages: ["better-auth"],
    note: "memory adapter, cookie cache",
  },
  { id: "passport", server: "express-session-passport.mjs", packages: ["express-session", "passport"] },
  { id: "cookie-session", server: "cookie-session.mjs", packages: ["cookie-session"] },
  { id: "iron-session", server: "iron-session.mjs", packages: ["iron-session"] },
]

/**
 * @param {readonly string[]} only Ids. Empty: all.
 * @returns {readonly Contender[]}
 */
export function chooseContenders(only) {
  const unknown = only.filter((id) => ![bare, ...contenders].some((contender) => contender.id === id))
  if (unknown.length > 0) {
    throw new Error(`--only knows ${contenders.map(({ id }) => id).join(", ")}; got "${unknown.join(", ")}"`)
  }
  const chosen = contenders.filter(({ id }) => only.length === 0 || only.includes(id))
  if (chosen.some(({ packages }) => packages.includes("latchkey"))) assertBuilt()
  return chosen
}

/** @param {Contender} contender */
export function labelOf({ packages, note }) {
  const names = packages.map(nameWithVersion).join(" + ")
  return note ? `${names}, ${note}` : names
}

function assertBuilt() {
  if (existsSync(new URL("../../dist/index.js", import.meta.url))) return
  throw new Error('dist/index.js is missing: run "npm run build" in the folder above bench/ first')
}
