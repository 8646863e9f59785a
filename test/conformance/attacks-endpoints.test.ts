/** Endpoints of a provider that lead astray, or answer with nonsense, by the attack matrix; and F-33. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { locationOf } from "../support/core-browser.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn } from "../support/core-flow.js"
import type { FaultyProvider } from "../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

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

const kinds = [
  ["oidc", oidcAt],
  ["oidc with idToken: false", (idp: FaultyProvider) => oidcAt(idp, { idToken: false })],
  ["oauth", oauthAt],
] as const

describe.each(kinds)("A-054: a token endpoint that answers, for %s", (_, provider) => {
  it.each<[string, (body: Readonly<Record<string, unknown>>) => unknown]>([
    ["an error with 200", () => ({ error: "invalid_request" })],
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
