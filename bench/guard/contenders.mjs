// @ts-check
import { nameWithVersion } from "../lib/versions.mjs"

/**
 * @typedef {object} Contender
 * @property {string} id What `--only` calls it.
 * @property {string} server Its file in `servers/`.
 * @property {readonly string[]} [args] Arguments of that file.
 * @property {readonly string[]} packages What is measured.
 * @property {string} [note] How it is set up.
 * @property {import("../lib/services.mjs").Service} [needs] Where it keeps its sessions, besides its own process.
 * @property {boolean} [isStored] Whether its cookie is no more than the name of a session.
 */

/**
 * @typedef {object} ContenderSet Those that are measured in one run, and stand in one table.
 * @property {string} title
 * @property {readonly Contender[]} contenders
 */

/** @type {Contender} The route without authentication, which all others are compared with. */
export const bare = { id: "bare", server: "bare.mjs", packages: ["express"], note: "bare route" }

/** @type {ContenderSet} */
const cookies = {
  title: "A guarded route, with a valid session",
  contenders: [
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
  ],
}

const sessions = "1000"

/** @type {ContenderSet} */
const stored = {
  title: `A guarded route, with ${sessions} valid sessions in a store`,
  contenders: /** @type {readonly Contender[]} */ ([
    {
      id: "latchkey-memory",
      server: "latchkey-stored.mjs",
      args: ["memory", sessions],
      packages: ["latchkey"],
      note: "memory",
    },
    {
      id: "latchkey-sqlite",
      server: "latchkey-stored.mjs",
      args: ["sqlite", sessions],
      packages: ["latchkey"],
      note: "SQLite",
    },
    {
      id: "latchkey-postgres",
      server: "latchkey-stored.mjs",
      args: ["postgres", sessions],
      packages: ["latchkey"],
      note: "PostgreSQL",
      needs: "postgres",
    },
    {
      id: "latchkey-redis",
      server: "latchkey-stored.mjs",
      args: ["redis", sessions],
      packages: ["latchkey"],
      note: "Redis for sessions, SQLite for users",
      needs: "redis",
    },
    {
      id: "auth-express-postgres",
      server: "auth-express-postgres.mjs",
      args: [sessions],
      packages: ["@auth/express", "@auth/pg-adapter"],
      note: "PostgreSQL",
      needs: "postgres",
    },
    {
      id: "better-auth-sqlite",
      server: "better-auth-stored.mjs",
      args: ["sqlite", sessions],
      packages: ["better-auth"],
      note: "SQLite",
    },
    {
      id: "better-auth-postgres",
      server: "better-auth-stored.mjs",
      args: ["postgres", sessions],
      packages: ["better-auth"],
      note: "PostgreSQL",
      needs: "postgres",
    },
    {
      id: "express-session-redis",
      server: "express-session-redis.mjs",
      args: [sessions],
      packages: ["express-session", "connect-redis"],
      note: "Redis",
      needs: "redis",
    },
    {
      id: "express-session-redis-read",
      server: "express-session-redis.mjs",
      args: [sessions, "disable-touch"],
      packages: ["express-session", "connect-redis"],
      note: "Redis, disableTouch",
      needs: "redis",
    },
  ]).map((contender) => ({ ...contender, isStored: true })),
}

const all = [cookies, stored]

/**
 * @param {readonly string[]} only Ids. Empty: all.
 * @returns {readonly ContenderSet[]} None without contenders.
 */
export function chooseContenders(only) {
  const known = all.flatMap(({ contenders }) => contenders)
  const unknown = only.filter((id) => ![bare, ...known].some((contender) => contender.id === id))
  if (unknown.length > 0) {
    throw new Error(`--only knows ${known.map(({ id }) => id).join(", ")}; got "${unknown.join(", ")}"`)
  }
  const isChosen = (/** @type {Contender} */ { id }) => only.length === 0 || only.includes(id)
  const chosen = all.map(({ title, contenders }) => ({ title, contenders: contenders.filter(isChosen) }))
  const sets = chosen.filter(({ contenders }) => contenders.length > 0)
  // The bare route alone.
  return sets.length > 0 ? sets : [{ ...cookies, contenders: [] }]
}

/** @param {Contender} contender */
export function labelOf({ packages, note }) {
  const names = packages.map(nameWithVersion).join(" + ")
  return note ? `${names}, ${note}` : names
}
