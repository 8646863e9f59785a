// @ts-check
import { nameWithVersion } from "../lib/versions.mjs"
import { expectedBody } from "../lib/user.mjs"

/**
 * @typedef {object} Contender
 * @property {string} id What `--only` calls it.
 * @property {string} server Its file in `servers/`.
 * @property {readonly string[]} [args] Arguments of that file.
 * @property {readonly string[]} packages What is measured.
 * @property {string} [note] How it is set up.
 * @property {import("../lib/services.mjs").Service} [needs] Where it keeps its sessions, besides its own process.
 * @property {boolean} [waits] Whether it waits for another process anyway, so that its share of a core tells nothing.
 * @property {"open" | "guarded" | "stored"} [admits] Who gets in, which is tried first: whoever has a session; whoever has one that a store knows; `open` where nothing is tried. Default `guarded`.
 * @property {string} [path] What is asked for. Default `/guarded`.
 * @property {import("./cookies.mjs").CookieShape} [cookies] What becomes of the server's cookies. Default `own`.
 * @property {import("./race.mjs").LoadKind} [load] Default: that of the race.
 * @property {import("../load/journeys.mjs").JourneyName} [journey] How to sign in, where that is the load.
 * @property {number} [warmUpSeconds] Load before the first round. Default 2.
 * @property {Expected} [expected] Default: 200, and the name of the user as JSON.
 */

/**
 * @typedef {object} Expected What every answer has to be.
 * @property {number} status
 * @property {string} [body] The whole of it.
 * @property {string} [part] A part of it.
 */

/** @type {Contender} The route without authentication, which all others are compared with: there is nowhere to sign in. */
export const bare = {
  id: "bare",
  server: "bare.mjs",
  packages: ["express"],
  note: "bare route",
  admits: "open",
  load: "requests",
}

/** @type {Expected} */
export const admitted = { status: 200, body: expectedBody }

/** @param {Contender} contender */
export function labelOf({ packages, note }) {
  const names = packages.map(nameWithVersion).join(" + ")
  return note ? `${names}, ${note}` : names
}
