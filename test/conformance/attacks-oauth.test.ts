/** Attacks on the way back from a provider, by the numbers of the attack matrix. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { OAuthConfig } from "../../src/providers/kinds.js"
import { errorOf, locationOf, openBrowser, setCookiesOf, testPorts, type Browser } from "../support/core-browser.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import {
  checkCookies,
  expectNoSession,
  expectRefused,
  oauthAt,
  oidcAt,
  openSite,
  signIn,
} from "../support/core-flow.js"
import type { FaultyProvider } from "../../src/testing/faulty-provider.js"

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

  it.each(["code_verifier", "nonce"])("is not completed without its %s cookie, but started again", async (check) => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    browser.jar.forget(new RegExp(check))

    await expectStartedAgain(browser, idp, await browser.get(callback.href))
  })

  it.each(["code_verifier", "nonce"])("is not completed with the %s cookie of another flow", async (check) => {
    const { browser, idp } = openSite()
    await browser.start("idp")
    const foreign = browser.jar.get(browser.jar.names().find((name) => name.includes(check)) ?? "") ?? ""
    const callback = idp.approve(await browser.start("idp"))
    const own = browser.jar.names().findLast((name) => name.includes(check)) ?? ""
    browser.jar.set(own, foreign)

    await expectStartedAgain(browser, idp, await browser.get(callback.href))
  })

  async function expectStartedAgain(browser: Browser, idp: FaultyProvider, response: Response): Promise<void> {
    expect(locationOf(response)).toMatch(/^https:\/\/idp\.example\/authorize\?/)
    expect(idp.count("token")).toBe(0)
    await expectNoSession(browser, response)
  }
})

describe("A-061: a profile with members that are not asked for", () => {
  it("changes no prototype", async () => {
    const site = openSite((idp) => oauthAt(idp, { profile: (profile) => ({ ...profile, id: "1", name: "Ada" }) }))
    site.idp.faults = {
      userinfo: () =>
        new Response('{"id":"1","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}', {
          headers: { "content-type": "application/json" },
        }),
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
