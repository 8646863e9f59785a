/** An application that keeps its users and sessions in a database, and a look into that database. */
import assert from "node:assert/strict"
import { configuration, latchkeyApp, silent } from "./apps.mjs"
import { openBrowser } from "./browser.mjs"
import { openSite } from "./site.mjs"
import { openTwoVendors } from "./two-vendors.mjs"

/** Name of the session cookie. */
export const cookie = "authjs.session-token"

/** In milliseconds. */
export const minute = 60 * 1000
export const oneDay = 24 * 60 * minute
export const thirtyDays = 30 * oneDay

const events = ["createUser", "updateUser", "linkAccount", "signIn", "signOut"]

/**
 * An application on a store, with two vendors, and a browser.
 * @param store What `open` of a store gives.
 * @param overrides Of the configuration.
 * @param app Makes the application of a configuration.
 */
export async function openStoredApp(t, { adapter, rows }, overrides = {}, app = latchkeyApp) {
  const vendors = openTwoVendors(t)
  const errors = []
  const told = []
  const tell = (name) => (message) => {
    told.push([name, message])
  }
  const config = (more) =>
    configuration({
      adapter,
      providers: vendors.providers(),
      events: Object.fromEntries(events.map((name) => [name, tell(name)])),
      logger: { ...silent, error: (error) => errors.push(error) },
      ...overrides,
      ...more,
    })
  const site = await openSite(t, app(config()))
  return {
    adapter,
    rows,
    vendors,
    /** The configuration anew, with further overrides. */
    config,
    site,
    browser: openBrowser(site),
    /** The events so far: names and messages. */
    told,
    /** What was logged as an error so far. */
    errors,
  }
}

/** All rows, by table, in an order of their own. */
export async function contents(rows) {
  const [users, accounts, sessions] = await Promise.all([rows.users(), rows.accounts(), rows.sessions()])
  const by = (field) => (one, other) => String(one[field]).localeCompare(String(other[field]))
  return {
    users: users.sort(by("email")),
    accounts: accounts.sort(by("provider")),
    sessions: sessions.sort(by("sessionToken")),
  }
}

/** How many rows there are, by table. */
export async function counts(rows) {
  const found = await contents(rows)
  return Object.fromEntries(Object.entries(found).map(([table, all]) => [table, all.length]))
}

/** Asserts that a date is another one, give or take a minute. */
export function isAbout(date, expected) {
  assert.ok(Math.abs(date - expected) < minute, `${date} is not about ${new Date(expected)}`)
}
