/** The functions of `@auth/core` that integrations are built on, beside those of `latchkey/core`. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import * as authJs from "@auth/core"
import { isDate } from "@auth/core/adapters"
import Credentials from "@auth/core/providers/credentials"
import GitHub from "@auth/core/providers/github"
import Google from "@auth/core/providers/google"
import Resend from "@auth/core/providers/resend"
import * as adapters from "latchkey/adapters"
import * as latchkey from "latchkey/core"
import { authorize, secret, silent } from "./support/apps.mjs"

const both = [authJs, latchkey]

it("Everything that @auth/core exports is there", () => {
  assert.deepEqual(
    Object.keys(authJs).filter((name) => !(name in latchkey)),
    [],
  )
  for (const name of ["customFetch", "raw", "skipCSRFCheck"]) {
    assert.equal(latchkey[name].description, authJs[name].description)
  }
})

it("isAuthAction knows the same words", () => {
  const words = ["signin", "signout", "callback", "csrf", "session", "providers", "error", "verify-request"]
  for (const word of [...words, "webauthn-options", "signIn", "", "toString", "constructor", "foo"]) {
    assert.equal(latchkey.isAuthAction(word), authJs.isAuthAction(word), word)
  }
})

it("isDate knows the same dates", () => {
  const values = ["2026-11-20T10:00:00.000Z", "2026-11-20T10:00:00Z", "2026-11-20", "soon", "", 0, null, undefined, {}]
  for (const value of values) assert.equal(adapters.isDate(value), isDate(value), String(value))
})

describe("createActionURL", () => {
  const headers = (own) => new Headers({ host: "app.example", ...own })
  const cases = [
    { protocol: undefined, basePath: "/basepath", action: "callback" },
    { protocol: "http", basePath: "/auth" },
    { protocol: "https:", basePath: "/auth" },
    { protocol: "http", basePath: "/auth", headers: headers({ "x-forwarded-host": "public.example" }) },
    { protocol: "http", basePath: "/auth", headers: headers({ "x-forwarded-proto": "https" }) },
    { protocol: "http", basePath: "/auth", headers: headers({ host: "localhost:3000" }) },
    { env: { AUTH_URL: "http://localhost:3000" }, basePath: "/api/auth", action: "signout" },
    { env: { AUTH_URL: "http://localhost:3000/" }, basePath: "/api/auth", action: "signout" },
    { env: { AUTH_URL: "https://sub.domain.env.com/api/auth" }, action: "signout" },
    { env: { AUTH_URL: "http://localhost:3000/my-app/api/auth" }, basePath: "/my-app/api/auth" },
    { env: { AUTH_URL: "https://sub.domain.env.com/my-app" }, basePath: "/api/auth" },
    { env: { NEXTAUTH_URL: "https://old.example/api/auth" }, basePath: "/api/auth" },
    { env: { AUTH_URL: "https://new.example", NEXTAUTH_URL: "https://old.example" }, basePath: "/auth" },
    { protocol: "https", basePath: "auth" },
    { protocol: "https", basePath: "/auth/" },
  ]
  for (const { action = "session", protocol, env = {}, basePath, ...given } of cases) {
    it(`gives the same for ${JSON.stringify({ protocol, env, basePath })}`, () => {
      const results = both.map(({ createActionURL }) => {
        const warnings = []
        const logger = { ...silent, warn: (code) => warnings.push(code) }
        const url = createActionURL(action, protocol, given.headers ?? headers(), env, { basePath, logger })
        return { url: url.href, warnings }
      })
      assert.deepEqual(results[1], results[0])
    })
  }
})

describe("setEnvDefaults", () => {
  /** What it fills in. */
  function completed({ setEnvDefaults }, env, config) {
    const own = { providers: [], logger: silent, ...config }
    setEnvDefaults(env, own)
    const { secret: secrets, basePath, trustHost, redirectProxyUrl, providers } = own
    const clients = providers.map(({ id, type, clientId, clientSecret, issuer, apiKey, options }) => ({
      id,
      type,
      clientId: clientId ?? options?.clientId,
      clientSecret: clientSecret ?? options?.clientSecret,
      issuer: options?.issuer ?? issuer,
      apiKey: apiKey ?? options?.apiKey,
    }))
    return { secrets, basePath, trustHost, redirectProxyUrl, clients }
  }

  const cases = [
    { title: "nothing", env: {} },
    { title: "a secret", env: { AUTH_SECRET: "s" } },
    { title: "secrets for rotation", env: { AUTH_SECRET: "s", AUTH_SECRET_1: "s1", AUTH_SECRET_3: "s3" } },
    { title: "a secret in both places", env: { AUTH_SECRET: "s" }, config: { secret: "own" } },
    { title: "an address", env: { AUTH_URL: "https://app.example" } },
    { title: "an address with a path", env: { AUTH_URL: "https://app.example/api/auth" } },
    { title: "an address, and a path", env: { AUTH_URL: "https://app.example/x" }, config: { basePath: "/auth" } },
    { title: "production", env: { NODE_ENV: "production" } },
    { title: "production on a platform", env: { NODE_ENV: "production", VERCEL: "1" } },
    { title: "production on another", env: { NODE_ENV: "production", CF_PAGES: "1" } },
    { title: "production behind a proxy", env: { NODE_ENV: "production", AUTH_TRUST_HOST: "true" } },
    { title: "trust in both places", env: { AUTH_TRUST_HOST: "true" }, config: { trustHost: false } },
    { title: "a redirect proxy", env: { AUTH_REDIRECT_PROXY_URL: "https://stable.example/auth" } },
    {
      title: "providers",
      env: { AUTH_GITHUB_ID: "id", AUTH_GITHUB_SECRET: "s", AUTH_GOOGLE_ID: "g", AUTH_RESEND_KEY: "key" },
      config: { providers: [GitHub, Google({ clientId: "own" }), Credentials({ authorize }), Resend] },
    },
  ]
  for (const { title, env, config } of cases) {
    it(`fills in the same from ${title}`, () => {
      assert.deepEqual(completed(latchkey, env, config), completed(authJs, env, config))
    })
  }

  it("does not trust every host when told not to (differs: to Auth.js any word means yes)", () => {
    const env = { NODE_ENV: "production", AUTH_TRUST_HOST: "false" }
    assert.deepEqual([completed(authJs, env).trustHost, completed(latchkey, env).trustHost], [true, false])
  })

  it("takes an empty address for none (differs: Auth.js takes it for a reason not to trust)", () => {
    const env = { AUTH_URL: "" }
    assert.deepEqual([completed(authJs, env).trustHost, completed(latchkey, env).trustHost], [false, true])
  })
})

