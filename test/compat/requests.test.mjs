/**
 * The same requests to both servers. A difference that the table does not list fails, and so does a listed one that is
 * gone.
 */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { answerOf, differences } from "./support/answers.mjs"
import { authJsApp, configuration, latchkeyApp } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { table } from "./support/request-table.mjs"
import { get, ownPages, signIn, submit } from "./support/requests.mjs"
import { openSite } from "./support/site.mjs"

for (const { group, requests, ...shared } of table) {
  describe(group, () => {
    for (const request of requests) {
      const { title, differs = {}, because, ...how } = { ...shared, ...request }
      const reason = because && Object.keys(differs).length > 0 ? ` (differs: ${because})` : ""
      it(`${title}${reason}`, async (t) => {
        const theirs = await answerOf(authJsApp, how, t)
        const ours = await answerOf(latchkeyApp, how, t)
        assert.deepEqual(differences(theirs, ours), differs)
      })
    }
  })
}

/** Clients in scripts cannot follow a redirect, so they ask to be told of it. */
describe("Under X-Auth-Return-Redirect", () => {
  const returned = { "x-auth-return-redirect": "1" }
  const redirecting = table
    .flatMap(({ group, requests, ...shared }) => requests.map((request) => ({ group, ...shared, ...request })))
    .filter(({ send, differs = {}, returned = true }) => returned && send.length === 2 && !differs.status)

  for (const { group, title, differs = {}, ...how } of redirecting) {
    it(`${group}: ${title}`, async (t) => {
      const theirs = await answerOf(authJsApp, how, t, returned)
      const ours = await answerOf(latchkeyApp, how, t, returned)
      assert.equal(theirs.location, undefined)
      assert.equal(ours.location, undefined)
      assert.equal(ours.status, theirs.status)

      const { location } = differs
      // An error that is told in JSON is not shown on a page, which would need its reference.
      const isTold = /[?&]error=/.test(ours.body?.url)
      const cookies = differs.cookies?.map((marks) => marks.filter((mark) => !isTold || mark !== "+authjs.error"))
      const expected = {
        ...(cookies?.some((marks) => marks.length > 0) ? { cookies } : {}),
        ...(location ? { body: location.map((url) => ({ url })) } : {}),
      }
      assert.deepEqual(differences(theirs, ours), expected)
    })
  }

  it("the address is absolute, and stands in the Location header as well", async (t) => {
    const browser = openBrowser(await openSite(t, latchkeyApp(configuration(ownPages()))))
    for (const send of [
      signIn("correct"),
      signIn("wrong"),
      signIn("fault"),
      submit("/auth/signout"),
      get("/auth/signin"),
    ]) {
      const { status, location, json } = await send(browser, returned)
      assert.equal(status, 200)
      assert.deepEqual(json, { url: location })
      assert.ok(URL.canParse(location))
    }
  })
})

describe("A client that accepts JSON and no pages", () => {
  const accepts = { accept: "application/json, text/plain, */*" }

  it("is told in JSON what became of its form (differs: a redirect to a page is no use to it)", async (t) => {
    const theirs = await answerOf(authJsApp, { send: signIn("correct", { callbackUrl: "/x" }) }, t, accepts)
    const ours = await answerOf(latchkeyApp, { send: signIn("correct", { callbackUrl: "/x" }) }, t, accepts)
    assert.deepEqual(differences(theirs, ours), {
      status: [302, 200],
      location: ["{origin}/x", undefined],
      type: [undefined, "application/json"],
      body: [undefined, { url: "{origin}/x" }],
    })
  })

  it("is told of an error in JSON (differs: likewise)", async (t) => {
    const theirs = await answerOf(authJsApp, { send: signIn("out-of-order") }, t, accepts)
    const ours = await answerOf(latchkeyApp, { send: signIn("out-of-order") }, t, accepts)
    assert.equal(theirs.status, 302)
    assert.equal(ours.status, 401)
    assert.equal(ours.type, "application/problem+json")
    assert.equal(ours.body.error, "CredentialsSignin")
    assert.equal(ours.body.code, "out-of-order")
  })

  it("gets the JSON that both have for everybody", async (t) => {
    for (const action of ["csrf", "providers", "session"]) {
      const send = get(`/auth/${action}`)
      assert.deepEqual(
        await answerOf(latchkeyApp, { send }, t, accepts),
        await answerOf(authJsApp, { send }, t, accepts),
      )
    }
  })
})

describe("A host that is not trusted", () => {
  const config = () => configuration({ trustHost: false })

  it("is told so in JSON", async (t) => {
    for (const app of [authJsApp, latchkeyApp]) {
      const { status, json } = await openBrowser(await openSite(t, app(config()))).get("/auth/session")
      assert.equal(status, 500)
      assert.match(json.message, /^There was a problem with the server configuration/)
    }
  })

  for (const path of ["/auth/signin", "/auth/error?error=Configuration"]) {
    it(`gets a page at once at ${path}`, async (t) => {
      for (const app of [authJsApp, latchkeyApp]) {
        const { status, location } = await openBrowser(await openSite(t, app(config()))).get(path)
        assert.equal(status, 500)
        assert.equal(location, undefined)
      }
    })
  }
})

describe("An application with error middleware", () => {
  const withErrorMiddleware = (app) => {
    app.use((error, req, res, next) => {
      void next
      res.status(error.status ?? 500).json({ type: error.type, caught: true })
    })
    return app
  }
  const answer = async (app, send, t) => {
    const { status, location, json } = await send(openBrowser(await openSite(t, withErrorMiddleware(app()))))
    return { status, page: location && new URL(location).pathname, json }
  }

  it("does not see what a person did wrong", async (t) => {
    for (const app of [authJsApp, latchkeyApp]) {
      assert.equal((await answer(app, signIn("wrong"), t)).page, "/auth/signin")
      assert.equal((await answer(app, get("/auth/callback/github?code=c&state=s"), t)).page, "/auth/error")
    }
  })

  it("sees faults of the server (differs: Auth.js shows its error page)", async (t) => {
    assert.equal((await answer(authJsApp, signIn("fault"), t)).page, "/auth/error")
    const { status, json } = await answer(latchkeyApp, signIn("fault"), t)
    assert.equal(status, 500)
    assert.deepEqual(json, { type: "CallbackRouteError", caught: true })
  })
})
