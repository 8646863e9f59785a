/** The published adapters under Latchkey, each on a real database: people sign up, in and out, and the rows are right. */
import assert from "node:assert/strict"
import { after, describe, it } from "node:test"
import Credentials from "@auth/core/providers/credentials"
import { configuration, latchkeyApp, silent } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openPostgres } from "./support/postgres.mjs"
import { openSite } from "./support/site.mjs"
import { published } from "./support/stores.mjs"
import { ann, bob, openTwoVendors } from "./support/two-vendors.mjs"

const cookie = "authjs.session-token"
const thirtyDays = 30 * 24 * 60 * 60 * 1000
const oneDay = 24 * 60 * 60 * 1000
const minute = 60 * 1000

const postgres = openPostgres()
after(() => postgres.close())

/** An application on a store, with two vendors. `told`: the events, by name; `errors`: what was logged. */
async function open(t, store, overrides = {}) {
  const { adapter, rows } = await store.open(t, postgres)
  const vendors = openTwoVendors(t)
  const errors = []
  const told = []
  const tell = (name) => (message) => {
    told.push([name, message])
  }
  const names = ["createUser", "updateUser", "linkAccount", "signIn", "signOut"]
  const config = (more) =>
    configuration({
      adapter,
      providers: vendors.providers(),
      events: Object.fromEntries(names.map((name) => [name, tell(name)])),
      logger: { ...silent, error: (error) => errors.push(error) },
      ...overrides,
      ...more,
    })
  const site = await openSite(t, latchkeyApp(config()))
  return { adapter, rows, vendors, config, site, told, errors, browser: openBrowser(site) }
}

/** Rows by table, in an order of their own. */
async function contents(rows) {
  const [users, accounts, sessions] = await Promise.all([rows.users(), rows.accounts(), rows.sessions()])
  const by = (field) => (one, other) => String(one[field]).localeCompare(String(other[field]))
  return {
    users: users.sort(by("email")),
    accounts: accounts.sort(by("provider")),
    sessions: sessions.sort(by("sessionToken")),
  }
}

async function counts(rows) {
  const found = await contents(rows)
  return Object.fromEntries(Object.entries(found).map(([table, all]) => [table, all.length]))
}

function isAbout(date, expected) {
  assert.ok(Math.abs(date - expected) < minute, `${date} is not about ${new Date(expected)}`)
}

const post = async (browser, data) =>
  browser.send("/auth/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ csrfToken: await browser.csrfToken(), data }),
  })