describe("Auth", () => {
  const config = (overrides) => ({
    secret,
    trustHost: true,
    logger: silent,
    providers: [Credentials({ authorize }), GitHub({ clientId: "client1", clientSecret: "secret1" })],
    ...overrides,
  })
  const post = (path, body = {}) =>
    new Request(`https://app.example/auth/${path}`, { method: "POST", body: new URLSearchParams(body) })
  const password = { username: "ann", password: "correct", callbackUrl: "/cart" }

  it("takes the switches of @auth/core for its own: skipCSRFCheck", async () => {
    const { skipCSRFCheck } = authJs
    const response = await latchkey.Auth(post("callback/credentials", password), config({ skipCSRFCheck }))
    assert.equal(response.headers.get("location"), "https://app.example/cart")
    const csrf = await latchkey.Auth(new Request("https://app.example/auth/csrf"), config({ skipCSRFCheck }))
    assert.equal(csrf.status, 404)
  })

  it("takes the switches of @auth/core for its own: raw", async () => {
    const { raw, skipCSRFCheck } = authJs
    const records = await Promise.all(
      both.map(({ Auth }) => Auth(post("callback/credentials", password), config({ raw, skipCSRFCheck }))),
    )
    const [theirs, ours] = records.map(({ redirect, cookies, body }) => ({
      redirect,
      body,
      cookies: cookies.map(({ name, value, options: { expires, ...options } }) => ({
        name,
        value: name.includes("session") ? typeof value : value,
        options,
        expires: expires instanceof Date,
      })),
    }))
    assert.deepEqual(ours, theirs)
  })

  it("throws to a caller on the server what such a caller may handle", async () => {
    const { raw, skipCSRFCheck } = authJs
    for (const { Auth } of both) {
      await assert.rejects(
        Auth(post("callback/credentials", { password: "out-of-order" }), config({ raw, skipCSRFCheck })),
        { type: "CredentialsSignin", code: "out-of-order" },
      )
    }
  })

  it("throws that a provider is unknown (differs: Auth.js has no class for it, and answers)", async () => {
    const { raw, skipCSRFCheck } = authJs
    const theirs = await authJs.Auth(post("signin/unknown"), config({ raw, skipCSRFCheck }))
    assert.equal(theirs.headers.get("location"), "https://app.example/auth/error?error=Configuration")
    await assert.rejects(latchkey.Auth(post("signin/unknown"), config({ raw, skipCSRFCheck })), {
      type: "InvalidProvider",
    })
  })

  it("answers faults of the server with a Response, even in raw mode", async () => {
    const { raw, skipCSRFCheck } = authJs
    const redirect = () => {
      throw new Error("no")
    }
    for (const { Auth } of both) {
      const response = await Auth(
        post("signout", { callbackUrl: "/x" }),
        config({ raw, skipCSRFCheck, callbacks: { redirect } }),
      )
      assert.ok(response instanceof Response)
      assert.equal(response.headers.get("location"), "https://app.example/auth/error?error=Configuration")
    }
  })

  it("works below another path, and does not write to the configuration (differs: Auth.js does)", async () => {
    const request = new Request("https://app.example/api/auth/providers")
    const bodies = await Promise.all(
      both.map(async ({ Auth }) => (await Auth(request.clone(), config({ basePath: "/api/auth" }))).json()),
    )
    assert.deepEqual(bodies[1], bodies[0])
    const frozen = Object.freeze(config({ basePath: "/api/auth" }))
    assert.equal((await latchkey.Auth(request.clone(), frozen)).status, 200)
  })

  it("gives the same answers to requests with paths that are none", async () => {
    for (const path of [
      "/auuth/signin",
      "/api/auth/signin",
      "/auth/auth/signin/github",
      "/auth/signinn",
      "/auth/signin/a/b",
    ]) {
      const answers = await Promise.all(
        both.map(async ({ Auth }) => {
          const response = await Auth(new Request(`https://app.example${path}`), config())
          return [response.status, await response.json()]
        }),
      )
      assert.deepEqual(answers, [
        [400, "Bad request."],
        [400, "Bad request."],
      ])
    }
  })
})
