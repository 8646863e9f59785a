/** Errors built on the classes of Auth.js mean to Latchkey what they mean to Auth.js. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import * as authJs from "@auth/core/errors"
import Credentials from "@auth/core/providers/credentials"
import { AuthError as ExpressAuthError, CredentialsSignin as ExpressCredentialsSignin } from "@auth/express"
import * as latchkeyEntry from "latchkey"
import * as latchkey from "latchkey/errors"
import { authJsApp, configuration, latchkeyApp, silent } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openSite } from "./support/site.mjs"

const classes = Object.entries(authJs).filter(([, value]) => value?.prototype instanceof Error)

/** An application whose `authorize` or `signIn` callback throws what it is given. */
function throwing(place, thrown, errors = []) {
  const fail = () => {
    throw thrown
  }
  return configuration({
    providers: [Credentials({ authorize: place === "authorize" ? fail : () => ({ id: "42" }) })],
    callbacks: place === "signIn" ? { signIn: fail } : {},
    logger: { ...silent, error: (error) => errors.push(error) },
  })
}

async function destination(t, app, config) {
  const site = await openSite(t, app(config))
  const { status, location } = await openBrowser(site).signIn()
  return [status, location.replace(site.origin, "")]
}

describe("An error thrown by authorize()", () => {
  class WrongCode extends authJs.CredentialsSignin {
    code = "wrong-code"
  }
  class Deeper extends WrongCode {
    code = "deeper"
  }
  class OwnError extends authJs.AuthError {}

  const refusals = [
    { title: "CredentialsSignin", thrown: new authJs.CredentialsSignin(), code: "credentials" },
    { title: "CredentialsSignin of @auth/express", thrown: new ExpressCredentialsSignin(), code: "credentials" },
    { title: "CredentialsSignin with a message", thrown: new authJs.CredentialsSignin("no"), code: "credentials" },
    {
      title: "CredentialsSignin around an error",
      thrown: new authJs.CredentialsSignin(new Error("no")),
      code: "credentials",
    },
    { title: "a class with a code of its own", thrown: new WrongCode(), code: "wrong-code" },
    { title: "a class of that class", thrown: new Deeper(), code: "deeper" },
    {
      title: "a code that was set later",
      thrown: Object.assign(new authJs.CredentialsSignin(), { code: "to be & escaped" }),
      code: "to be & escaped",
    },
    { title: "CredentialsSignin of latchkey", thrown: new latchkeyEntry.CredentialsSignin(), code: "credentials" },
  ]
  for (const { title, thrown, code } of refusals) {
    it(`tells the sign-in page its code: ${title}`, async (t) => {
      const errors = []
      const [status, location] = await destination(t, latchkeyApp, throwing("authorize", thrown, errors))
      assert.equal(status, 302)
      const url = new URL(location, "http://localhost")
      assert.equal(url.pathname, "/auth/signin")
      assert.deepEqual(Object.fromEntries(url.searchParams), { error: "CredentialsSignin", code })
      assert.deepEqual(errors, [thrown])
    })
  }

  it("is told to a client in JSON", async (t) => {
    const browser = openBrowser(await openSite(t, latchkeyApp(throwing("authorize", new WrongCode()))))
    const { status, json } = await browser.submit("/auth/callback/credentials", {}, { "x-auth-return-redirect": "1" })
    assert.equal(status, 200)
    const { searchParams } = new URL(json.url)
    assert.deepEqual([searchParams.get("error"), searchParams.get("code")], ["CredentialsSignin", "wrong-code"])
  })

  const faults = [
    { title: "an Error", thrown: new Error("no") },
    { title: "an AuthError of the application", thrown: new OwnError("no") },
    { title: "AuthError of @auth/express", thrown: new ExpressAuthError("no") },
    { title: "a string", thrown: "no" },
  ]
  for (const { title, thrown } of faults) {
    it(`is a fault of the server: ${title}`, async (t) => {
      for (const app of [authJsApp, latchkeyApp]) {
        assert.deepEqual(await destination(t, app, throwing("authorize", thrown)), [
          302,
          "/auth/error?error=Configuration",
        ])
      }
    })
  }
})

