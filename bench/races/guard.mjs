// @ts-check

/** As many as Auth.js has in its catalogue and some more. */
const allProviders = "159"

const latchkey = { server: "latchkey.mjs", packages: ["latchkey"] }
const authExpress = { server: "auth-express.mjs", packages: ["@auth/express"] }

/** @type {import("../race/race.mjs").Race} */
export const guard = {
  title: "(a, g) A guarded route, one session in its cookie",
  load: "requests",
  contenders: [
    { ...latchkey, id: "latchkey-1", args: ["1"], note: "1 provider" },
    { ...latchkey, id: "latchkey-50", args: ["50"], note: "50 providers" },
    { ...latchkey, id: "latchkey-all", args: [allProviders], note: `${allProviders} providers` },
    { ...authExpress, id: "auth-express-1", args: ["1"], note: "1 provider" },
    { ...authExpress, id: "auth-express-20", args: ["20"], note: "20 providers" },
    { id: "better-auth", server: "better-auth.mjs", packages: ["better-auth"], note: "memory adapter" },
    {
      id: "better-auth-cache",
      server: "better-auth.mjs",
      args: ["cookie-cache"],
      packages: ["better-auth"],
      note: "memory adapter, cookie cache",
    },
    { id: "express-openid-connect", server: "express-openid-connect.mjs", packages: ["express-openid-connect"] },
    { id: "passport", server: "express-session-passport.mjs", packages: ["express-session", "passport"] },
    { id: "cookie-session", server: "cookie-session.mjs", packages: ["cookie-session"] },
    { id: "iron-session", server: "iron-session.mjs", packages: ["iron-session"] },
  ],
  bars: [
    { workload: "a", id: "latchkey-1", than: "bare", least: 0.9 },
    { workload: "a", id: "latchkey-1", than: "auth-express-1", least: 6.5 },
    { workload: "g", id: "latchkey-50", than: "latchkey-1", least: 0.98 },
    { workload: "g", id: "latchkey-all", than: "latchkey-1", least: 0.98 },
  ],
}
