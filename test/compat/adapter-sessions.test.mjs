/** Sessions live and end, with each adapter on a real database, and the rows are right. */
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { latchkeyApp } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openPostgres } from "./support/postgres.mjs"
import { contents, cookie, counts, isAbout, minute, oneDay, openStoredApp, thirtyDays } from "./support/stored-app.mjs"
import { stores } from "./support/stores.mjs"

const postgres = openPostgres()
after(() => postgres.close())

const update = async (browser, data) =>
  browser.send("/auth/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await browser.csrfToken(), data }),
  })

for (const store of stores) {
  describe(store.title, () => {
    const open = async (t, overrides) => openStoredApp(t, await store.open(t, postgres), overrides)

    it("hands the session callback the stored user, and what an update brought", async (t) => {
      const callbacks = {
        session: ({ session, user, newSession, trigger }) => ({
          user: { id: String(user.id), name: session.user.name },
          expires: session.expires,
          owner: String(session.userId),
          color: newSession?.color,
          trigger,
        }),
      }
      const { rows, vendors, browser, errors } = await open(t, { callbacks })
      await vendors.signIn(browser, "google")
      const { users, sessions } = await contents(rows)
      const view = {
        user: { id: users[0].id, name: "Ann" },
        expires: sessions[0].expires.toISOString(),
        owner: users[0].id,
      }
      assert.deepEqual(await browser.session(), view)
      assert.deepEqual((await update(browser, { color: "blue" })).json, { ...view, color: "blue", trigger: "update" })
      assert.deepEqual(await browser.session(), view)
      assert.deepEqual(await contents(rows), { ...(await contents(rows)), users, sessions })
      assert.deepEqual(errors, [])
    })

    it("prolongs a session once it is as old as updateAge, and no earlier", async (t) => {
      const { rows, vendors, browser, site, config, errors } = await open(t)
      await vendors.signIn(browser, "google")
      const expiry = async () => (await contents(rows)).sessions[0].expires
      const due = Date.now() + thirtyDays - oneDay

      await rows.expireAt(new Date(due + 5 * minute))
      const before = await expiry()
      await browser.session()
      await browser.get("/me")
      assert.deepEqual(await expiry(), before)

      for (const path of ["/auth/session", "/me"]) {
        site.deploy(latchkeyApp(config()))
        await rows.expireAt(new Date(due - 5 * minute))
        const { status, cookies, json } = await browser.get(path)
        assert.equal(status, 200)
        assert.equal(json.user.name, "Ann")
        isAbout(await expiry(), Date.now() + thirtyDays)
        isAbout(Date.parse(cookies.find(({ name }) => name === cookie).attributes.expires), Date.now() + thirtyDays)
      }
      assert.deepEqual(errors, [])
    })

    it("signs out: the row is gone, and the cookie is good for nothing", async (t) => {
      const { rows, vendors, browser, site, told, errors } = await open(t)
      const other = openBrowser(site)
      await vendors.signIn(other, "google")
      await vendors.signIn(browser, "google")
      const stolen = browser.copy()
      const { status, location } = await browser.submit("/auth/signout", { callbackUrl: "/bye" })
      assert.deepEqual([status, new URL(location).pathname], [302, "/bye"])
      assert.ok(!browser.cookies.has(cookie))
      assert.equal((await stolen.get("/me")).json, null)
      assert.equal(await stolen.session(), null)
      assert.ok(!stolen.cookies.has(cookie))
      const { sessions } = await contents(rows)
      assert.deepEqual(
        sessions.map(({ sessionToken }) => sessionToken),
        [other.cookies.get(cookie)],
      )
      assert.equal((await other.session()).user.name, "Ann")
      assert.equal(told.filter(([event]) => event === "signOut").length, 1)
      assert.deepEqual(errors, [])
    })

    for (const path of ["/auth/session", "/me"]) {
      it(`removes a session that has expired, when it comes to ${path}`, async (t) => {
        const { rows, vendors, browser, errors } = await open(t)
        await vendors.signIn(browser, "google")
        await rows.expireAt(new Date(Date.now() - 1000))
        assert.equal((await browser.get(path)).json, null)
        assert.ok(!browser.cookies.has(cookie))
        assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 0 })
        assert.deepEqual(errors, [])
      })
    }

    it("takes a session whose user was deleted for none", async (t) => {
      const { rows, adapter, vendors, browser, site, config, errors } = await open(t)
      await vendors.signIn(browser, "google")
      const { users } = await contents(rows)
      await adapter.deleteUser(users[0].id)
      assert.equal(await browser.session(), null)
      // What was signed in a moment ago may be missing from a replica: the cookie stays for a while.
      assert.ok(browser.cookies.has(cookie))
      site.deploy(latchkeyApp(config()))
      assert.equal(await browser.session(), null)
      assert.ok(!browser.cookies.has(cookie))
      assert.deepEqual(errors, [])
    })

    it("ends a session that was deleted just before it could be prolonged", async (t) => {
      const { adapter, rows, vendors, browser, site, config } = await open(t)
      await vendors.signIn(browser, "google")
      await rows.expireAt(new Date(Date.now() + oneDay))
      const late = {
        ...adapter,
        async getSessionAndUser(token) {
          const found = await adapter.getSessionAndUser(token)
          await rows.removeSessions()
          return found
        },
      }
      site.deploy(latchkeyApp(config({ adapter: late })))
      await browser.session()
      assert.equal(await browser.session(), null)
      assert.ok(!browser.cookies.has(cookie))
      assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 0 })
    })

    for (const { title, spoil } of [
      { title: "a session that is no more", spoil: ({ rows }) => rows.removeSessions() },
      {
        title: "no session ever",
        spoil: ({ browser }) => browser.cookies.set(cookie, "5f0c6a52-0000-4000-8000-000000000000"),
      },
      { title: "something else altogether", spoil: ({ browser }) => browser.cookies.set(cookie, "nonsense") },
    ]) {
      describe(`with a cookie of ${title}`, () => {
        it("signs in", async (t) => {
          const { rows, vendors, browser, errors } = await open(t)
          await vendors.signIn(browser, "google")
          await spoil({ rows, browser })
          const stale = browser.cookies.get(cookie)
          await vendors.signIn(browser, "google")
          assert.notEqual(browser.cookies.get(cookie), stale)
          assert.equal((await browser.session()).user.name, "Ann")
          assert.deepEqual(errors, [])
        })

        it("signs out", async (t) => {
          const { rows, vendors, browser, told, errors } = await open(t)
          await vendors.signIn(browser, "google")
          const before = await contents(rows)
          await spoil({ rows, browser })
          const { status, location } = await browser.submit("/auth/signout", { callbackUrl: "/bye" })
          assert.deepEqual([status, new URL(location).pathname], [302, "/bye"])
          assert.ok(!browser.cookies.has(cookie))
          const { users, accounts } = await contents(rows)
          assert.deepEqual({ users, accounts }, { users: before.users, accounts: before.accounts })
          assert.ok(told.some(([event]) => event === "signOut"))
          assert.deepEqual(errors, [])
        })
      })
    }
  })
}