describe("Each error class of Auth.js", () => {
  // Ours alone to raise: what becomes of them is not for an application to ask.
  const internal = ["OAuthProfileParseError", "UntrustedHost"]
  for (const place of ["authorize", "signIn"]) {
    for (const [name, AuthJsError] of classes.filter(([each]) => !internal.includes(each))) {
      it(`leads to the same page when ${place} throws it: ${name}`, async (t) => {
        const theirs = await destination(t, authJsApp, throwing(place, new AuthJsError("no")))
        const ours = await destination(t, latchkeyApp, throwing(place, new AuthJsError("no")))
        assert.deepEqual(ours, theirs)
      })
    }
  }

  it("has its like in latchkey/errors, with the same type, kind and message", () => {
    for (const [name, AuthJsError] of classes) {
      const Own = latchkey[name]
      assert.ok(Own, name)
      const [theirs, ours] = [new AuthJsError("why"), new Own("why")]
      assert.deepEqual([ours.type, ours.message], [theirs.type, theirs.message])
      if (!internal.includes(name)) assert.equal(ours.kind, theirs.kind)
      assert.equal(authJs.isClientError(theirs), latchkey.isClientError(theirs))
      assert.equal(latchkey.isClientError(ours), authJs.isClientError(theirs))
    }
  })

  it("goes by its own name (differs: MissingSecretError is the name of MissingSecret)", () => {
    for (const [name] of classes) {
      const expected = name === "MissingSecret" ? "MissingSecretError" : name
      assert.equal(new latchkey[name]().name, expected)
    }
  })

  it("is exported by latchkey/errors, with everything else that @auth/core/errors exports", () => {
    const missing = Object.keys(authJs).filter((name) => !(name in latchkey))
    assert.deepEqual(missing, [])
  })

  it("keeps what it was made of", () => {
    const cause = new Error("inner")
    for (const { AuthError } of [authJs, latchkey]) {
      assert.equal(new AuthError(cause).cause.err, cause)
      assert.equal(new AuthError("why", { cause: { err: cause, provider: "p" } }).cause.provider, "p")
      assert.equal(new AuthError({ cause: { err: cause } }).cause.err, cause)
    }
  })

  it("keeps what it was made of, beside an error", () => {
    for (const { AuthError } of [authJs, latchkey]) {
      assert.equal(new AuthError(new Error("inner"), { provider: "p" }).cause.provider, "p")
    }
  })
})

describe("What Latchkey reports", () => {
  it("is what Auth.js reports, for a session that cannot be opened: one JWTSessionError", async (t) => {
    for (const app of [authJsApp, latchkeyApp]) {
      const errors = []
      const logger = { ...silent, error: (error) => errors.push(error) }
      const browser = openBrowser(await openSite(t, app(configuration({ logger }))))
      browser.cookies.set("authjs.session-token", "broken")
      assert.equal(await browser.session(), null)
      assert.deepEqual(
        errors.map(({ type, name }) => [type, name]),
        [["JWTSessionError", "JWTSessionError"]],
      )
      assert.ok(errors[0].cause.err instanceof Error)
    }
  })

  it("is what Auth.js reports, for faults of the application", async (t) => {
    for (const app of [authJsApp, latchkeyApp]) {
      const errors = []
      await destination(t, app, throwing("authorize", new Error("the directory is away"), errors))
      assert.deepEqual(
        errors.map(({ type }) => type),
        ["CallbackRouteError"],
      )
      assert.equal(errors[0].cause.err.message, "the directory is away")
      assert.equal(errors[0].cause.provider, "credentials")

      errors.length = 0
      await destination(t, app, throwing("signIn", new Error("the list is away"), errors))
      assert.deepEqual(
        errors.map(({ type }) => type),
        ["AccessDenied"],
      )
      assert.equal(errors[0].cause.err.message, "the list is away")
    }
  })
})
