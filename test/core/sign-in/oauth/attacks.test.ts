/** Attacks on the way back from a provider, by the numbers of the attack matrix. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"
import { errorOf, locationOf, openBrowser, setCookiesOf, testPorts } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import {
  checkCookies,
  expectNoSession,
  expectRefused,
  oauthAt,
  oidcAt,
  openSite,
  signIn,
} from "../../../support/core-flow.js"
import type { FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const kinds: readonly (readonly [kind: string, provider: (idp: FaultyProvider) => OAuthConfig])[] = [
  ["oidc", oidcAt],
  ["oidc with idToken: false", (idp) => oidcAt(idp, { idToken: false })],
  ["oauth", oauthAt],
  ["oauth with checks: none", (idp) => oauthAt(idp, { checks: ["none"] })],
  ["oidc with checks: none", (idp) => oidcAt(idp, { checks: ["none"] })],
]

describe.each(kinds)("for %s", (_, provider) => {
  describe("A-044: an answer that nobody asked for", () => {
    it.each(["code=abc", "code=abc&state=", "code=abc&state=undefined", "code=abc&state=null", "", "state=x"])(
      "is refused: %s",
      async (query) => {
        const { browser, idp } = openSite(provider)

        await expectRefused(browser, await browser.get(`callback/idp?${query}`))
        expect(idp.count("token")).toBe(0)
      },
    )
  })

  describe("A-045: an answer with another state", () => {
    it.each<[string, (answer: URLSearchParams, state: string) => void]>([
      ["of somebody's making", (answer) => answer.set("state", "other")],
      ["with a character more", (answer, state) => answer.set("state", `${state}A`)],
      ["with a character less", (answer, state) => answer.set("state", state.slice(0, -1))],
      ["as a list", (answer, state) => (answer.delete("state"), answer.set("state[]", state))],
      ["in capitals", (answer, state) => answer.set("state", state.toUpperCase())],
    ])("is refused: %s", async (_name, change) => {
      const site = openSite(provider)
      site.idp.faults = { answer: (answer) => change(answer, answer.get("state") ?? "") }

      await expectRefused(site.browser, await signIn(site))
      expect(site.idp.count("token")).toBe(0)
    })
  })

  describe("A-046: the answer to somebody else's flow", () => {
    it.each([
      ["a browser without a flow", false],
      ["a browser with a flow of its own", true],
    ])("signs nobody in, in %s", async (_name, hasFlow) => {
      const { idp, browser: attacker, another } = openSite(provider)
      const callback = idp.approve(await attacker.start("idp"))
      const victim = another()
      const own = hasFlow ? idp.approve(await victim.start("idp")) : undefined

      const response = await victim.get(callback.href)

      expect(idp.count("token")).toBe(0)
      await expectNoSession(victim, response)
      if (own) {
        await victim.get(own.href)
        expect(await victim.session()).not.toBeNull()
      }
    })

    it("signs nobody in, although the state is in a cookie of the victim's making", async () => {
      const { idp, browser: attacker, another } = openSite(provider)
      const authorizationUrl = await attacker.start("idp")
      const callback = idp.approve(authorizationUrl)
      const victim = another()
      const [name = ""] = checkCookies(attacker)
      victim.jar.set(name, authorizationUrl.searchParams.get("state") ?? "")

      await expectNoSession(victim, await victim.get(callback.href))
      expect(idp.count("token")).toBe(0)
    })
  })

  describe("A-058: an answer that is odd", () => {
    it.each<[string, (answer: URLSearchParams) => void]>([
      ["a code and an error", (answer) => answer.set("error", "x")],
      ["two codes", (answer) => answer.append("code", "other")],
      ["two states", (answer) => answer.append("state", "other")],
      ["the same state twice", (answer) => answer.append("state", answer.get("state") ?? "")],
      ["an ID token in the query", (answer) => answer.set("id_token", "x")],
      ["an empty ID token in the query", (answer) => answer.set("id_token", "")],
      ["an access token in the query", (answer) => answer.set("access_token", "x")],
      ["a token in the query", (answer) => answer.set("token", "x")],
      ["a JARM response", (answer) => answer.set("response", "x")],
      ["no code", (answer) => answer.delete("code")],
      ["an empty code", (answer) => answer.set("code", "")],
    ])("is refused, before any token request: %s", async (_name, answer) => {
      const site = openSite(provider)
      site.idp.faults = { answer }

      await expectRefused(site.browser, await signIn(site))
      expect(site.idp.count("token")).toBe(0)
      expect(checkCookies(site.browser)).toEqual([])
    })

    it("is not reflected", async () => {
      const site = openSite(provider)
      site.idp.faults = {
        answer: (answer) => {
          answer.set("error", "<script>alert(1)</script>")
          answer.set("error_description", "<img src=x onerror=alert(1)>")
          answer.set("error_uri", "https://evil.example")
        },
      }

      const response = await signIn(site)
      const html = await (await site.browser.follow(response)).text()

      expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthCallbackError")
      for (const text of [...response.headers.values(), html]) {
        expect(text).not.toMatch(/<script|<img|alert\(1\)|evil\.example/)
      }
    })

    it("does not end a flow that goes on: an error without state", async () => {
      const site = openSite(provider)
      const callback = site.idp.approve(await site.browser.start("idp"))

      await expectNoSession(site.browser, await site.browser.get("callback/idp?error=access_denied"))
      await site.browser.get(callback.href)

      expect(await site.browser.session()).not.toBeNull()
    })
  })

  it("A-044: an answer by POST counts no more than by GET", async () => {
    const { browser, idp } = openSite(provider)

    await expectRefused(browser, await browser.post("callback/idp", { code: "abc", state: "x" }))
    expect(idp.count("token")).toBe(0)
  })
})

describe("A-047: an answer at another callback", () => {
  it("is refused where the flow belongs to another provider", async () => {
    const { browser, idp } = openSite((own) => [oidcAt(own, { id: "x" }), oidcAt(own, { id: "y" })])
    const callback = idp.approve(await browser.start("x"))
    callback.pathname = "/auth/callback/y"

    await expectRefused(browser, await browser.get(callback.href), ["Configuration"])
    expect(idp.count("token")).toBe(0)
  })

  it("is refused at a provider of another kind", async () => {
    const { browser, idp } = openSite((own) => [oidcAt(own, { id: "x" }), oauthAt(own, { id: "y" })])
    const callback = idp.approve(await browser.start("x"))
    callback.pathname = "/auth/callback/y"

    await expectRefused(browser, await browser.get(callback.href), ["Configuration"])
  })

  it("is not completed once the client id has changed", async () => {
    const { browser, idp, config } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    const changed = openBrowser(
      { ...config, providers: [oidcAt(idp, { clientId: "another" })] },
      testPorts({ fetch: idp.fetch }),
    )
    for (const name of browser.jar.names()) changed.jar.set(name, browser.jar.get(name) ?? "")

    await expectNoSession(changed, await changed.get(callback.href))
    expect(idp.count("token")).toBe(0)
  })

  it("is refused with the check cookies of another flow", async () => {
    const { browser, idp } = openSite()
    const first = await browser.start("idp")
    const values = checkCookies(browser).map((name) => browser.jar.get(name) ?? "")
    browser.jar.forget(/\.(?:state|code_verifier|nonce)\./)
    const callback = idp.approve(await browser.start("idp"))
    checkCookies(browser).forEach((name, index) => browser.jar.set(name, values[index] ?? ""))

    const response = await browser.get(callback.href)

    expect(first.searchParams.get("state")).not.toBe(callback.searchParams.get("state"))
    await expectNoSession(browser, response)
    expect(idp.count("token")).toBe(0)
  })

  it.each(["code_verifier", "nonce"])("is refused without its %s cookie", async (check) => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    browser.jar.forget(new RegExp(check))

    await expectRefused(browser, await browser.get(callback.href))
  })

  it.each(["code_verifier", "nonce"])("is refused with the %s cookie of another flow", async (check) => {
    const { browser, idp } = openSite()
    await browser.start("idp")
    const foreign = browser.jar.get(browser.jar.names().find((name) => name.includes(check)) ?? "") ?? ""
    const callback = idp.approve(await browser.start("idp"))
    const own = browser.jar.names().findLast((name) => name.includes(check)) ?? ""
    browser.jar.set(own, foreign)

    await expectRefused(browser, await browser.get(callback.href))
  })
})

describe("A-031: what is sealed for one purpose", () => {
  it.each(["state", "code_verifier", "nonce"])("is no session: the %s cookie", async (check) => {
    const { browser } = openSite()
    const url = await browser.start("idp")
    const value = browser.jar.get(browser.jar.names().find((name) => name.includes(check)) ?? "") ?? ""

    for (const token of [value, url.searchParams.get("state") ?? ""]) {
      browser.jar.set("__Secure-authjs.session-token", token)
      expect(await browser.session()).toBeNull()
    }
  })

  it("is no check: the session", async () => {
    const site = openSite()
    await signIn(site)
    const session = site.browser.jar.get("__Secure-authjs.session-token") ?? ""
    const victim = site.another()
    const callback = site.idp.approve(await victim.start("idp"))
    for (const name of checkCookies(victim)) victim.jar.set(name, session)
    const tokens = site.idp.count("token")

    await expectNoSession(victim, await victim.get(callback.href))
    expect(site.idp.count("token")).toBe(tokens)
  })
})

describe("A-053: addresses that must not be used", () => {
  it.each(["issuer", "authorization", "token", "userinfo"])(
    "over plain http are a configuration error in production: %s",
    async (endpoint) => {
      const { browser, log } = openSite((idp) => oauthAt(idp, { [endpoint]: "http://idp.example/x" }))

      expect((await browser.get("providers")).status).toBe(500)
      expect(log.errors[0]?.message).toContain(`providers[0].${endpoint}`)
    },
  )

  it.each([
    ["authorization_endpoint", "http://169.254.169.254/"],
    ["token_endpoint", "http://169.254.169.254/token"],
    ["jwks_uri", "http://169.254.169.254/jwks"],
    ["token_endpoint", "file:///etc/passwd"],
    ["authorization_endpoint", "javascript:alert(1)"],
    ["jwks_uri", "file:///etc/passwd"],
    ["token_endpoint", "no address"],
  ])("are refused when discovery names them: %s %s", async (name, address) => {
    const site = openSite()
    site.idp.faults = { discovery: (document) => ({ ...document, [name]: address }) }

    const started = await site.browser.submit("signin/idp")
    const to = new URL(locationOf(started))
    const response = to.origin === site.idp.issuer ? await site.browser.get(site.idp.approve(to).href) : started

    await expectRefused(site.browser, response)
    expect(site.idp.requests.filter(({ url }) => url.protocol !== "https:")).toEqual([])
  })

  it.each([301, 302, 307])("are not followed: %i from any endpoint", async (status) => {
    const elsewhere = () => new Response(null, { status, headers: { location: "https://evil.example/" } })
    const faults = [{ discovery: elsewhere }, { token: elsewhere }, { userinfo: elsewhere }, { jwks: elsewhere }]
    for (const fault of faults) {
      const site = openSite((idp) => oidcAt(idp, { idToken: false }))
      site.idp.faults = fault
      const started = await site.browser.submit("signin/idp")
      const to = new URL(locationOf(started))
      const response = to.origin === site.idp.issuer ? await site.browser.get(site.idp.approve(to).href) : started

      await expectRefused(site.browser, response)
      expect(new Set(site.idp.requests.map(({ url }) => url.host))).toEqual(new Set(["idp.example"]))
    }
  })
})

const text =
  (body: string, type: string, status = 200) =>
  () =>
    new Response(body, { status, headers: { "content-type": type } })

describe.each(kinds.slice(0, 3))("A-054: a token endpoint that answers, for %s", (_, provider) => {
  it.each<[string, (body: Readonly<Record<string, unknown>>) => unknown]>([
    ["an error with 200", () => ({ error: "invalid_grant" })],
    ["nothing with 200", () => ({})],
    ["a list", () => []],
    ["null", () => Response.json(null)],
    ["an empty access token", (body) => ({ ...body, access_token: "" })],
    ["an access token that is a number", (body) => ({ ...body, access_token: 7 })],
    ["no token type", (body) => ({ ...body, token_type: undefined })],
    ["a token type that nobody knows", (body) => ({ ...body, token_type: "mac" })],
    ["a lifetime that is text", (body) => ({ ...body, expires_in: "abc" })],
    ["a negative lifetime", (body) => ({ ...body, expires_in: -1 })],
    ["a lifetime beyond all time", (body) => ({ ...body, expires_in: 1e20 })],
    ["a scope that is a list", (body) => ({ ...body, scope: ["openid"] })],
    ["HTML", text("<html>", "text/html")],
    ["HTML that says it is JSON", text("<html>", "application/json")],
    [
      "400 with secrets in the text",
      text('{"error":"invalid_client","error_description":"s3cret"}', "application/json", 400),
    ],
    [
      "401 with a challenge",
      () => new Response(null, { status: 401, headers: { "www-authenticate": 'Basic realm="s3cret"' } }),
    ],
    ["500", text("s3cret", "text/plain", 500)],
    ["204", () => new Response(null, { status: 204 })],
    ["nothing at all", () => Promise.reject(new Error("connect ECONNREFUSED"))],
    ["something that is no JSON value", () => new Response(new Uint8Array([0xff, 0xfe]))],
  ])("with %s signs nobody in", async (_name, token) => {
    const site = openSite(provider)
    site.idp.faults = { token }

    const response = await signIn(site)

    await expectRefused(site.browser, response)
    expect(site.idp.count("userinfo")).toBe(0)
    expect(site.idp.count("token")).toBe(1)
    expect(await (await site.browser.follow(response)).text()).not.toContain("s3cret")
    expect(site.log.errors).toHaveLength(1)
  })
})

describe("A-055: a userinfo endpoint that answers", () => {
  it.each<[string, () => unknown]>([
    ["401 with JSON", () => Response.json({ message: "Bad credentials", id: "1" }, { status: 401 })],
    ["401 with a challenge", () => new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } })],
    ["403 with an id", () => Response.json({ id: "1" }, { status: 403 })],
    ["null", () => Response.json(null)],
    ["a list", () => []],
    ["text", () => "x"],
    ["a number", () => 7],
    ["an empty object", () => ({})],
    ["500 with HTML", text("<html>", "text/html", 500)],
    ["302", () => new Response(null, { status: 302, headers: { location: "https://evil.example" } })],
    ["204", () => new Response(null, { status: 204 })],
    ["JSON that does not end", text('{"id":"1"', "application/json")],
    ["nothing at all", () => Promise.reject(new Error("connect ECONNREFUSED"))],
  ])("with %s signs nobody in", async (_, userinfo) => {
    const site = openSite(oauthAt)
    site.idp.faults = { userinfo }

    await expectRefused(site.browser, await signIn(site))
    expect(site.log.errors).toHaveLength(1)
  })

  it.each([
    ["null", null],
    ["nothing", undefined],
    ["a list", []],
    ["text", "x"],
  ])("is not needed, but userinfo.request that returns %s signs nobody in", async (_, profile) => {
    const site = openSite((idp) => oauthAt(idp, { userinfo: { request: () => profile } }))

    await expectRefused(site.browser, await signIn(site))
  })
})

describe("F-33: an answer without end", () => {
  it.each(["discovery", "token", "jwks", "userinfo"])("is cut off: from %s", async (endpoint) => {
    let sent = 0
    const endless = () =>
      new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            sent += 1
            controller.enqueue(new Uint8Array(64 * 1024).fill(32))
          },
        }),
        { headers: { "content-type": "application/json" } },
      )
    const site = openSite((idp) => oidcAt(idp, { idToken: false }))
    site.idp.faults = { [endpoint]: endless }

    const started = await site.browser.submit("signin/idp")
    const to = new URL(locationOf(started))
    const response = to.origin === site.idp.issuer ? await site.browser.get(site.idp.approve(to).href) : started

    await expectRefused(site.browser, response)
    expect(sent).toBeGreaterThan(0)
    expect(sent).toBeLessThan(20)
  })
})

describe("A-061: a profile with members that are not asked for", () => {
  it("changes no prototype", async () => {
    const site = openSite((idp) => oauthAt(idp, { profile: (profile) => ({ ...profile, id: "1", name: "Ada" }) }))
    site.idp.faults = {
      userinfo: text(
        '{"id":"1","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
        "application/json",
      ),
    }

    await signIn(site)

    expect(await site.browser.session()).toMatchObject({ user: { name: "Ada" } })
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined()
  })
})

describe("A-049: a callback", () => {
  it("is good once, even with the cookies saved", async () => {
    const site = openSite()
    const callback = site.idp.approve(await site.browser.start("idp"))
    const saved = site.browser.jar.copy()
    await site.browser.get(callback.href)
    const replay = site.another()
    for (const name of saved.names()) replay.jar.set(name, saved.get(name) ?? "")

    const response = await replay.get(callback.href)

    await expectNoSession(replay, response)
    expect(site.idp.count("token")).toBe(1)
  })
})

describe("A-075: the same callback twice at once", () => {
  it("makes one token request", async () => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp"))

    await Promise.all([browser.get(callback.href), browser.get(callback.href)])

    expect(idp.count("token")).toBe(1)
    expect(await browser.session()).not.toBeNull()
  })
})

describe("what an attack leaves", () => {
  it("is no session cookie of any name", async () => {
    const { browser } = openSite()

    const response = await browser.get("callback/idp?code=abc&state=x")

    expect(setCookiesOf(response).map(({ name }) => name)).toEqual([
      "__Host-authjs.csrf-token",
      "__Secure-authjs.callback-url",
      "__Secure-authjs.error",
    ])
  })
})
