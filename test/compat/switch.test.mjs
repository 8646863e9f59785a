/** The switch itself: another application takes over at the same address, and nobody has to sign in again. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { authJsApp, configuration, latchkeyApp, secret, switches } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openSite } from "./support/site.mjs"

const ann = { name: "Ann", email: "ann@example.com", image: "https://pictures.example/ann.png" }

const modes = [
  { mode: "over http", headers: {}, session: "authjs.session-token", csrf: "authjs.csrf-token" },
  {
    mode: "over https",
    headers: { "x-forwarded-proto": "https" },
    session: "__Secure-authjs.session-token",
    csrf: "__Host-authjs.csrf-token",
  },
]

for (const { title, from, to } of switches) {
  for (const { mode, headers, session, csrf } of modes) {
    describe(`A switch ${title}, ${mode}`, () => {
      /** A browser that has signed in before the switch. */
      async function signedIn(t, config = configuration) {
        const site = await openSite(t, from(config()))
        const browser = openBrowser(site, headers)
        const { status } = await browser.signIn()
        assert.equal(status, 302)
        assert.ok(browser.cookies.has(session))
        return { site, browser }
      }

      it("keeps people signed in", async (t) => {
        const { site, browser } = await signedIn(t)
        const { user, expires } = await browser.session()
        site.deploy(to())
        assert.deepEqual((await browser.get("/me")).json.user, user)
        const after = await browser.session()
        assert.deepEqual(after.user, ann)
        assert.deepEqual(Object.keys(after), ["user", "expires"])
        assert.ok(Math.abs(Date.parse(after.expires) - Date.parse(expires)) < 60_000)
      })

      it("keeps the session cookie as it is: name, attributes and lifetime", async (t) => {
        const { site, browser } = await signedIn(t)
        const written = async () => {
          const { cookies } = await browser.get("/auth/session")
          const { attributes } = cookies.find(({ name }) => name === session)
          const { expires, ...others } = attributes
          return { lifetime: Math.round((Date.parse(expires) - Date.now()) / 60_000), others }
        }
        const before = await written()
        site.deploy(to())
        assert.deepEqual(await written(), before)
      })

      it("goes unnoticed by a page that was open: its CSRF token stays good", async (t) => {
        const site = await openSite(t, from())
        const browser = openBrowser(site, headers)
        const csrfToken = await browser.csrfToken()
        const cookie = browser.cookies.get(csrf)
        site.deploy(to())
        const fields = { csrfToken, username: "ann", password: "correct" }
        const { status, cookies, location } = await browser.post("/auth/callback/credentials", fields)
        assert.equal(status, 302)
        assert.doesNotMatch(location, /error/)
        assert.ok(!cookies.some(({ name }) => name === csrf))
        assert.equal(await browser.csrfToken(), csrfToken)
        assert.equal(browser.cookies.get(csrf), cookie)
      })

      it("lets people sign out of the session they began before", async (t) => {
        const { site, browser } = await signedIn(t)
        site.deploy(to())
        const { status, location } = await browser.submit("/auth/signout", { callbackUrl: "/bye" })
        assert.equal(status, 302)
        assert.match(location, /\/bye$/)
        assert.ok(!browser.cookies.has(session))
        assert.equal(await browser.session(), null)
        assert.equal((await browser.get("/me")).json, null)
      })

      it("remembers where to go after signing in", async (t) => {
        const site = await openSite(t, from())
        const browser = openBrowser(site, headers)
        await browser.get("/auth/signin?callbackUrl=/cart")
        site.deploy(to())
        const { location } = await browser.signIn()
        assert.equal(new URL(location).pathname, "/cart")
      })

      it("can be undone, and done again", async (t) => {
        const { site, browser } = await signedIn(t)
        for (const app of [to, from, to, from, to]) {
          site.deploy(app())
          assert.deepEqual((await browser.session()).user, ann)
          assert.deepEqual((await browser.get("/me")).json.user, ann)
        }
      })

      it("hands over what a session was updated with", async (t) => {
        const config = () =>
          configuration({
            callbacks: {
              jwt: ({ token, trigger, session: data }) =>
                trigger === "update" ? { ...token, color: data.color } : token,
              session: ({ session: view, token }) => ({ ...view, color: token.color }),
            },
          })
        const { site, browser } = await signedIn(t, config)
        const update = async (color) =>
          browser.send("/auth/session", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ csrfToken: await browser.csrfToken(), data: { color } }),
          })
        assert.equal((await update("blue")).json.color, "blue")
        site.deploy(to(config()))
        assert.equal((await browser.session()).color, "blue")
        assert.equal((await update("red")).json.color, "red")
        site.deploy(from(config()))
        assert.equal((await browser.session()).color, "red")
      })

      it("may come with a new secret, as long as the old one is listed", async (t) => {
        const { site, browser } = await signedIn(t, () => configuration({ secret: "old" }))
        site.deploy(to(configuration({ secret: ["new", "old"] })))
        assert.deepEqual((await browser.session()).user, ann)
        site.deploy(from(configuration({ secret: "new" })))
        assert.deepEqual((await browser.session()).user, ann)
        site.deploy(to(configuration({ secret: "other" })))
        assert.equal(await browser.session(), null)
        assert.ok(!browser.cookies.has(session))
      })

      it("works with cookies under other names", async (t) => {
        const cookies = {
          sessionToken: { name: "sid", options: { sameSite: "strict" } },
          csrfToken: { name: "csrf" },
        }
        const config = () => configuration({ cookies })
        const site = await openSite(t, from(config()))
        const browser = openBrowser(site, headers)
        const csrfToken = await browser.csrfToken()
        await browser.signIn()
        assert.ok(browser.cookies.has("sid") && browser.cookies.has("csrf"))
        site.deploy(to(config()))
        assert.deepEqual((await browser.session()).user, ann)
        assert.equal(await browser.csrfToken(), csrfToken)
        const { cookies: written } = await browser.get("/auth/session")
        assert.equal(written.find(({ name }) => name === "sid").attributes.samesite, "Strict")
      })

      it("works with a token format of the application's own", async (t) => {
        const seen = []
        const config = () =>
          configuration({
            jwt: {
              maxAge: 60,
              encode({ token, secret: given, salt, maxAge }) {
                seen.push({ given, salt, maxAge })
                return Buffer.from(JSON.stringify(token)).toString("base64url")
              },
              decode({ token, secret: given, salt, maxAge }) {
                seen.push({ given, salt, maxAge })
                return JSON.parse(Buffer.from(token, "base64url").toString())
              },
            },
          })
        const { site, browser } = await signedIn(t, config)
        site.deploy(to(config()))
        assert.deepEqual((await browser.session()).user, ann)
        for (const { given, salt, maxAge } of seen) {
          assert.deepEqual([[given].flat(), salt, maxAge], [[secret], session, 60])
        }
      })
    })
  }
}

