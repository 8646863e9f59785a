// @ts-check
// What the chart shows: which figures of a run, and under which names.

/** @typedef {import("../lib/outcome.mjs").Bar} Bar */
/** @typedef {import("../lib/outcome.mjs").Row} Row */

/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} unit What the line at 1 stands for.
 * @property {readonly Line[]} lines From top to bottom.
 */

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {string} label The same with what is known of it; equal to the name where that is nothing.
 * @property {number} value
 * @property {string} figure The value as it is shown.
 * @property {boolean} isOurs
 */

/** One contender of the guard race for each product. */
const products = [
  { id: "latchkey-1", name: "Latchkey", isOurs: true },
  { id: "cookie-session", name: "cookie-session", isOurs: false },
  { id: "iron-session", name: "iron-session", isOurs: false },
  { id: "passport", name: "passport", isOurs: false },
  { id: "better-auth", name: "better-auth", isOurs: false },
  { id: "express-openid-connect", name: "express-openid-connect", isOurs: false },
  { id: "auth-express-1", name: "@auth/express", isOurs: false },
]

/** The bars that compare Latchkey with @auth/express, by requests per second where nothing else is said. */
const advantages = [
  { id: "latchkey-1/auth-express-1", name: "Session guard" },
  { id: "latchkey-endpoint/auth-express-endpoint", name: "GET /auth/session" },
  { id: "latchkey-page/auth-express-page", name: "Sign-in page" },
  { id: "latchkey-sign-in/auth-express-sign-in", name: "Full sign-in" },
  { id: "latchkey-postgres/auth-express-postgres", name: "PostgreSQL session" },
  { id: "latchkey-start/auth-express-start", name: "Import", isTime: true },
]

/**
 * @param {readonly import("../lib/outcome.mjs").Outcome[]} outcomes
 * @returns {Panel[]}
 */
export function comparePanels(outcomes) {
  return [
    compareProducts(outcomes.flatMap(({ rows }) => rows)),
    compareAdvantages(outcomes.flatMap(({ bars }) => bars)),
  ]
}

/**
 * What the chart is to show and the run does not have.
 *
 * @param {readonly Panel[]} panels
 */
export function findMissing(panels) {
  const names = panels.flatMap(({ lines }) => lines.map(({ name }) => name))
  return [...products, ...advantages].map(({ name }) => name).filter((name) => !names.includes(name))
}

/**
 * The panels in words, for whoever does not see them.
 *
 * @param {readonly Panel[]} panels
 */
export function describePanels(panels) {
  return panels.map(describePanel).join(" ")
}

/** @param {Panel} panel */
function describePanel({ title, lines }) {
  return `${title}: ${lines.map(({ name, figure }) => `${name} ${figure}`).join(", ")}.`
}

/** @param {readonly Row[]} rows */
function compareProducts(rows) {
  const lines = products.flatMap(({ id, name, isOurs }) => {
    const row = rows.find((row) => row.id === id)
    return row ? [{ name, label: row.label, value: row.ratio, figure: row.ratio.toFixed(2), isOurs }] : []
  })
  return {
    title: "Guarded route, requests per second relative to a bare Express route",
    unit: "bare Express route: 1.00",
    lines: lines.sort((a, b) => b.value - a.value),
  }
}

/** @param {readonly Bar[]} bars */
function compareAdvantages(bars) {
  const lines = advantages.flatMap(({ id, name, isTime }) => {
    const bar = bars.find((bar) => bar.id === id)
    if (!bar) return []
    const value = isTime ? 1 / bar.value.median : bar.value.median
    return [{ name, label: name, value, figure: `${value.toFixed(1)}×`, isOurs: true }]
  })
  return { title: "Latchkey, times as fast as @auth/express", unit: "@auth/express: 1×", lines }
}
