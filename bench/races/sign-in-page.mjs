// @ts-check

/** @type {Omit<import("../race/contender.mjs").Contender, "id" | "server" | "packages">} */
const asked = {
  args: ["5"],
  note: "5 providers",
  path: "/auth/signin",
  admits: "open",
  cookies: "none",
  expected: { status: 200, part: 'action="http' },
}

/** @type {import("../race/race.mjs").Race} */
export const signInPage = {
  title: "(e) GET /auth/signin, the page",
  load: "requests",
  contenders: [
    { ...asked, id: "latchkey-page", server: "latchkey.mjs", packages: ["latchkey"] },
    { ...asked, id: "auth-express-page", server: "auth-express.mjs", packages: ["@auth/express"] },
  ],
  bars: [{ workload: "e", id: "latchkey-page", than: "auth-express-page", least: 2 }],
}