describe("A route behind requireSession", () => {
  it("lets in whoever signed in with @auth/express", async (t) => {
    const site = await openSite(t, authJsApp())
    const browser = openBrowser(site)
    await browser.signIn()
    site.deploy(latchkeyApp())
    assert.equal((await browser.get("/account")).text, "Hello Ann")
  })

  it("sends everybody else to sign in, and back", async (t) => {
    const site = await openSite(t, latchkeyApp())
    const browser = openBrowser(site)
    const { status, location } = await browser.get("/account", { accept: "text/html", "sec-fetch-mode": "navigate" })
    assert.equal(status, 302)
    assert.equal(new URL(location).pathname, "/auth/signin")
    await browser.get(location)
    assert.equal((await browser.signIn()).location, `${site.origin}/account`)
    assert.equal((await browser.get("/account")).text, "Hello Ann")
  })
})

describe("A CSRF token under several secrets", () => {
  const secrets = ["new", "old"]

  it("stays good from Auth.js, which hashes it with all of them, to Latchkey", async (t) => {
    const site = await openSite(t, authJsApp(configuration({ secret: [...secrets] })))
    const browser = openBrowser(site)
    const csrfToken = await browser.csrfToken()
    site.deploy(latchkeyApp(configuration({ secret: secrets })))
    assert.equal(await browser.csrfToken(), csrfToken)
    assert.doesNotMatch((await browser.signIn()).location, /error/)
  })

  it("is made anew on the way back, as Latchkey hashes it with the newest alone, so that a rotation does not end it", async (t) => {
    const site = await openSite(t, latchkeyApp(configuration({ secret: secrets })))
    const browser = openBrowser(site)
    const csrfToken = await browser.csrfToken()
    site.deploy(authJsApp(configuration({ secret: [...secrets] })))
    assert.notEqual(await browser.csrfToken(), csrfToken)
    assert.doesNotMatch((await browser.signIn()).location, /error/)
  })
})
