/** Credentials with sessions in a database, with each adapter on a real one. */
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import Credentials from "@auth/core/providers/credentials"
import { latchkeyApp } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openPostgres } from "./support/postgres.mjs"
import { contents, cookie, counts, openStoredApp } from "./support/stored-app.mjs"
import { stores } from "./support/stores.mjs"
import { ann } from "./support/two-vendors.mjs"

const postgres = openPostgres()
after(() => postgres.close())

const credentials = (authorize) => ({ providers: [Credentials({ credentials: { username: {} }, authorize })] })

/** Nobody that a store knows. */
const eve = { id: "5f0c6a52-0000-4000-8000-000000000042", name: "Eve", email: "eve@example.com" }

for (const store of stores) {
  describe(store.title, () => {
    const open = async (t, overrides) => openStoredApp(t, await store.open(t, postgres), overrides)

    it("signs in whom authorize found in the store", async (t) => {
      const { adapter, rows, vendors, browser, site, config, errors } = await open(t)
      await vendors.signIn(openBrowser(site), "google")
      await rows.removeSessions()
      site.deploy(latchkeyApp(config(credentials(() => adapter.getUserByEmail(ann.email)))))
      await browser.signIn()
      const { users, sessions } = await contents(rows)
      assert.deepEqual(
        sessions.map(({ sessionToken, userId }) => [sessionToken, userId]),
        [[browser.cookies.get(cookie), users[0].id]],
      )
      assert.equal((await browser.session()).user.email, ann.email)
      assert.equal((await browser.get("/account")).text, "Hello Ann")
      await browser.submit("/auth/signout")
      assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 0 })
      assert.deepEqual(errors, [])
    })

    if (store.keepsIds) {
      it("stores whom it does not know under the id that authorize returned", async (t) => {
        const app = await open(
          t,
          credentials(() => eve),
        )
        const { rows, browser, told, errors } = app
        for (const sessions of [1, 1]) {
          await browser.signIn()
          assert.deepEqual(await counts(rows), { users: 1, accounts: 0, sessions })
        }
        const { users, sessions } = await contents(rows)
        assert.deepEqual(users, [{ ...eve, emailVerified: null, image: null }])
        assert.equal(sessions[0].userId, eve.id)
        assert.equal((await browser.session()).user.name, "Eve")
        assert.deepEqual(
          told.map(([event]) => event),
          ["createUser", "signIn", "signIn"],
        )
        assert.deepEqual(errors, [])
      })
    } else {
      it("refuses whom it would have to store under another id, and leaves no row behind", async (t) => {
        const app = await open(
          t,
          credentials(() => eve),
        )
        const { rows, browser, errors } = app
        const { location } = await browser.signIn()
        assert.match(location, /\/auth\/error\?error=Configuration/)
        assert.ok(errors.some(({ message }) => message.includes("ids of its own")))
        assert.equal(await browser.session(), null)
        assert.deepEqual(await counts(rows), { users: 0, accounts: 0, sessions: 0 })
      })
    }

    it("refuses an id of somebody unknown with the e-mail address of somebody else", async (t) => {
      const { rows, vendors, browser, site, config } = await open(t)
      await vendors.signIn(openBrowser(site), "google")
      const before = await contents(rows)
      const stranger = { ...eve, email: "ANN@example.com" }
      site.deploy(latchkeyApp(config(credentials(() => stranger))))
      const { location } = await browser.signIn()
      assert.match(location, /\/auth\/signin\?error=AccountNotLinked/)
      assert.deepEqual(await contents(rows), before)
    })
  })
}
