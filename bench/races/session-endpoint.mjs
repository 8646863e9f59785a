// @ts-check
import { user } from "../lib/user.mjs"

/** @type {Omit<import("../race/contender.mjs").Contender, "id" | "server" | "packages">} */
const asked = { path: "/auth/session", admits: "open", expected: { status: 200, part: user.name } }

/** @type {import("../race/race.mjs").Race} */
export const sessionEndpoint = {
  title: "(d) GET /auth/session",
  load: "requests",
  contenders: [
    { ...asked, id: "latchkey-endpoint", server: "latchkey.mjs", packages: ["latchkey"] },
    { ...asked, id: "auth-express-endpoint", server: "auth-express.mjs", packages: ["@auth/express"] },
    {
      ...asked,
      id: "better-auth-endpoint",
      server: "better-auth.mjs",
      packages: ["better-auth"],
      note: "memory adapter",
      path: "/api/auth/get-session",
    },
  ],
  bars: [{ workload: "d", id: "latchkey-endpoint", than: "auth-express-endpoint", least: 4 }],
}
