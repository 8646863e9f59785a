import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { customFetch } from "../../../../src/core/symbols.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"
import { advanceClock, freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { clientId, FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const document = "https://idp.example/.well-known/openid-configuration"
const down = () => Promise.reject(new Error("getaddrinfo ENOTFOUND idp.example"))

describe("discovery", () => {
  it("fetches the issuer's document, as JSON, and follows no redirect", async () => {
    const site = openSite()

    await site.browser.start("idp")

    const { url, method, headers, redirect } = site.idp.last("discovery")
    expect([url.href, method, headers.get("accept"), redirect]).toEqual([document, "GET", "application/json", "manual"])
  })

  it("happens at the first sign-in, not before", async () => {
    const site = openSite()

    await site.browser.get("signin")
    await site.browser.get("providers")
    expect(site.idp.count("discovery")).toBe(0)

    await site.browser.start("idp")
    expect(site.idp.count("discovery")).toBe(1)
  })

  it("happens once for many sign-ins", async () => {
    const site = openSite()

    await signIn(site)
    await signIn({ ...site, browser: site.another() })

    expect(site.idp.count("discovery")).toBe(1)
    expect(site.idp.count("jwks")).toBe(1)
  })

  it("happens once for sign-ins that start together", async () => {
    const site = openSite()

    await Promise.all(Array.from({ length: 10 }, () => site.another().start("idp")))

    expect(site.idp.count("discovery")).toBe(1)
  })

  it("happens again after an hour", async () => {
    const site = openSite()
    await site.browser.start("idp")
    advanceClock(3599)
    await site.browser.start("idp")
    expect(site.idp.count("discovery")).toBe(1)
    advanceClock(2)

    await site.browser.start("idp")

    expect(site.idp.count("discovery")).toBe(2)
  })

  it("is done without for a day while the issuer is out of reach", async () => {
    const site = openSite()
    await site.browser.start("idp")
    site.idp.faults = { discovery: down }
    advanceClock(23 * 3600)

    expect((await site.browser.start("idp")).origin).toBe("https://idp.example")

    advanceClock(2 * 3600)
    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
  })

  it.each<[string, () => unknown]>([
    ["nothing, out of reach", down],
    ["500", () => new Response("oops", { status: 500 })],
    ["404", () => new Response(null, { status: 404 })],
    ["204", () => new Response(null, { status: 204 })],
    ["HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["a list", () => []],
    ["null", () => Response.json(null)],
    ["an empty document", () => ({})],
    ["JSON that does not end", () => new Response('{"issuer":')],
    ["a document of another issuer", () => ({ issuer: "https://evil.example" })],
    ["a document without endpoints", () => ({ issuer: "https://idp.example" })],
  ])("that fails is an error page, and is tried again the next time: %s", async (_, discovery) => {
    const site = openSite()
    site.idp.faults = { discovery }

    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
    expect(site.log.errors).toHaveLength(1)
    site.idp.faults = {}

    await signIn(site)
    expect(await site.browser.session()).not.toBeNull()
  })

  it("that fails does not concern other providers", async () => {
    const site = openSite((idp) => [oidcAt(idp, { id: "one" }), oauthAt(idp, { id: "two" })])
    site.idp.faults = { discovery: down }

    await site.browser.submit("signin/one")

    expect((await site.browser.start("two")).origin).toBe("https://idp.example")
  })

  it("uses the fetch of the provider, whether in the provider or in its options", async () => {
    const idp = new FaultyProvider()
    const denied = { fetch: () => Promise.reject(new Error("not through here")) }
    const given: readonly OAuthConfig[] = [
      { ...oidcAt(idp), [customFetch]: idp.fetch },
      { ...oidcAt(idp), options: { [customFetch]: idp.fetch } },
      { ...oidcAt(idp), [Symbol("custom-fetch")]: idp.fetch },
    ]

    for (const provider of given) {
      const site = openSite(() => provider, {}, denied, idp)
      await signIn(site)
      expect(await site.browser.session()).not.toBeNull()
    }
  })
})

describe("a discovery document", () => {
  it("oidcc-client-test-discovery-openid-config, oidcc-client-test-discovery-jwks-uri-keys: the addresses of the document are used", async () => {
    const site = openSite()
    site.idp.faults = {
      discovery: (metadata) => ({
        ...metadata,
        authorization_endpoint: "https://login.example/a?tenant=1",
        token_endpoint: "https://api.example/v2/token",
        jwks_uri: "https://keys.example/v2/jwks",
      }),
    }

    const authorizationUrl = await site.browser.start("idp")
    await site.browser.get(site.idp.approve(authorizationUrl).href)

    expect(authorizationUrl.href).toMatch(/^https:\/\/login\.example\/a\?/)
    expect(authorizationUrl.searchParams.get("tenant")).toBe("1")
    expect(site.idp.requests.map(({ url }) => url.href)).toEqual([
      document,
      "https://api.example/v2/token",
      "https://keys.example/v2/jwks",
    ])
  })

  it.each([
    "https://idp.example/x",
    "https://idp.example1",
    "http://idp.example",
    "https://evil.example",
    "no address",
    "",
    7,
  ])("A-074, oidcc-client-test-discovery-issuer-mismatch: nobody is sent to the provider: %s", async (issuer) => {
    const site = openSite()
    site.idp.faults = { discovery: (metadata) => ({ ...metadata, issuer }) }

    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
  })

  it.each(["https://idp.example/", "https://IDP.example", "https://idp.example:443"])(
    "an issuer that is written otherwise is the same: %s",
    async (issuer) => {
      const site = openSite((idp) => oidcAt(idp, { issuer }))

      await signIn(site)

      expect(await site.browser.session()).not.toBeNull()
    },
  )

  it("an issuer with a path keeps it", async () => {
    const site = openSite(oidcAt, {}, {}, new FaultyProvider("https://idp.example/tenants/acme"))

    await signIn(site)

    expect(site.idp.last("discovery").url.href).toBe(
      "https://idp.example/tenants/acme/.well-known/openid-configuration",
    )
    expect(await site.browser.session()).not.toBeNull()
  })
})

/** A provider whose document lies elsewhere. */
function openElsewhere(wellKnown: string, given: object = {}) {
  const idp = new FaultyProvider()
  const fetched: string[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    fetched.push(address)
    return address === wellKnown ? idp.fetch(document, init) : idp.fetch(input, init)
  }
  const site = openSite((own) => oidcAt(own, { wellKnown, ...given }), {}, { fetch }, idp)
  return { ...site, fetched }
}

describe("wellKnown", () => {
  it.each([
    "https://meta.example/.well-known/openid-configuration?policy=b2c",
    "https://meta.example/tenant/.well-known/openid-configuration",
    "https://meta.example/tenant/configuration.json",
    "https://meta.example/openid/config",
  ])("is the address of the document: %s", async (wellKnown) => {
    const site = openElsewhere(wellKnown)

    await signIn(site)

    expect(site.fetched[0]).toBe(wellKnown)
    expect(await site.browser.session()).not.toBeNull()
  })

  it.each(["https://meta.example/.well-known/openid-configuration", "https://meta.example/openid/config"])(
    "is asked as any other address is: %s",
    async (wellKnown) => {
      const site = openElsewhere(wellKnown)

      await site.browser.start("idp")

      const { headers, redirect, hasDeadline } = site.idp.last("discovery")
      expect([headers.get("accept"), redirect, hasDeadline]).toEqual(["application/json", "manual", true])
    },
  )

  it("does not change whose tokens are believed", async () => {
    const site = openElsewhere("https://meta.example/.well-known/openid-configuration")
    site.idp.faults = { discovery: (metadata) => ({ ...metadata, issuer: "https://evil.example" }) }

    await expectRefused(site.browser, await site.browser.submit("signin/idp"), ["Configuration"])
  })
})

describe("an endpoint of the configuration", () => {
  it.each([
    ["authorization", "https://login.example/authorize"],
    ["token", "https://api.example/token"],
    ["userinfo", "https://api.example/userinfo"],
  ])("wins over the one of the document, and leaves the others alone: %s", async (name, address) => {
    const site = openSite((idp) => oidcAt(idp, { idToken: false, [name]: address }))

    const authorizationUrl = await site.browser.start("idp")
    await site.browser.get(site.idp.approve(authorizationUrl).href)

    const used = [authorizationUrl.origin + authorizationUrl.pathname, ...site.idp.requests.map(({ url }) => url.href)]
    const expected = {
      authorization: "https://idp.example/authorize",
      token: "https://idp.example/token",
      userinfo: "https://idp.example/userinfo",
      [name]: address,
    }
    expect(used).toEqual(expect.arrayContaining(Object.values(expected)))
    expect(site.idp.count("discovery")).toBe(1)
    expect(await site.browser.session()).not.toBeNull()
  })

  it("may be the placeholder of Auth.js for the issuer's own", async () => {
    const site = openSite((idp) =>
      oidcAt(idp, { authorization: { url: "https://authjs.dev", params: { scope: "openid groups" } } }),
    )

    const url = await site.browser.start("idp")

    expect(url.origin + url.pathname).toBe("https://idp.example/authorize")
    expect(url.searchParams.get("scope")).toBe("openid groups")
  })

  it("may have parameters alone", async () => {
    const site = openSite((idp) => oidcAt(idp, { authorization: { params: { prompt: "consent" } } }))

    const url = await site.browser.start("idp")

    expect(url.origin).toBe("https://idp.example")
    expect(url.searchParams.get("prompt")).toBe("consent")
  })

  it("is not needed in a document that says less", async () => {
    const site = openSite()
    site.idp.faults = { discovery: ({ userinfo_endpoint: _, ...metadata }) => metadata }

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })
})

describe("an OAuth 2 provider", () => {
  it("with an issuer and no endpoints is discovered, as it is let through", async () => {
    const site = openSite((idp) => ({
      id: "idp",
      name: "Idp",
      type: "oauth",
      issuer: idp.issuer,
      clientId,
      clientSecret: "s",
    }))

    await signIn(site)

    expect(site.idp.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery", "token", "userinfo"])
    expect(await site.browser.session()).not.toBeNull()
  })

  it("with endpoints is not discovered", async () => {
    const site = openSite((idp) => oauthAt(idp, { issuer: idp.issuer }))

    await signIn(site)

    expect(site.idp.count("discovery")).toBe(0)
    expect(await site.browser.session()).not.toBeNull()
  })
})
