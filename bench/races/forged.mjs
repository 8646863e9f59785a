// @ts-check

/** @type {Omit<import("../race/contender.mjs").Contender, "id" | "server" | "packages">} */
const attack = { note: "forged", cookies: "forged", admits: "open", expected: { status: 401 } }

/** As many different ones as there are forged ones: few enough for Latchkey to remember them. */
const known = ["1", "10000"]
/** So many that each is forgotten before it comes again: its token has to be opened each time. */
const unknown = ["1", "40000"]

const latchkey = { server: "latchkey.mjs", packages: ["latchkey"] }
const authExpress = { server: "auth-express.mjs", packages: ["@auth/express"] }

/** @type {import("../race/race.mjs").Race} */
export const forged = {
  title: "(i) A guarded route, forged session cookies",
  load: "requests",
  contenders: [
    { ...latchkey, id: "latchkey-known", args: known, note: "valid, seen before" },
    { ...latchkey, id: "latchkey-unknown", args: unknown, note: "valid, not seen before" },
    { ...latchkey, ...attack, id: "latchkey-forged" },
    { ...authExpress, id: "auth-express-valid", args: known, note: "valid" },
    { ...authExpress, ...attack, id: "auth-express-forged" },
  ],
  bars: [
    { workload: "i", id: "latchkey-forged", than: "latchkey-unknown", least: 1 },
    { workload: "i", id: "latchkey-forged", than: "latchkey-known", least: 1 },
  ],
}
