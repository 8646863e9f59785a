/** Provider modules of `@auth/core`, all of them, in a configuration of Latchkey. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { Auth as AuthJs } from "@auth/core"
import Credentials from "@auth/core/providers/credentials"
import GitHub from "@auth/core/providers/github"
import express from "express"
import { ExpressAuth } from "latchkey"
import { Auth, setEnvDefaults } from "latchkey/core"
import { authorize, latchkeyApp, secret, silent } from "./support/apps.mjs"
import { openBrowser } from "./support/browser.mjs"
import {
  emailModules,
  environmentFor,
  loadFactory,
  moduleNames,
  oauthModules,
  optionsFor,
  passkeyModules,
} from "./support/published-providers.mjs"
import { openSite } from "./support/site.mjs"

function configure(providers, overrides = {}) {
  const errors = []
  const logger = { ...silent, error: (error) => errors.push(error) }
  return { errors, config: { providers, secret, trustHost: true, logger, ...overrides } }
}

async function listProviders(auth, config) {
  const response = await auth(new Request("https://app.example/auth/providers"), config)
  return { status: response.status, body: await response.json() }
}

/** Whatever writes to it from now on throws. */
function deepFreeze(value) {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) deepFreeze(value[key])
  return value
}

it("The folder of published providers holds what these tests expect", () => {
  assert.equal(oauthModules.length, 93)
  assert.equal(emailModules.length, 8)
  assert.equal(passkeyModules.length, 2)
  assert.equal(moduleNames.length, 93 + 8 + 2 + 1)
})

describe("A published OAuth provider", () => {
  // NetSuite has no endpoint that tells of a person: every application must name its own.
  const bare = oauthModules.filter((name) => name !== "netsuite")

  for (const name of oauthModules) {
    it(`is listed as in Auth.js when called with options: ${name}`, async () => {
      const factory = await loadFactory(name)
      const provider = deepFreeze(factory(optionsFor(name)))
      const { config, errors } = configure([provider])
      const ours = await listProviders(Auth, config)
      assert.deepEqual(errors, [])
      assert.equal(ours.status, 200)

      const theirs = await listProviders(AuthJs, configure([factory(optionsFor(name))]).config)
      // Their own check refuses these two, whatever their options.
      if (["netsuite", "todoist"].includes(name)) assert.equal(theirs.status, 500)
      else assert.deepEqual(ours, theirs)
    })
  }

  for (const name of bare) {
    it(`takes the rest from the environment when given bare: ${name}`, async () => {
      const factory = await loadFactory(name)
      const called = factory({})
      const { config, errors } = configure([factory])
      setEnvDefaults(environmentFor(name, called), config)
      const { status, body } = await listProviders(Auth, config)
      assert.deepEqual(errors, [])
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(body), [called.id])
    })
  }

  it("has a place beside all the others", async () => {
    const providers = await Promise.all(oauthModules.map(async (name) => (await loadFactory(name))(optionsFor(name))))
    const { config, errors } = configure([...providers, Credentials({ authorize })])
    const { status, body } = await listProviders(Auth, config)
    assert.deepEqual(errors, [])
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), [...providers.map(({ id }) => id), "credentials"])
  })

  it("stands on the sign-in page under its name", async () => {
    const providers = await Promise.all(oauthModules.map(async (name) => (await loadFactory(name))(optionsFor(name))))
    const { config } = configure(providers)
    const response = await Auth(new Request("https://app.example/auth/signin"), config)
    const page = await response.text()
    for (const { id, name } of providers) {
      assert.ok(page.includes(`action="https://app.example/auth/signin/${id}"`), id)
      assert.ok(page.includes(name.replaceAll("&", "&amp;")), name)
    }
  })

  it("takes its client from the environment of an Express application", async (t) => {
    const before = { ...process.env }
    t.after(() => {
      process.env = before
    })
    Object.assign(process.env, { AUTH_SECRET: secret, AUTH_GITHUB_ID: "from-env", AUTH_GITHUB_SECRET: "s" })
    const app = express().use("/auth", ExpressAuth({ providers: [GitHub], logger: silent }))
    const { location } = await openBrowser(await openSite(t, app)).submit("/auth/signin/github")
    assert.equal(new URL(location).searchParams.get("client_id"), "from-env")
  })

  it("may be given under another id, with the environment variables of that id", async () => {
    const { config } = configure([GitHub({ id: "github-work" })])
    setEnvDefaults({ AUTH_GITHUB_WORK_ID: "work" }, config)
    const { body } = await listProviders(Auth, config)
    assert.deepEqual(Object.keys(body), ["github-work"])
    assert.equal(body["github-work"].callbackUrl, "https://app.example/auth/callback/github-work")
  })
})

describe("A provider of a kind that is not part of this version", () => {
  for (const name of emailModules) {
    it(`is refused with a reason: ${name}`, async () => {
      const provider = (await loadFactory(name))({ server: "smtp://localhost", apiKey: "key1", from: "a@app.example" })
      assert.equal(provider.type, "email")
      const { config, errors } = configure([provider])
      const { status } = await listProviders(Auth, config)
      assert.equal(status, 500)
      assert.deepEqual(
        errors.map(({ type }) => type),
        ["MissingAdapter"],
      )
      assert.match(errors[0].message, /E-mail login requires an adapter/)
      assert.deepEqual(errors[0].cause.problems[0].path, "providers[0]")
    })
  }

  for (const name of passkeyModules) {
    it(`is refused with a reason: ${name}`, async () => {
      const { config, errors } = configure([(await loadFactory(name))({})])
      const { status } = await listProviders(Auth, config)
      assert.equal(status, 500)
      assert.deepEqual(
        errors.map(({ type }) => type),
        ["ExperimentalFeatureNotEnabled"],
      )
    })
  }

  it("is refused for that reason even when everything else is there: e-mail", async () => {
    const { default: Resend } = await import("@auth/core/providers/resend")
    const { config, errors } = configure([Resend({ apiKey: "key1" })], { adapter: {} })
    await listProviders(Auth, config)
    assert.match(errors[0].message, /not part of this version/)
  })

  it("is refused for that reason even when everything else is there: passkeys", async () => {
    const { default: Passkey } = await import("@auth/core/providers/passkey")
    const { config, errors } = configure([Passkey({})], { experimental: { enableWebAuthn: true } })
    await listProviders(Auth, config)
    assert.match(errors[0].message, /not part of this version/)
  })

  it("is refused before the application serves a page", async (t) => {
    const { default: Resend } = await import("@auth/core/providers/resend")
    const { config, errors } = configure([Resend({ apiKey: "key1" })])
    const site = await openSite(t, latchkeyApp(config))
    assert.equal(errors.length, 1)
    assert.equal((await openBrowser(site).get("/auth/session")).status, 500)
  })
})
