/** Headers and cookie attributes: nothing is lost, and what is more protects. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { markOf } from "./support/answers.mjs"
import { authJsApp, latchkeyApp } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { get, signIn } from "./support/requests.mjs"
import { openSite } from "./support/site.mjs"

describe("Headers", () => {
  const names = ({ headers }) => Object.keys(headers).filter((name) => name !== "location" && name !== "etag")
  // Of the application, of the connection, or empty.
  const incidental = ["x-powered-by", "date", "connection", "keep-alive", "transfer-encoding", "content-length"]
  const privacy = ["cache-control", "expires", "pragma", "vary"]
  const answers = [
    {
      title: "a page",
      send: get("/auth/signin"),
      more: ["content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy", ...privacy],
    },
    { title: "the providers", send: get("/auth/providers"), more: privacy },
    { title: "the CSRF token", send: get("/auth/csrf"), more: ["vary"] },
    { title: "the session", send: get("/auth/session"), more: ["vary"] },
    { title: "a redirect", send: signIn("correct"), more: privacy },
  ]
  for (const { title, send, more } of answers) {
    it(`of ${title} are all there, and more that protect it`, async (t) => {
      const theirs = await send(openBrowser(await openSite(t, authJsApp())))
      const ours = await send(openBrowser(await openSite(t, latchkeyApp())))
      const without = (list, others) => list.filter((name) => !others.includes(name) && !incidental.includes(name))
      assert.deepEqual(without(names(ours), names(theirs)).sort(), [...more].sort())
      const lost = without(names(theirs), names(ours)).filter((name) => theirs.headers[name] !== "")
      assert.deepEqual(lost, [])
    })
  }

  for (const action of ["csrf", "session"]) {
    it(`of ${action} say what Auth.js says of caching`, async (t) => {
      const theirs = await get(`/auth/${action}`)(openBrowser(await openSite(t, authJsApp())))
      const ours = await get(`/auth/${action}`)(openBrowser(await openSite(t, latchkeyApp())))
      for (const name of ["cache-control", "expires", "pragma"]) assert.equal(ours.headers[name], theirs.headers[name])
    })
  }
})

describe("Cookie attributes", () => {
  const modes = [
    { mode: "over http", headers: {} },
    { mode: "over https", headers: { "x-forwarded-proto": "https" } },
  ]
  for (const { mode, headers } of modes) {
    it(`are the same ${mode}`, async (t) => {
      const [theirs, ours] = await Promise.all(
        [authJsApp, latchkeyApp].map(async (app) => {
          const browser = openBrowser(await openSite(t, app()), headers)
          const answers = [
            await browser.get("/auth/csrf"),
            await browser.signIn(),
            await browser.submit("/auth/signout"),
            await browser.submit("/auth/signin/github"),
          ]
          return new Map(
            answers.flatMap(({ cookies }) => cookies).map((cookie) => [markOf(cookie), attributesOf(cookie)]),
          )
        }),
      )
      for (const [mark, attributes] of theirs)
        assert.deepEqual([mark, ours.get(mark) ?? ours.get(`${mark}.{flow}`)], [mark, attributes])
      const state = `+${mode === "over https" ? "__Secure-" : ""}authjs.state.{flow}`
      assert.deepEqual(
        [...ours.keys()].filter((mark) => !theirs.has(mark) && !theirs.has(mark.replace(".{flow}", ""))),
        [state],
      )
    })
  }

  function attributesOf({ attributes }) {
    const { expires, ...others } = attributes
    return { ...others, lifetime: expires && Math.round((Date.parse(expires) - Date.now()) / 60_000) }
  }
})
