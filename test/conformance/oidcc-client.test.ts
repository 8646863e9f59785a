/**
 * Conformance of an OpenID Connect client in the code flow, by the names of the OpenID Foundation's modules. What is not
 * supported has a row as well, which shows that it does no harm.
 * @see https://openid.net/certification/rp_testing/
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { accessToken, clientId, type Faults, type FaultyProvider } from "../../src/testing/faulty-provider.js"
import { locationOf } from "../support/core-browser.js"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { checkCookies, expectRefused, signIn } from "../support/core-flow.js"
import { accepted, openRow, rejected, type Claims } from "./oidcc-rows.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("accepted", () => {
  it.each(accepted)("$name", async (row) => {
    const site = await openRow(row)

    const response = await signIn(site, { callbackUrl: "/account" })

    expect(locationOf(response)).toBe("https://app.example/account")
    expect(await site.browser.session()).toEqual({
      user: { name: "Ada Lovelace", email: "ada@example.com", image: "https://idp.example/ada.png" },
      expires: expect.any(String),
    })
    expect(site.log.errors).toEqual([])
    expect(site.idp.count("other")).toBe(0)
  })
})

describe("rejected", () => {
  it.each(rejected)("$name", async (row) => {
    const site = await openRow(row)

    const response = await signIn(site)

    await expectRefused(site.browser, response)
    expect(checkCookies(site.browser)).toEqual([])
    if (!row.provider || row.provider.idToken !== false) expect(site.idp.count("userinfo")).toBe(0)
    expect(site.log.errors).toHaveLength(1)
  })
})

describe("oidcc-client-test-userinfo-signed", () => {
  const signed = (idp: FaultyProvider, claims: Claims): Faults => {
    const jwt = idp.sign({ iss: idp.issuer, aud: clientId, ...claims })
    return {
      userinfo: async () => new Response(await jwt, { headers: { "content-type": "application/jwt" } }),
    }
  }
  const configured: Partial<OIDCConfig> = { idToken: false, client: { userinfo_signed_response_alg: "RS256" } }

  it("is verified and used where it is configured", async () => {
    const site = await openRow({
      name: "signed",
      provider: configured,
      faults: (idp) => signed(idp, { sub: "ada", name: "Signed" }),
    })

    await signIn(site)

    expect(await site.browser.session()).toMatchObject({ user: { name: "Signed" } })
  })

  it.each([
    ["of another person", { sub: "eve" }],
    ["of another issuer", { sub: "ada", iss: "https://evil.example" }],
    ["for another client", { sub: "ada", aud: "other" }],
  ])("is rejected %s", async (_, claims) => {
    const site = await openRow({ name: "signed", provider: configured, faults: (idp) => signed(idp, claims) })

    await expectRefused(site.browser, await signIn(site))
  })

  it("is rejected with somebody else's signature", async () => {
    const site = await openRow({
      name: "signed",
      provider: configured,
      faults: (idp) => {
        idp.faults = { sign: "foreign" }
        return signed(idp, { sub: "ada" })
      },
    })

    await expectRefused(site.browser, await signIn(site))
  })

  it("is rejected where it is not configured, and plain JSON where it is", async () => {
    const unexpected = await openRow({
      name: "signed",
      provider: { idToken: false },
      faults: (idp) => signed(idp, { sub: "ada" }),
    })
    const plain = await openRow({ name: "plain", provider: configured })

    await expectRefused(unexpected.browser, await signIn(unexpected))
    await expectRefused(plain.browser, await signIn(plain))
  })
})

describe("oidcc-client-test-distributed-claims", () => {
  it("are never fetched", async () => {
    const site = await openRow({
      name: "distributed",
      faults: {
        claims: (claims) => ({
          ...claims,
          _claim_names: { credit: "src1" },
          _claim_sources: { src1: { endpoint: "https://169.254.169.254/claims", access_token: "x" } },
        }),
      },
    })

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
    expect(new Set(site.idp.requests.map(({ url }) => url.host))).toEqual(new Set(["idp.example"]))
  })
})

describe("oidcc-client-test-userinfo-bearer-header", () => {
  it("the access token goes into the header, and nowhere else", async () => {
    const site = await openRow({ name: "bearer", provider: { idToken: false } })

    await signIn(site)

    const { method, url, headers, body } = site.idp.last("userinfo")
    expect([method, url.search, body.toString(), headers.get("authorization")]).toEqual([
      "GET",
      "",
      "",
      `Bearer ${accessToken}`,
    ])
  })
})

describe("oidcc-client-test-3rd-party-init-login", () => {
  it("never starts a sign-in by itself: it leads to the page with the button", async () => {
    const { browser, idp } = await openRow({ name: "third party" })

    const response = await browser.get(`signin/idp?iss=${encodeURIComponent(idp.issuer)}&login_hint=ada`)

    expect(locationOf(response)).toMatch(/^https:\/\/app\.example\/auth\/signin(?:\?|$)/)
    expect(checkCookies(browser)).toEqual([])
    expect(idp.requests).toEqual([])
  })
})

describe("an authorization response", () => {
  it.each<[string, (answer: URLSearchParams) => void]>([
    [
      "ensure-authorization-response-with-invalid-state-fails",
      (answer) => answer.set("state", `${answer.get("state")}x`),
    ],
    ["ensure-authorization-response-with-missing-state-fails", (answer) => answer.delete("state")],
    ["an empty state", (answer) => answer.set("state", "")],
  ])("%s", async (_, answer) => {
    const site = await openRow({ name: "state", faults: { answer } })

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.idp.count("token")).toBe(0)
  })
})

describe("what every request has", () => {
  it("oidcc-client-test-nonce-unless-code-flow: a nonce, in the code flow as well, another one each time", async () => {
    const { browser } = await openRow({ name: "nonce" })

    const nonces = [await browser.start("idp"), await browser.start("idp")].map((url) => url.searchParams.get("nonce"))

    expect(nonces.every((nonce) => nonce !== null && nonce.length >= 43)).toBe(true)
    expect(new Set(nonces).size).toBe(2)
  })

  it("oidcc-client-test-client-secret-basic: id and secret in the header, form-url-encoded, and not in the body", async () => {
    const client = { clientId: "an id:of ours", clientSecret: "s+cr/t %" }
    const site = await openRow({ name: "basic", provider: client })
    await signIn(site)

    const { headers, body } = site.idp.last("token")
    expect(atob(headers.get("authorization")?.replace("Basic ", "") ?? "")).toBe("an+id%3Aof+ours:s%2Bcr%2Ft+%25")
    expect(body.has("client_secret")).toBe(false)
  })
})

describe("what is not supported", () => {
  it("oidcc-client-test-userinfo-bearer-body: a provider that takes the token in the body alone lets nobody in", async () => {
    const refusal = () => new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } })
    const site = await openRow({ name: "body", provider: { idToken: false }, faults: { userinfo: refusal } })

    await expectRefused(site.browser, await signIn(site))

    expect(site.idp.count("userinfo")).toBe(1)
    expect(site.idp.last("userinfo").body.has("access_token")).toBe(false)
  })

  it("oidcc-client-test-mtls-endpoint-aliases: are left alone by a client without a certificate", async () => {
    const mtls_endpoint_aliases = { token_endpoint: "https://mtls.example/token" }
    const discovery = (document: Claims) => ({ ...document, mtls_endpoint_aliases })
    const site = await openRow({ name: "mtls", faults: { discovery } })

    await signIn(site)

    expect(site.idp.last("token").url.host).toBe("idp.example")
    expect(await site.browser.session()).not.toBeNull()
  })

  it.each([
    ["oidcc-client-test-discovery-webfinger-acct", "acct:ada@idp.example"],
    ["oidcc-client-test-discovery-webfinger-url", "https://idp.example/ada"],
  ])("%s: the issuer is the configured one, and nobody is asked where another is", async (_, resource) => {
    const { browser, idp } = await openRow({ name: "webfinger" })

    await browser.start("idp", {}, `?login_hint=${encodeURIComponent(resource)}`)

    expect(idp.requests.map(({ url }) => url.pathname)).toEqual(["/.well-known/openid-configuration"])
  })

  it("oidcc-client-test-dynamic-registration: no client registers itself", async () => {
    const discovery = (document: Claims) => ({ ...document, registration_endpoint: "https://idp.example/register" })
    const site = await openRow({ name: "register", provider: { clientId: undefined }, faults: { discovery } })

    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])

    expect(site.idp.requests.filter(({ method }) => method === "POST")).toEqual([])
  })

  it.each(["oidcc-client-test-request-uri-signed-none", "oidcc-client-test-request-uri-signed-rs256"])(
    "%s: no request object is sent by reference, whoever asks for it",
    async () => {
      const discovery = (document: Claims) => ({ ...document, request_uri_parameter_supported: true })
      const { browser } = await openRow({ name: "request_uri", faults: { discovery } })

      const url = await browser.start("idp", {}, "?request_uri=https://evil.example/r&request=e30.e30.")

      expect([url.searchParams.has("request_uri"), url.searchParams.has("request")]).toEqual([false, false])
      expect(url.searchParams.get("response_type")).toBe("code")
    },
  )

  it.each(["oidcc-client-test-rp-frontchannel-rpinitlogout", "oidcc-client-test-rp-frontchannel-opinitlogout"])(
    "%s: what is loaded in a frame ends no session, and may not be shown there",
    async () => {
      const site = await openRow({ name: "front channel" })
      await signIn(site)

      for (const path of ["callback/idp/logout", "signout"]) {
        const response = await site.browser.get(`${path}?iss=${encodeURIComponent(site.idp.issuer)}&sid=1`)
        if (response.status === 200) expect(response.headers.get("x-frame-options")).toBe("DENY")
        expect(await site.browser.session()).not.toBeNull()
      }
    },
  )

  it("oidcc-client-test-session-management: no session is polled, and no page has a frame", async () => {
    const discovery = (document: Claims) => ({ ...document, check_session_iframe: "https://idp.example/session" })
    const site = await openRow({
      name: "session management",
      faults: { discovery, answer: (answer) => answer.set("session_state", "a.b") },
    })
    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
    expect(site.idp.requests.map(({ url }) => url.pathname)).not.toContain("/session")
    const page = await site.browser.get("signin")
    expect(await page.text()).not.toContain("<iframe")
  })
})
