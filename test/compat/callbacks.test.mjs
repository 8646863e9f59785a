/** Callbacks, events and `authorize` are called in the same order with the same arguments before and after the switch. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { decode } from "@auth/core/jwt"
import Credentials from "@auth/core/providers/credentials"
import { authJsApp, authorize, configuration, latchkeyApp, secret, switches } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import { openSite } from "./support/site.mjs"

/** A configuration that writes down every call of what it contains. */
function recorded(overrides = {}) {
  const calls = []
  const record = (name, answer) => (given) => {
    calls.push([name, withoutChance(given)])
    return answer(given)
  }
  const config = configuration({
    providers: [
      Credentials({
        credentials: { username: {}, password: {} },
        async authorize(credentials, request) {
          const body = await request.clone().json()
          calls.push([
            "authorize",
            withoutChance(credentials),
            request.method,
            new URL(request.url).pathname,
            withoutChance(body),
          ])
          return authorize(credentials)
        },
      }),
    ],
    callbacks: {
      signIn: record("signIn callback", () => true),
      redirect: record("redirect callback", ({ url, baseUrl }) => (url.startsWith("/") ? baseUrl + url : url)),
      jwt: record("jwt callback", ({ token, user, trigger, session }) => {
        if (user) return { ...token, role: "reader" }
        return trigger === "update" ? { ...token, ...session } : token
      }),
      session: record("session callback", ({ session, token }) => ({ ...session, role: token.role, id: token.sub })),
    },
    events: {
      signIn: record("signIn event", () => undefined),
      signOut: record("signOut event", () => undefined),
      session: record("session event", () => undefined),
    },
    ...overrides,
  })
  return { calls, config }
}

const dates = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const ports = /127\.0\.0\.1:\d+/g

/** What differs from one run to the next is replaced by its type; undefined members vanish, as in JSON. */
function withoutChance(value) {
  const text = JSON.stringify(value, (key, member) =>
    ["iat", "exp", "jti", "csrfToken"].includes(key) ? typeof member : member,
  )
  return JSON.parse(text.replace(dates, "date").replace(ports, "host"))
}

/** Everything that can happen to a session. */
async function live(app, { calls, config }, t) {
  const site = await openSite(t, app(config))
  const browser = openBrowser(site)
  const update = async (data) =>
    browser.send("/auth/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: await browser.csrfToken(), data }),
    })
  const answers = {
    refused: (await browser.signIn("wrong")).status,
    in: (await browser.signIn("correct", { callbackUrl: "/cart?a=b" })).status,
    session: await browser.session(),
    update: (await update({ role: "writer" })).json,
    updatedWithNothing: (await update(undefined)).json,
    updated: await browser.session(),
    out: (await browser.submit("/auth/signout")).status,
    after: await browser.session(),
  }
  return { answers: withoutChance(answers), calls }
}

describe("An application's own functions", () => {
  it("get the same arguments in the same order, and their answers have the same effect", async (t) => {
    const theirs = await live(authJsApp, recorded(), t)
    const ours = await live(latchkeyApp, recorded(), t)
    assert.deepEqual(ours.answers, theirs.answers)
    const names = ({ calls }) => calls.map(([name]) => name)
    assert.deepEqual(names(ours), names(theirs))
    for (const [index, call] of theirs.calls.entries()) assert.deepEqual(ours.calls[index], call)
  })
})

for (const { title, from, to } of switches) {
  describe(`A switch ${title}`, () => {
    it("hands the jwt callback the very claims that the token was written with", async (t) => {
      const before = recorded()
      const after = recorded()
      const site = await openSite(t, from(before.config))
      const browser = openBrowser(site)
      await browser.signIn()
      const salt = "authjs.session-token"
      const claims = await decode({ token: browser.cookies.get(salt), secret, salt })

      const seen = []
      const { jwt } = after.config.callbacks
      after.config.callbacks.jwt = (given) => {
        seen.push(given)
        return jwt(given)
      }
      site.deploy(to(after.config))
      await browser.get("/me")
      assert.deepEqual(
        Object.keys(seen[0]).filter((key) => seen[0][key] !== undefined),
        ["token"],
      )
      assert.deepEqual(seen[0].token, claims)
      assert.deepEqual(Object.keys(claims).sort(), ["email", "exp", "iat", "jti", "name", "picture", "role", "sub"])

      await browser.get("/auth/session")
      const { iat: _iat, exp: _exp, jti: _jti, ...stable } = seen.at(-1).token
      const { iat: _was, exp: _until, jti: _id, ...written } = claims
      assert.deepEqual(stable, written)
    })

    it("goes on where the session was: what one callback stored the other finds", async (t) => {
      const site = await openSite(t, from(recorded().config))
      const browser = openBrowser(site)
      await browser.signIn()
      const before = await browser.session()
      site.deploy(to(recorded().config))
      assert.deepEqual({ ...(await browser.session()), expires: 0 }, { ...before, expires: 0 })
      assert.equal(before.role, "reader")
      assert.equal(before.id, "42")
    })
  })
}