for (const store of Object.values(published)) {
  describe(store.title, () => {
    it("signs somebody up: a user, an account with its tokens, and a session", async (t) => {
      const { rows, vendors, browser, told, errors } = await open(t, store)
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
      const { rows, vendors, browser, errors } = await open(t, store)
      await vendors.signIn(browser, "github")
      const { accounts } = await contents(rows)
      const [{ userId: _userId, expires_at: expiresAt, ...account }] = accounts
      isAbout(expiresAt * 1000, Date.now() + 8 * 60 * minute)
      const keys = { provider: "github", providerAccountId: "7", type: "oauth" }
      const tokens = { access_token: "access", refresh_token: "github-refresh", token_type: "bearer" }
      assert.deepEqual(account, { ...keys, ...tokens, scope: "read:user,user:email" })
      assert.deepEqual(errors, [])
    })

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
      const { rows, vendors, browser, errors } = await open(t, store, { callbacks })
      await vendors.signIn(browser, "google")
      const { users, sessions } = await contents(rows)
      const view = {
        user: { id: users[0].id, name: "Ann" },
        expires: sessions[0].expires.toISOString(),
        owner: users[0].id,
      }
      assert.deepEqual(await browser.session(), view)
      assert.deepEqual((await post(browser, { color: "blue" })).json, { ...view, color: "blue", trigger: "update" })
      assert.deepEqual(await browser.session(), view)
      assert.deepEqual(await contents(rows), { ...(await contents(rows)), users, sessions })
      assert.deepEqual(errors, [])
    })

    it("prolongs a session once it is as old as updateAge, and no earlier", async (t) => {
      const { rows, vendors, browser, site, config, errors } = await open(t, store)
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

    it("knows somebody again, in each browser with a session of its own", async (t) => {
      const { rows, vendors, browser, site, told, errors } = await open(t, store)
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
      const { rows, vendors, browser, site, told, errors } = await open(t, store)
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
      const { rows, vendors, browser, site } = await open(t, store)
      await vendors.signIn(openBrowser(site), "github")
      await vendors.signIn(browser, "google", bob)
      const before = await contents(rows)
      const { location } = await vendors.answer(browser, "github")
      assert.match(location, /\/auth\/signin\?error=OAuthAccountNotLinked$/)
      assert.deepEqual(await contents(rows), before)
      assert.equal((await browser.session()).user.name, "Bob")
    })

    it("refuses a newcomer with the e-mail address of somebody else", async (t) => {
      const { rows, vendors, browser, site } = await open(t, store)
      await vendors.signIn(openBrowser(site), "google")
      const before = await contents(rows)
      const { location } = await vendors.answer(browser, "github")
      assert.match(location, /\/auth\/signin\?error=OAuthAccountNotLinked$/)
      assert.deepEqual(await contents(rows), before)
      assert.ok(!browser.cookies.has(cookie))
      assert.equal(await browser.session(), null)
    })

    it("makes one user of somebody who signs up twice at once", async (t) => {
      const { rows, vendors, site, errors } = await open(t, store)
      const browsers = [openBrowser(site), openBrowser(site)]
      const ways = []
      for (const browser of browsers) ways.push(await vendors.start(browser, "google"))
      await Promise.all(browsers.map((browser, index) => browser.get(ways[index])))
      assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 2 })
      for (const browser of browsers) assert.equal((await browser.session()).user.name, "Ann")
      assert.deepEqual(errors, [])
    })

    it("signs out: the row is gone, and the cookie is good for nothing", async (t) => {
      const { rows, vendors, browser, site, told, errors } = await open(t, store)
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
        const { rows, vendors, browser, errors } = await open(t, store)
        await vendors.signIn(browser, "google")
        await rows.expireAt(new Date(Date.now() - 1000))
        assert.equal((await browser.get(path)).json, null)
        assert.ok(!browser.cookies.has(cookie))
        assert.deepEqual(await counts(rows), { users: 1, accounts: 1, sessions: 0 })
        assert.deepEqual(errors, [])
      })
    }

    it("links nothing to an expired session", async (t) => {
      const { rows, vendors, browser } = await open(t, store)
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

    it("takes a session whose user was deleted for none", async (t) => {
      const { rows, adapter, vendors, browser, site, config, errors } = await open(t, store)
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
      const { adapter, rows, vendors, browser, site, config } = await open(t, store)
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
          const { rows, vendors, browser, errors } = await open(t, store)
          await vendors.signIn(browser, "google")
          await spoil({ rows, browser })
          const stale = browser.cookies.get(cookie)
          await vendors.signIn(browser, "google")
          assert.notEqual(browser.cookies.get(cookie), stale)
          assert.equal((await browser.session()).user.name, "Ann")
          assert.deepEqual(errors, [])
        })

        it("signs out", async (t) => {
          const { rows, vendors, browser, told, errors } = await open(t, store)
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

    describe("with credentials", () => {
      const credentials = (authorize) => ({ providers: [Credentials({ credentials: { username: {} }, authorize })] })

      it("signs in whom authorize found in the store", async (t) => {
        const { adapter, rows, vendors, browser, site, config, errors } = await open(t, store)
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

      it("refuses whom the store would know under another id, and leaves no row behind", async (t) => {
        const stranger = { id: "5f0c6a52-0000-4000-8000-000000000042", name: "Eve", email: "eve@example.com" }
        const { rows, browser, errors } = await open(
          t,
          store,
          credentials(() => stranger),
        )
        const { location } = await browser.signIn()
        assert.match(location, /\/auth\/error\?error=Configuration/)
        assert.ok(errors.some(({ message }) => message.includes("ids of its own")))
        assert.equal(await browser.session(), null)
        assert.deepEqual(await counts(rows), { users: 0, accounts: 0, sessions: 0 })
      })

      it("refuses an id of somebody unknown with the e-mail address of somebody else", async (t) => {
        const { rows, vendors, browser, site, config } = await open(t, store)
        await vendors.signIn(openBrowser(site), "google")
        const before = await contents(rows)
        const stranger = { id: "5f0c6a52-0000-4000-8000-000000000042", name: "Eve", email: "ANN@example.com" }
        site.deploy(latchkeyApp(config(credentials(() => stranger))))
        const { location } = await browser.signIn()
        assert.match(location, /\/auth\/signin\?error=AccountNotLinked/)
        assert.deepEqual(await contents(rows), before)
      })
    })

    describe("with session tokens", () => {
      const session = { strategy: "jwt" }

      it("stores users and accounts, but no sessions", async (t) => {
        const { rows, vendors, browser, site, told, errors } = await open(t, store, { session })
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
        const { rows, vendors, browser } = await open(t, store, { session, callbacks })
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
