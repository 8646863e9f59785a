// @ts-check

/** @type {Pick<import("../race/contender.mjs").Contender, "cookies">} */
const crowded = { cookies: "crowded" }

/** @type {import("../race/race.mjs").Race} */
export const foreignCookies = {
  title: "(h) A guarded route, the session cookie behind 16 KB of other cookies",
  load: "requests",
  contenders: [
    { ...crowded, id: "bare-crowded", server: "bare.mjs", packages: ["express"], note: "16 KB", admits: "open" },
    { ...crowded, id: "latchkey-crowded", server: "latchkey.mjs", packages: ["latchkey"], note: "16 KB" },
    { ...crowded, id: "auth-express-crowded", server: "auth-express.mjs", packages: ["@auth/express"], note: "16 KB" },
    {
      ...crowded,
      id: "cookie-session-crowded",
      server: "cookie-session.mjs",
      packages: ["cookie-session"],
      note: "16 KB",
    },
  ],
  bars: [],
}
