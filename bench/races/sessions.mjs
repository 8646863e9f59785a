// @ts-check

const count = "10000"

/** @type {import("../race/race.mjs").Race} */
export const sessions = {
  title: "(b) A guarded route, 10,000 sessions in their cookies",
  load: "requests",
  contenders: [
    { id: "latchkey-sessions", server: "latchkey.mjs", args: ["1", count], packages: ["latchkey"] },
    // More than it remembers: each token has to be opened anew.
    {
      id: "latchkey-many-sessions",
      server: "latchkey.mjs",
      args: ["1", "40000"],
      packages: ["latchkey"],
      note: "40,000 sessions",
    },
    { id: "auth-express-sessions", server: "auth-express.mjs", args: ["1", count], packages: ["@auth/express"] },
    { id: "cookie-session-sessions", server: "cookie-session.mjs", args: [count], packages: ["cookie-session"] },
    { id: "iron-session-sessions", server: "iron-session.mjs", args: [count], packages: ["iron-session"] },
  ],
  bars: [{ workload: "b", id: "latchkey-sessions", than: "bare", least: 0.75 }],
}
