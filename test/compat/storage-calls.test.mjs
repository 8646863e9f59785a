/** The adapter, the callbacks and the events are called in the same order, with the same arguments, under both packages. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { authJsApp, latchkeyApp } from "./support/apps.mjs"
import { isExpired } from "./support/browser.mjs"
import { openRecorder } from "./support/record-calls.mjs"
import { scenarios } from "./support/storage-scenarios.mjs"
import { cookie, minute, openStoredApp } from "./support/stored-app.mjs"
import { published } from "./support/stores.mjs"

const callbacks = { signIn: () => true, jwt: ({ token }) => token, session: ({ session }) => session }
const nothing = () => undefined
const events = {
  createUser: nothing,
  updateUser: nothing,
  linkAccount: nothing,
  signIn: nothing,
  signOut: nothing,
  session: nothing,
}

/** What is called while the scenario runs, and what is answered. */
async function outcomeOf(t, app, { prepare, run, provider }, strategy) {
  const { adapter, rows } = await published.kyselyOnSqlite.open(t)
  const recorder = openRecorder()
  const overrides = {
    session: { strategy },
    callbacks: recorder.functions("callback", callbacks),
    events: recorder.functions("event", events),
  }
  const opened = await openStoredApp(t, { adapter: recorder.adapter(adapter), rows }, overrides, app)
  const providers = opened.vendors.providers(provider)
  const restart = () => opened.site.deploy(app(opened.config({ providers })))
  restart()
  const given = await prepare?.({ ...opened, restart })
  recorder.calls.splice(0)
  const { status, location, cookies, json } = await run({ ...opened, given })
  const answer = {
    status,
    path: location?.replace(opened.site.origin, ""),
    session: cookies.filter(({ name }) => name === cookie).map(traitsOf),
    body: recorder.tidy(json),
  }
  return { calls: recorder.calls, answer }
}

/** What a cookie is like, but for its value. */
function traitsOf({ attributes, ...written }) {
  const { expires, "max-age": _maxAge, ...others } = attributes
  const lifetime = isExpired({ attributes, ...written })
    ? "expired"
    : Math.round((Date.parse(expires) - Date.now()) / minute)
  return { ...others, lifetime }
}

for (const strategy of ["database", "jwt"]) {
  describe(`What is called under the ${strategy} strategy`, () => {
    for (const scenario of scenarios) {
      const { title, only, differs = [] } = scenario
      if (only && only !== strategy) continue
      const differences = differs.filter((each) => !each.only || each.only === strategy)
      const why = differences.map(({ because }) => because).join("; ")
      it(title + (why && ` (differs: ${why})`), async (t) => {
        const theirs = await outcomeOf(t, authJsApp, scenario, strategy)
        const ours = await outcomeOf(t, latchkeyApp, scenario, strategy)
        const expected = differences.reduce(
          ({ calls, answer }, difference) => ({
            calls: difference.calls?.(calls) ?? calls,
            answer: difference.answer?.(answer) ?? answer,
          }),
          theirs,
        )
        assert.deepEqual(ours, expected)
        if (why) assert.notDeepEqual(ours, theirs)
      })
    }
  })
}

describe("The id of somebody new", () => {
  const packages = [
    { name: "Auth.js", app: authJsApp },
    { name: "Latchkey", app: latchkeyApp },
  ]
  for (const { name, app } of packages) {
    it(`is the same for the signIn callback and for createUser: ${name}`, async (t) => {
      const ids = []
      const { adapter, rows } = await published.kyselyOnSqlite.open(t)
      const recorded = {
        ...adapter,
        createUser(user) {
          ids.push(user.id)
          return adapter.createUser(user)
        },
      }
      const signIn = ({ user }) => {
        ids.push(user.id)
        return true
      }
      const stored = { adapter: recorded, rows }
      const { browser, vendors } = await openStoredApp(t, stored, { callbacks: { signIn } }, app)
      await vendors.signIn(browser, "google")
      assert.equal(ids.length, 2)
      assert.equal(ids[0], ids[1])
    })
  }
})
