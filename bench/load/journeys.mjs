// @ts-check
// What a browser does to sign in with the provider called "local": one request after the other, each made of the
// answer to the one before.
/** @typedef {import("./browser.mjs").Answer} Answer */

/**
 * @typedef {object} Step
 * @property {string | ((last: Answer) => string)} to A path of the application, or an address that the last answer told.
 * @property {(last: Answer) => { type: string, body: string }} [sends] What is posted.
 * @property {number} status What it has to be answered with.
 */

/**
 * @typedef {object} Journey
 * @property {readonly Step[]} steps
 * @property {string} session The cookie that the last answer has to set, whole or in parts (`name.0`).
 */

/** @typedef {keyof typeof journeys} JourneyName */

/** @type {Step} */
const follow = { to: ({ location }) => location, status: 302 }

/** @type {Journey} */
const authJs = {
  steps: [
    { to: "/auth/signin", status: 200 },
    { to: "/auth/signin/local", sends: hiddenFields, status: 302 },
    follow,
    follow,
  ],
  session: "authjs.session-token",
}

/** @type {Journey} */
const betterAuth = {
  steps: [
    { to: "/api/auth/sign-in/social", sends: json({ provider: "local", callbackURL: "/" }), status: 200 },
    { to: ({ body }) => JSON.parse(body).url, status: 302 },
    follow,
  ],
  session: "better-auth.session_token",
}

/** @type {Journey} */
const expressOpenidConnect = {
  steps: [{ to: "/login", status: 302 }, follow, follow],
  session: "appSession",
}

export const journeys = { authJs, betterAuth, expressOpenidConnect }

/**
 * What a form has that nobody fills in.
 *
 * @param {Answer} page
 */
function hiddenFields({ body: page }) {
  const fields = new URLSearchParams()
  for (const [input] of page.matchAll(/<input type="hidden"[^>]*>/g)) {
    fields.set(attributeOf(input, "name"), attributeOf(input, "value"))
  }
  return { type: "application/x-www-form-urlencoded", body: `${fields}` }
}

/**
 * @param {string} tag
 * @param {string} name
 */
function attributeOf(tag, name) {
  return tag.match(`${name}="([^"]*)"`)?.[1] ?? ""
}

/**
 * @param {object} value
 * @returns {() => { type: string, body: string }}
 */
function json(value) {
  const body = JSON.stringify(value)
  return () => ({ type: "application/json", body })
}
