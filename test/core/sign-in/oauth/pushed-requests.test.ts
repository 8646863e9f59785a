/** Pushed authorization requests (RFC 9126) that go wrong: a fault of the server, of which the browser learns nothing. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { checkCookies, oauthAt, oidcAt, openSite, type Site } from "../../../support/core-flow.js"
import { clientSecret, type FaultyProvider } from "../../../../src/testing/faulty-provider.js"
import { customFetch } from "../../../../src/core/symbols.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const pushed = () => Response.json({ request_uri: "urn:x", expires_in: 60 }, { status: 201 })

/** A site whose provider answers to pushed requests with `answer`. */
function openPushing(
  answer: (body: URLSearchParams) => Response | Promise<Response>,
  provider: (idp: FaultyProvider, given: object) => OAuthConfig = oidcAt,
  given = {},
): Site {
  const site = openSite((idp) => provider(idp, { pushedAuthorization: true, [customFetch]: answering(idp, answer) }), {
    timeouts: { provider: 0.2 },
    ...given,
  })
  site.idp.faults = {
    discovery: (document) => ({ ...document, pushed_authorization_request_endpoint: `${site.idp.issuer}/par` }),
  }
  return site
}

function answering(
  { fetch: send, issuer }: FaultyProvider,
  answer: (body: URLSearchParams) => Response | Promise<Response>,
): typeof fetch {
  return async (input, init) =>
    input === `${issuer}/par` ? answer(new URLSearchParams(await new Response(init?.body).text())) : send(input, init)
}

describe("a pushed authorization request", () => {
  it("has all that the address would have", async () => {
    const bodies: URLSearchParams[] = []
    const { browser } = openPushing((body) => (bodies.push(body), pushed()))

    const url = await browser.start("idp", {}, "?login_hint=ada&redirect_uri=https://evil.example")

    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: expect.any(String), request_uri: "urn:x" })
    expect(Object.fromEntries(bodies[0] ?? [])).toMatchObject({
      response_type: "code",
      redirect_uri: "https://app.example/auth/callback/idp",
      scope: "openid profile email",
      login_hint: "ada",
      state: expect.stringMatching(/^ey/),
      nonce: expect.any(String),
      code_challenge_method: "S256",
    })
  })

  it("of OAuth 2 with own endpoints finds its endpoint in the issuer's document", async () => {
    const { browser, idp } = openPushing(pushed, (idp, given) => oauthAt(idp, { issuer: idp.issuer, ...given }))

    expect((await browser.start("idp")).searchParams.get("request_uri")).toBe("urn:x")
    expect(idp.count("discovery")).toBe(1)
  })

  it("of this client alone is asked for by its metadata", async () => {
    const { browser } = openPushing(pushed, (idp, given) =>
      oidcAt(idp, { ...given, pushedAuthorization: false, client: { require_pushed_authorization_requests: true } }),
    )

    expect((await browser.start("idp")).searchParams.get("request_uri")).toBe("urn:x")
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ["refused", () => Response.json({ error: "invalid_request", error_description: "<b>no</b>" }, { status: 400 })],
    ["refused in its own words", () => Response.json({ error: `no ${clientSecret}` }, { status: 400 })],
    ["answered with 500", () => new Response("<b>oops</b>", { status: 500 })],
    ["answered with 200", () => Response.json({ request_uri: "urn:x", expires_in: 60 })],
    ["answered without a reference", () => Response.json({ expires_in: 60 }, { status: 201 })],
    [
      "answered with a reference that is none",
      () => Response.json({ request_uri: 7, expires_in: 60 }, { status: 201 }),
    ],
    ["answered elsewhere", () => new Response(null, { status: 302, headers: { location: "https://evil.example" } })],
    ["answered with no JSON", () => new Response("<b>hello</b>", { status: 201 })],
    ["not answered", () => new Promise(() => undefined)],
    ["out of reach", () => Promise.reject(new TypeError("fetch failed"))],
  ])("that is %s ends at the error page, with nothing left behind", async (_, answer) => {
    const { browser, log, idp } = openPushing(answer)

    const response = await browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(checkCookies(browser)).toEqual([])
    expect(log.errors).toHaveLength(1)
    expect(log.errors[0]?.message).toContain('Signing in with "idp" could not be started')
    for (const secret of idp.secrets) expect(log.text()).not.toContain(secret)
  })
})
