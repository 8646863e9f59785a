/** The switch, on a database: whoever is signed in stays so, and whoever comes back is known, there and back again. */
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { authJsApp, latchkeyApp } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openPostgres } from "./support/postgres.mjs"
import { contents, cookie, counts, isAbout, oneDay, openStoredApp, thirtyDays } from "./support/stored-app.mjs"
import { published } from "./support/stores.mjs"
import { ann, bob } from "./support/two-vendors.mjs"

const postgres = openPostgres()
after(() => postgres.close())

/** Applications on one database; each makes itself of a configuration. */
const authJs = ({ config }) => authJsApp(config())
const latchkey = ({ config }) => latchkeyApp(config())
const latchkeyOnOurs = ({ config, ours }) => latchkeyApp(config({ adapter: ours() }))

const switches = [
  { title: "to Latchkey with the same adapter", from: authJs, to: latchkey },
  { title: "to Latchkey with its own adapter", from: authJs, to: latchkeyOnOurs, needsOurs: true },
  { title: "from Latchkey with the same adapter back to Auth.js", from: latchkey, to: authJs },
  { title: "from Latchkey with its own adapter back to Auth.js", from: latchkeyOnOurs, to: authJs, needsOurs: true },
]

const withoutDates = (row) => ({ ...row, expires: undefined })

for (const store of Object.values(published)) {
  for (const { title, from, to, needsOurs } of switches) {
    if (needsOurs && store === published.unstorage) continue

    describe(`A switch on ${store.title} ${title}`, () => {
      async function open(t) {
        const opened = await store.open(t, postgres)
        const app = await openStoredApp(t, opened)
        const move = (make) => app.site.deploy(make({ config: app.config, ours: opened.ours }))
        move(from)
        return { ...app, move }
      }

      it("keeps people signed in", async (t) => {
        const { rows, vendors, browser, site, move, errors } = await open(t)
        const other = openBrowser(site)
        await vendors.signIn(browser, "google")
        await vendors.signIn(other, "google", bob)
        const before = [await browser.session(), await other.session()]
        const token = browser.cookies.get(cookie)
        const stored = await contents(rows)

        move(to)
        assert.deepEqual([await browser.session(), await other.session()], before)
        assert.deepEqual((await browser.get("/me")).json, before[0])
        assert.equal(before[0].user.email, ann.email)
        assert.equal(before[1].user.email, bob.email)
        assert.equal(browser.cookies.get(cookie), token)
        assert.deepEqual(await contents(rows), stored)
        assert.deepEqual(errors, [])
      })

      it("knows people again, by each of their accounts", async (t) => {
        const { rows, vendors, browser, site, move, errors } = await open(t)
        await vendors.signIn(browser, "google")
        await vendors.signIn(browser, "github")
        const { users, accounts } = await contents(rows)
        assert.equal(accounts.length, 2)

        move(to)
        for (const name of ["google", "github"]) {
          const other = openBrowser(site)
          await vendors.signIn(other, name)
          assert.equal((await other.session()).user.email, ann.email)
        }
        await vendors.signIn(browser, "google")
        const found = await contents(rows)
        assert.deepEqual(found.users, users)
        assert.deepEqual(
          found.accounts.map(({ provider, userId }) => [provider, userId]),
          accounts.map(({ provider, userId }) => [provider, userId]),
        )
        assert.deepEqual([...new Set(found.sessions.map(({ userId }) => userId))], [users[0].id])
        assert.deepEqual(errors, [])
      })

      it("signs newcomers up, who are known after the way back", async (t) => {
        const { rows, vendors, browser, site, move, errors } = await open(t)
        await vendors.signIn(openBrowser(site), "google")
        move(to)
        await vendors.signIn(browser, "google", bob)
        const { expires } = await browser.session()
        isAbout(Date.parse(expires), Date.now() + thirtyDays)
        const { users, accounts } = await contents(rows)
        assert.equal(users.length, 2)
        assert.equal(new Set(users.map(({ id }) => id)).size, 2)
        assert.equal(accounts.length, 2)

        move(from)
        const session = await browser.session()
        assert.equal(session.user.email, bob.email)
        assert.equal(session.expires, expires)
        const other = openBrowser(site)
        await vendors.signIn(other, "google", bob)
        assert.equal((await other.session()).user.email, bob.email)
        assert.deepEqual((await contents(rows)).users, users)
        assert.deepEqual(errors, [])
      })

      it("links an account to somebody who was signed in before", async (t) => {
        const { rows, vendors, browser, move, errors } = await open(t)
        await vendors.signIn(browser, "google")
        move(to)
        await vendors.signIn(browser, "github")
        const { users, accounts } = await contents(rows)
        assert.deepEqual(
          accounts.map(({ provider, userId }) => [provider, userId]),
          [
            ["github", users[0].id],
            ["google", users[0].id],
          ],
        )
        assert.equal((await browser.session()).user.email, ann.email)
        assert.deepEqual(errors, [])
      })

      it("refuses an address that was taken before", async (t) => {
        const { rows, vendors, browser, site, move } = await open(t)
        await vendors.signIn(openBrowser(site), "google")
        const before = await contents(rows)
        move(to)
        const { location } = await vendors.answer(browser, "github")
        assert.match(location, /error=OAuthAccountNotLinked$/)
        assert.deepEqual(await contents(rows), before)
      })

      it("prolongs a session that was begun before, and ends one that has expired", async (t) => {
        const { rows, vendors, browser, move, errors } = await open(t)
        await vendors.signIn(browser, "google")
        const { sessions } = await contents(rows)
        await rows.expireAt(new Date(Date.now() + oneDay))
        move(to)
        assert.equal((await browser.session()).user.email, ann.email)
        const prolonged = (await contents(rows)).sessions
        isAbout(prolonged[0].expires, Date.now() + thirtyDays)
        assert.deepEqual(prolonged.map(withoutDates), sessions.map(withoutDates))

        move(from)
        assert.equal((await browser.session()).expires, prolonged[0].expires.toISOString())
        await rows.expireAt(new Date(Date.now() - 1000))
        move(to)
        assert.equal(await browser.session(), null)
        assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 0 })
        assert.deepEqual(errors, [])
      })

      it("signs out of a session that was begun before, for good", async (t) => {
        const { rows, vendors, browser, move, errors } = await open(t)
        await vendors.signIn(browser, "google")
        const stolen = browser.copy()
        move(to)
        const { status, location } = await browser.submit("/auth/signout", { callbackUrl: "/bye" })
        assert.deepEqual([status, new URL(location).pathname], [302, "/bye"])
        assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 0 })
        move(from)
        assert.equal(await browser.session(), null)
        assert.equal(await stolen.session(), null)
        assert.deepEqual(errors, [])
      })

      it("can be undone, and done again", async (t) => {
        const { rows, vendors, browser, move, errors } = await open(t)
        await vendors.signIn(browser, "google")
        const view = await browser.session()
        const stored = await contents(rows)
        for (const app of [to, from, to, from, to]) {
          move(app)
          assert.deepEqual(await browser.session(), view)
          assert.deepEqual((await browser.get("/me")).json, view)
        }
        assert.deepEqual(await contents(rows), stored)
        assert.deepEqual(errors, [])
      })
    })
  }
}
