/** People sign up, come back and link accounts, with each adapter on a real database, and the rows are right. */
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import { openBrowser } from "./support/browser.mjs"
import { openPostgres } from "./support/postgres.mjs"
import { contents, cookie, counts, isAbout, minute, openStoredApp, thirtyDays } from "./support/stored-app.mjs"
import { stores } from "./support/stores.mjs"
import { ann, bob } from "./support/two-vendors.mjs"

const postgres = openPostgres()
after(() => postgres.close())

for (const store of stores) {
  describe(store.title, () => {
    const open = async (t, overrides) => openStoredApp(t, await store.open(t, postgres), overrides)

    it("signs somebody up: a user, an account with its tokens, and a session", async (t) => {
      const { rows, vendors, browser, told, errors } = await open(t)
      await vendors.signIn(browser, "google")
      const { users, accounts, sessions } = await contents(rows)
      const [{ id }] = users
      const { name, email, picture: image } = ann
      assert.deepEqual(users, [{ id, name, email, emailVerified: null, image }])

      const [{ id_token: idToken, expires_at: expiresAt, ...account }] = accounts
      assert.match(idToken, /^ey.+\..+\./)
      isAbout(expiresAt * 1000, Date.now() + 60 * minute)
      const keys = { provider: "google", providerAccountId: ann.sub, type: "oidc", userId: id }
      const tokens = { access_token: "access", refresh_token: "google-refresh", token_type: "bearer" }
      assert.deepEqual(account, { ...keys, ...tokens, scope: "openid email profile" })

      const [{ expires, ...session }] = sessions
      assert.deepEqual(session, { userId: id, sessionToken: browser.cookies.get(cookie) })
      isAbout(expires, Date.now() + thirtyDays)
      assert.deepEqual(await browser.session(), { user: { name, email, image }, expires: expires.toISOString() })
      assert.equal((await browser.get("/account")).text, "Hello Ann")
      assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 1 })

      const events = told.map(([event, { user, isNewUser }]) => [event, String(user.id), isNewUser])
      assert.deepEqual(events, [
        ["createUser", id, undefined],
        ["linkAccount", id, undefined],
        ["signIn", id, true],
      ])
      assert.deepEqual(errors, [])
    })

    it("stores no token that there is no column for", async (t) => {
      const { rows, vendors, browser, errors } = await open(t)
      await vendors.signIn(browser, "github")
      const { accounts } = await contents(rows)
      const [{ userId: _userId, expires_at: expiresAt, ...account }] = accounts
      isAbout(expiresAt * 1000, Date.now() + 8 * 60 * minute)
      const keys = { provider: "github", providerAccountId: "7", type: "oauth" }
      const tokens = { access_token: "access", refresh_token: "github-refresh", token_type: "bearer" }
      assert.deepEqual(account, { ...keys, ...tokens, scope: "read:user,user:email" })
      assert.deepEqual(errors, [])
    })

    it("knows somebody again, in each browser with a session of its own", async (t) => {
      const { rows, vendors, browser, site, told, errors } = await open(t)
      await vendors.signIn(browser, "google")
      const first = browser.cookies.get(cookie)
      const other = openBrowser(site)
      await vendors.signIn(other, "google")
      assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 2 })

      await vendors.signIn(browser, "google")
      const { users, sessions } = await contents(rows)
      const tokens = [browser, other].map(({ cookies }) => cookies.get(cookie))
      assert.deepEqual(sessions.map(({ sessionToken }) => sessionToken).sort(), tokens.sort())
      assert.ok(!tokens.includes(first))
      assert.deepEqual([...new Set(sessions.map(({ userId }) => userId))], [users[0].id])
      assert.equal((await browser.session()).user.name, "Ann")
      assert.equal((await other.session()).user.name, "Ann")
      const signIns = told.filter(([event]) => event === "signIn")
      assert.deepEqual(
        signIns.map(([, { isNewUser }]) => isNewUser),
        [true, false, false],
      )
      assert.deepEqual(errors, [])
    })

    it("links a second vendor to whoever is signed in, who can then come through either", async (t) => {
      const { rows, vendors, browser, site, told, errors } = await open(t)
      await vendors.signIn(browser, "google")
      await vendors.signIn(browser, "github")
      const { users, accounts } = await contents(rows)
      const [{ id }] = users
      assert.deepEqual(
        accounts.map(({ provider, userId }) => [provider, userId]),
        [
          ["github", id],
          ["google", id],
        ],
      )
      assert.deepEqual(await counts(rows), { users: 1, accounts: 2, sessions: 1 })
      assert.equal(told.filter(([event]) => event === "linkAccount").length, 2)
      assert.equal((await browser.session()).user.name, "Ann")

      const other = openBrowser(site)
      await vendors.signIn(other, "github")
      assert.equal((await other.session()).user.name, "Ann")
      assert.deepEqual(await counts(rows), { users: 1, accounts: 2, sessions: 2 })
      assert.deepEqual(errors, [])
    })

    it("links nobody's account to anybody else", async (t) => {
      const { rows, vendors, browser, site } = await open(t)
      await vendors.signIn(openBrowser(site), "github")
      await vendors.signIn(browser, "google", bob)
      const before = await contents(rows)
      const { location } = await vendors.answer(browser, "github")
      assert.match(location, /\/auth\/signin\?error=OAuthAccountNotLinked$/)
      assert.deepEqual(await contents(rows), before)
      assert.equal((await browser.session()).user.name, "Bob")
    })

    it("refuses a newcomer with the e-mail address of somebody else", async (t) => {
      const { rows, vendors, browser, site } = await open(t)
      await vendors.signIn(openBrowser(site), "google")
      const before = await contents(rows)
      const { location } = await vendors.answer(browser, "github")
      assert.match(location, /\/auth\/signin\?error=OAuthAccountNotLinked$/)
      assert.deepEqual(await contents(rows), before)
      assert.ok(!browser.cookies.has(cookie))
      assert.equal(await browser.session(), null)
    })

    it("makes one user of somebody who signs up twice at once", async (t) => {
      const { rows, vendors, site, errors } = await open(t)
      const browsers = [openBrowser(site), openBrowser(site)]
      const ways = []
      for (const browser of browsers) ways.push(await vendors.start(browser, "google"))
      await Promise.all(browsers.map((browser, index) => browser.get(ways[index])))
      assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 2 })
      for (const browser of browsers) assert.equal((await browser.session()).user.name, "Ann")
      assert.deepEqual(errors, [])
    })

    it("links nothing to an expired session", async (t) => {
      const { rows, vendors, browser } = await open(t)
      await vendors.signIn(browser, "google", bob)
      const way = await vendors.start(browser, "github")
      await rows.expireAt(new Date(Date.now() - 1000))
      await browser.get(way)
      const { users, accounts } = await contents(rows)
      const annsId = users.find(({ name }) => name === "Ann").id
      assert.equal(accounts.find(({ provider }) => provider === "github").userId, annsId)
      assert.equal((await browser.session()).user.name, "Ann")
      assert.deepEqual(await counts(rows), { users: 2, accounts: 2, sessions: 1 })
    })

    describe("with session tokens", () => {
      const session = { strategy: "jwt" }

      it("stores users and accounts, but no sessions", async (t) => {
        const { rows, vendors, browser, site, told, errors } = await open(t, { session })
        await vendors.signIn(browser, "google")
        await vendors.signIn(browser, "github")
        const other = openBrowser(site)
        await vendors.signIn(other, "github")
        assert.deepEqual(await counts(rows), { users: 1, accounts: 2, sessions: 0 })
        for (const each of [browser, other]) {
          assert.equal(each.cookies.get(cookie).split(".").length, 5)
          assert.equal((await each.session()).user.email, ann.email)
        }
        assert.deepEqual(
          told.map(([event]) => event),
          ["createUser", "linkAccount", "signIn", "linkAccount", "signIn", "signIn"],
        )
        await browser.submit("/auth/signout")
        assert.equal(await browser.session(), null)
        assert.deepEqual(errors, [])
      })

      it("puts the id of the stored user into the token", async (t) => {
        const seen = []
        const callbacks = {
          jwt({ token, user }) {
            seen.push([token.sub, user === undefined ? undefined : String(user.id)])
            return token
          },
        }
        const { rows, vendors, browser } = await open(t, { session, callbacks })
        await vendors.signIn(browser, "google")
        await browser.session()
        const { users } = await contents(rows)
        assert.deepEqual(seen, [
          [users[0].id, users[0].id],
          [users[0].id, undefined],
        ])
      })
    })
  })
}
