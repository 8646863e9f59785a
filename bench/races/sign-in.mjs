// @ts-check

/** @type {Omit<import("../race/contender.mjs").Contender, "id" | "server" | "packages">} */
const authJs = { journey: "authJs", waits: true }

/** @type {import("../race/race.mjs").Race} */
export const signIn = {
  title: "(f) A complete sign-in at a local OpenID provider; the bare route answers plain requests",
  load: "sign-ins",
  contenders: [
    { ...authJs, id: "latchkey-sign-in", server: "latchkey-sign-in.mjs", packages: ["latchkey"] },
    { ...authJs, id: "auth-express-sign-in", server: "auth-express-sign-in.mjs", packages: ["@auth/express"] },
    {
      id: "better-auth-sign-in",
      server: "better-auth-sign-in.mjs",
      packages: ["better-auth"],
      note: "memory adapter",
      journey: "betterAuth",
      waits: true,
    },
    {
      id: "express-openid-connect-sign-in",
      server: "express-openid-connect.mjs",
      packages: ["express-openid-connect"],
      journey: "expressOpenidConnect",
      waits: true,
    },
  ],
  bars: [{ workload: "f", id: "latchkey-sign-in", than: "auth-express-sign-in", least: 1.5 }],
}
