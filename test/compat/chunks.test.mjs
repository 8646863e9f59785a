/** Session tokens that are too long for one cookie travel in several, through real `Set-Cookie` headers. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import Credentials from "@auth/core/providers/credentials"
import { getToken } from "@auth/core/jwt"
import { authJsApp, configuration, latchkeyApp, secret, switches } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openSite } from "./support/site.mjs"

const modes = [
  { mode: "over http", name: "authjs.session-token", headers: {} },
  { mode: "over https", name: "__Secure-authjs.session-token", headers: { "x-forwarded-proto": "https" } },
]
const browserLimit = 4096

/** An application whose tokens hold a note of as many characters as the password says. */
function withNotes() {
  return configuration({
    providers: [Credentials({ authorize: ({ password }) => ({ id: "42", name: "Ann", length: Number(password) }) })],
    callbacks: {
      jwt({ token, user, trigger, session }) {
        if (user) return { ...token, note: noteOf(user.length) }
        return trigger === "update" ? { ...token, note: noteOf(session.length) } : token
      },
      session: ({ session, token }) => ({ ...session, note: token.note }),
    },
  })
}

/** Not one character again and again, so that a chunk in the wrong place shows. */
function noteOf(length) {
  return Array.from({ length: Math.ceil(length / 6) }, (_, index) => String(index).padStart(6, "-"))
    .join("")
    .slice(0, length)
}

function sessionCookies({ cookies }, name) {
  return [...cookies.keys()].filter((each) => each.startsWith(name))
}

for (const { title, from, to } of switches) {
  for (const { mode, name, headers } of modes) {
    describe(`A large session ${title}, ${mode}`, () => {
      for (const length of [1000, 3000, 4500, 6000, 7400]) {
        it(`is read whole with ${length} characters in it, and again after it was written anew`, async (t) => {
          const site = await openSite(t, from(withNotes()))
          const browser = openBrowser(site, headers)
          const { cookies } = await browser.signIn(String(length))
          for (const { header } of cookies) assert.ok(header.length <= browserLimit, `${header.length} characters`)
          const written = sessionCookies(browser, name)

          site.deploy(to(withNotes()))
          assert.equal((await browser.get("/me")).json.note, noteOf(length))
          assert.equal((await browser.session()).note, noteOf(length))
          assert.deepEqual(sessionCookies(browser, name), written)

          site.deploy(from(withNotes()))
          assert.equal((await browser.session()).note, noteOf(length))
        })
      }

      it("shrinks and grows, and leaves no old chunk behind", async (t) => {
        const site = await openSite(t, from(withNotes()))
        const browser = openBrowser(site, headers)
        await browser.signIn("7400")
        assert.equal(sessionCookies(browser, name).length, 3)

        const [apps, lengths] = [
          [to, from, to, from],
          [3500, 100, 6500, 50],
        ]
        for (const [index, app] of apps.entries()) {
          const length = lengths[index]
          site.deploy(app(withNotes()))
          const csrfToken = await browser.csrfToken()
          const update = { method: "POST", headers: { "content-type": "application/json" } }
          const body = JSON.stringify({ csrfToken, data: { length } })
          assert.equal((await browser.send("/auth/session", { ...update, body })).json.note, noteOf(length))

          const expected = { 3500: [`${name}.0`, `${name}.1`], 100: [name], 6500: [0, 1, 2].map((n) => `${name}.${n}`) }
          assert.deepEqual(sessionCookies(browser, name), expected[length] ?? [name])
        }
      })

      it("is removed whole by signing out", async (t) => {
        const site = await openSite(t, from(withNotes()))
        const browser = openBrowser(site, headers)
        await browser.signIn("7400")
        site.deploy(to(withNotes()))
        await browser.submit("/auth/signout")
        assert.deepEqual(sessionCookies(browser, name), [])
      })
    })
  }
}

describe("Both packages", () => {
  it("split at the same length", async (t) => {
    const sites = [await openSite(t, authJsApp(withNotes())), await openSite(t, latchkeyApp(withNotes()))]
    const numbers = new Set()
    for (let length = 2400; length < 2800; length += 16) {
      const browsers = sites.map((site) => openBrowser(site))
      for (const browser of browsers) await browser.signIn(String(length))
      const [theirs, ours] = browsers.map((browser) =>
        [...browser.cookies]
          .filter(([name]) => name.includes("session-token"))
          .map(([name, value]) => `${name}: ${value.length}`),
      )
      assert.deepEqual(ours, theirs)
      numbers.add(ours.length)
    }
    assert.deepEqual([...numbers], [1, 2])
  })

  it("write chunks that the other's getToken reads", async (t) => {
    const { getToken: getTokenOfLatchkey } = await import("latchkey/jwt")
    for (const [app, read] of [
      [authJsApp, getTokenOfLatchkey],
      [latchkeyApp, getToken],
    ]) {
      const browser = openBrowser(await openSite(t, app(withNotes())))
      await browser.signIn("7400")
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      assert.equal((await read({ req: { headers: { cookie } }, secret })).note, noteOf(7400))
    }
  })
})
