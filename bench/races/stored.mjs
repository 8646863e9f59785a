// @ts-check
/** @typedef {import("../race/contender.mjs").Contender} Contender */

const sessions = "1000"

const latchkey = { server: "latchkey-stored.mjs", packages: ["latchkey"] }
const betterAuth = { server: "better-auth-stored.mjs", packages: ["better-auth"] }
const expressSession = { server: "express-session-redis.mjs", packages: ["express-session", "connect-redis"] }
const usersInSqlite = "Redis for sessions, SQLite for users"

/** @type {readonly Contender[]} */
const contenders = [
  { ...latchkey, id: "latchkey-memory", args: ["memory", sessions], note: "memory" },
  { ...latchkey, id: "latchkey-sqlite", args: ["sqlite", sessions], note: "SQLite" },
  { ...latchkey, id: "latchkey-postgres", args: ["postgres", sessions], note: "PostgreSQL", needs: "postgres" },
  { ...latchkey, id: "latchkey-redis", args: ["redis", sessions], note: usersInSqlite, needs: "redis" },
  {
    id: "auth-express-postgres",
    server: "auth-express-postgres.mjs",
    args: [sessions],
    packages: ["@auth/express", "@auth/pg-adapter"],
    note: "PostgreSQL",
    needs: "postgres",
  },
  { ...betterAuth, id: "better-auth-sqlite", args: ["sqlite", sessions], note: "SQLite" },
  { ...betterAuth, id: "better-auth-postgres", args: ["postgres", sessions], note: "PostgreSQL", needs: "postgres" },
  { ...expressSession, id: "express-session-redis", args: [sessions], note: "Redis", needs: "redis" },
  {
    ...expressSession,
    id: "express-session-redis-read",
    args: [sessions, "disable-touch"],
    note: "Redis, disableTouch",
    needs: "redis",
  },
]

/** @type {import("../race/race.mjs").Race} */
export const stored = {
  title: `(c) A guarded route, ${sessions} sessions in a store`,
  load: "requests",
  contenders: contenders.map((contender) => ({ ...contender, admits: "stored" })),
  bars: [
    { workload: "c", id: "latchkey-sqlite", than: "bare", least: 0.75 },
    { workload: "c", id: "latchkey-postgres", than: "auth-express-postgres", least: 2 },
    { workload: "c", id: "latchkey-redis", than: "express-session-redis", least: 1 },
    { workload: "c", id: "latchkey-redis", than: "express-session-redis-read", least: 1 },
  ],
}
