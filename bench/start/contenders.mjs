// @ts-check

/**
 * @typedef {object} Contender
 * @property {string} id What `--only` calls it.
 * @property {string} app Its file in `apps/`.
 * @property {readonly string[]} packages What is imported, besides Express.
 */

/** @type {Contender} What all others have too. */
export const bare = { id: "bare", app: "bare.mjs", packages: ["express"] }

/** @type {readonly Contender[]} */
export const contenders = [
  { id: "latchkey-start", app: "latchkey.mjs", packages: ["latchkey"] },
  { id: "auth-express-start", app: "auth-express.mjs", packages: ["@auth/express", "@auth/core"] },
  { id: "better-auth-start", app: "better-auth.mjs", packages: ["better-auth"] },
  { id: "express-openid-connect-start", app: "express-openid-connect.mjs", packages: ["express-openid-connect"] },
  { id: "passport-start", app: "express-session-passport.mjs", packages: ["express-session", "passport"] },
  { id: "cookie-session-start", app: "cookie-session.mjs", packages: ["cookie-session"] },
  { id: "iron-session-start", app: "iron-session.mjs", packages: ["iron-session"] },
]
