// @ts-check

/** It is a lot of code, which Node compiles for good only after some thousands of sign-ins. */
const signingIn = { waits: true, warmUpSeconds: 8 }

/** @type {Omit<import("../race/contender.mjs").Contender, "id" | "server" | "packages">} */
const asAuthJs = { ...signingIn, journey: "authJs" }

/** @type {import("../race/race.mjs").Race} */
export const signIn = {
  title: "(f) A complete sign-in at a local OpenID provider; the bare route answers plain requests",
  load: "sign-ins",
  contenders: [
    { ...asAuthJs, id: "latchkey-sign-in", server: "latchkey-sign-in.mjs", packages: ["latchkey"] },
    { ...asAuthJs, id: "auth-express-sign-in", server: "auth-express-sign-in.mjs", packages: ["@auth/express"] },
    {
      ...signingIn,
      id: "better-auth-sign-in",
      server: "better-auth-sign-in.mjs",
      packages: ["better-auth"],
      note: "memory adapter",
      journey: "betterAuth",
    },
    {
      ...signingIn,
      id: "express-openid-connect-sign-in",
      server: "express-openid-connect.mjs",
      packages: ["express-openid-connect"],
      journey: "expressOpenidConnect",
    },
  ],
  bars: [{ workload: "f", id: "latchkey-sign-in", than: "auth-express-sign-in", least: 1.5 }],
}
