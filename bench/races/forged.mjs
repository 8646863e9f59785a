// @ts-check

/** @type {Omit<import("../race/contender.mjs").Contender, "id" | "server" | "packages">} */
const attack = { note: "forged", cookies: "forged", admits: "open", expected: { status: 401 } }

/** As many different ones as there are forged ones. */
const valid = ["1", "10000"]

/** @type {import("../race/race.mjs").Race} */
export const forged = {
  title: "(i) A guarded route, forged session cookies",
  load: "requests",
  contenders: [
    { id: "latchkey-valid", server: "latchkey.mjs", args: valid, packages: ["latchkey"], note: "valid" },
    { ...attack, id: "latchkey-forged", server: "latchkey.mjs", packages: ["latchkey"] },
    { id: "auth-express-valid", server: "auth-express.mjs", args: valid, packages: ["@auth/express"], note: "valid" },
    { ...attack, id: "auth-express-forged", server: "auth-express.mjs", packages: ["@auth/express"] },
  ],
  bars: [{ workload: "i", id: "latchkey-forged", than: "latchkey-valid", least: 1 }],
}
