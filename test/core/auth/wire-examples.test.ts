/** The exchanges that were observed with the system we succeed, byte by byte where clients compare them. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { customFetch, skipCSRFCheck, type AuthConfig } from "../../../src/core/index.js"
import { configOf, openBrowser, testPorts } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oauthAt, oidcAt } from "../../support/core-flow.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function open(given: Partial<AuthConfig> = {}) {
  const idp = new FaultyProvider()
  const providers = [oauthAt(idp, { id: "github", name: "GitHub" })]
  const browser = openBrowser(
    configOf({ providers, secret: "secret", ...given }),
    testPorts({ fetch: idp.fetch }),
    "https://a.test",
  )
  return { browser, idp }
}

const callbackUrl = "__Secure-authjs.callback-url=https%3A%2F%2Fa.test; Path=/; HttpOnly; Secure; SameSite=Lax"

describe("an observed exchange", () => {
  it("GET session, without cookies", async () => {
    const response = await open().browser.get("session")

    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: "null" })
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-authjs\.csrf-token=[0-9a-f]{64}%7C[0-9a-f]{64}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      callbackUrl,
    ])
  })

  it("POST signin/github without CSRF token", async () => {
    const response = await open().browser.post("signin/github")

    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://a.test/auth/signin?error=MissingCSRF",
    ])
  })

  it("the same with X-Auth-Return-Redirect", async () => {
    const response = await open().browser.post("signin/github", {}, { "x-auth-return-redirect": "1" })

    expect([response.status, await response.text()]).toEqual([
      200,
      '{"url":"https://a.test/auth/signin?error=MissingCSRF"}',
    ])
  })

  it("POST session without CSRF token", async () => {
    const response = await open().browser.post("session")

    expect([response.status, await response.text()]).toEqual([400, "null"])
  })

  it("GET of a path that is no action", async () => {
    const response = await open().browser.get("foo")

    expect([response.status, await response.text()]).toEqual([400, '"Bad request."'])
  })

  it("GET csrf when it is disabled", async () => {
    const response = await open({ skipCSRFCheck }).browser.get("csrf")

    expect(response.status).toBe(404)
    expect(response.headers.getSetCookie()).toContain(
      "__Host-authjs.csrf-token=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    )
  })

  it("POST signout with a foreign callback URL", async () => {
    const response = await open().browser.submit("signout", { callbackUrl: "https://evil.test/x" })

    expect([response.status, response.headers.get("location")]).toEqual([302, "https://a.test"])
  })

  it("GET callback with an error of the provider and the right state", async () => {
    const { browser, idp } = open()

    const response = await browser.get(idp.refuse(await browser.start("github")).href)

    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://a.test/auth/signin?error=OAuthCallbackError",
    ])
  })

  it("GET callback with a wrong state", async () => {
    const { browser } = open()
    await browser.start("github")

    const response = await browser.get("callback/github?code=abc&state=wrong")

    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      "https://a.test/auth/error?error=Configuration",
    ])
  })

  it("the check cookies", async () => {
    const { browser } = open()
    await browser.csrfToken()

    const response = await browser.submit("signin/github")

    const attributes = "Max-Age=900; Path=/; Expires=Sun, 01 Mar 2026 12:15:00 GMT; HttpOnly; Secure; SameSite=Lax"
    const [state = "", pkce = ""] = response.headers.getSetCookie()
    expect(state).toMatch(/^__Secure-authjs\.state\.[0-9a-f]{16}=ey[\w.-]+; /)
    expect(state.slice(state.indexOf("; ") + 2)).toBe(attributes)
    expect(pkce).toMatch(/^__Secure-authjs\.pkce\.code_verifier\.[0-9a-f]{16}=ey[\w.-]+; /)
    expect(pkce.slice(pkce.indexOf("; ") + 2)).toBe(attributes)
  })

  it("the nonce cookie, which has no Max-Age", async () => {
    const idp = new FaultyProvider()
    const { browser } = open({ providers: [{ ...oidcAt(idp), [customFetch]: idp.fetch }] })

    const nonce = (await browser.submit("signin/idp")).headers.getSetCookie().at(-1)

    expect(nonce).toMatch(
      /^__Secure-authjs\.nonce\.[0-9a-f]{16}=ey[\w.-]+; Path=\/; Expires=Sun, 01 Mar 2026 12:15:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
    )
  })

  it("the session cookie", async () => {
    const { browser, idp } = open()
    const callback = idp.approve(await browser.start("github"))

    const cookie = (await browser.get(callback.href)).headers.getSetCookie().at(-1)

    expect(cookie).toMatch(
      /^__Secure-authjs\.session-token=ey[\w.-]+; Path=\/; Expires=Tue, 31 Mar 2026 12:00:00 GMT; HttpOnly; Secure; SameSite=Lax$/,
    )
  })
})

describe("what the other system left in a browser", () => {
  it("a CSRF cookie is good", async () => {
    const { browser } = open()
    const token = "a".repeat(64)
    browser.jar.set(
      "__Host-authjs.csrf-token",
      `${token}%7C903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c`,
    )

    expect(await browser.csrfToken()).toBe(token)
  })

  it("a CSRF cookie made with a list of secrets is good", async () => {
    const { browser } = open({ secret: ["s1", "s2"] })
    const token = "a".repeat(64)
    browser.jar.set(
      "__Host-authjs.csrf-token",
      `${token}%7C9484f13c9d7ad3100d58d51a22ad8ad9301a907d18d3434e585ce3202c15a098`,
    )

    expect(await browser.csrfToken()).toBe(token)
  })

  it.each([
    [
      "A256CBC-HS512",
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiN3g5RFVNVmFFVTZnaWFiMGwwT1dEdDRlNFNzUkhfY2J3TW9mMkV6RXl5Nm9uSzVvOHhTUFBCNzk5UlZvcW0ydjZ6Njc0a1FDdjlqb20yVDhTLWExZFEifQ..BwcHBwcHBwcHBwcHBwcHBw.OUUThFznDxRRb-2RiQtx6kk4OHtQx-lqhCtcrW94UhOYA_aqjaRKIvWgprBxNKMcY172I56DgsBSwqYH4GiJQDM8SXTsrH6qp2EeswpkMRjFgwsdA82iAWvzVPWEBuLhRsXZOyvaA7nXLWKTkivP96e8KNyXEGozp8wAtfJmkVwaUL42iHdopa_RGLxqgLmLmFLTiNmGC1zWfsD8Wrp0MA.TKYEjzzgeB49pj4GWsgB8tumRsqkU5DqK4u7iD7gcLs",
      { name: "Ann", email: "ann@example.com", image: null },
    ],
    [
      "A256GCM, without kid",
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..BwcHBwcHBwcHBwcH.xPcLhmcPqPmiODKOZNq6maeJwCovg1A_wxpmBUY.9D3G3GH2aEk_rOCI2Vp8lA",
      {},
    ],
  ])("a session cookie is good: %s", async (_, token, user) => {
    const idp = new FaultyProvider()
    const browser = openBrowser(
      configOf({ secret: "secret", providers: [oauthAt(idp)] }),
      testPorts(),
      "http://localhost:3000",
    )
    browser.jar.set("authjs.session-token", token)

    expect(await browser.session()).toEqual({ user, expires: "2026-03-31T12:00:00.000Z" })
  })
})
