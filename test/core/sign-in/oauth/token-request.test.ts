/** `token.request`: the code is exchanged in the provider's own way, and what comes of it is trusted no more for that. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { accessToken, clientId, clientSecret, type FaultyProvider } from "../../../../src/testing/faulty-provider.js"
import type { CallbacksOptions } from "../../../../src/core/index.js"
import type { TokenSet } from "../../../../src/core/types.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

interface Context {
  readonly params: Readonly<Record<string, string>>
  readonly checks: Readonly<Record<string, string | undefined>>
  readonly provider: OAuthConfig & { readonly callbackUrl: string }
}

type Request = (context: Context) => Promise<{ tokens: TokenSet }> | { tokens: TokenSet }

const callbackUrl = "https://app.example/auth/callback/idp"

/** Asks the provider's token endpoint, as JSON APIs of vendors are asked. */
function exchangeAt(idp: FaultyProvider, change: (tokens: TokenSet) => unknown = (tokens) => tokens): Request {
  return async ({ params, checks, provider }) => {
    const response = await idp.fetch(`${idp.issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({
        code: params["code"] ?? "",
        redirect_uri: provider.callbackUrl,
        code_verifier: checks["code_verifier"] ?? "",
      }),
    })
    return { tokens: change((await response.json()) as TokenSet) as TokenSet }
  }
}

function openOAuth(request: (idp: FaultyProvider) => Request, given = {}) {
  const allow = jest.fn<NonNullable<CallbacksOptions["signIn"]>>(() => true)
  const site = openSite((idp) => oauthAt(idp, { token: { url: `${idp.issuer}/token`, request: request(idp) } }), {
    callbacks: { signIn: allow },
    ...given,
  })
  return { ...site, allow, accountOf: () => allow.mock.calls[0]?.[0].account }
}

function openOidc(change?: (tokens: TokenSet) => unknown) {
  return openSite((idp) => oidcAt(idp, { token: { request: exchangeAt(idp, change) } }))
}

describe("token.request", () => {
  it("gets the answer's parameters, the checks and the provider", async () => {
    const request = jest.fn<Request>(() => ({ tokens: { access_token: accessToken } }))
    const site = openOAuth(() => request)

    await signIn(site)

    expect(request).toHaveBeenCalledTimes(1)
    expect(request.mock.calls[0]?.[0]).toMatchObject({
      params: { code: expect.stringMatching(/^code-/), state: expect.any(String), redirect_uri: callbackUrl },
      checks: { code_verifier: expect.stringMatching(/^[\w-]{43}$/), state: expect.any(String) },
      provider: { id: "idp", clientId, clientSecret, callbackUrl },
    })
    expect(site.idp.count("token")).toBe(0)
    expect(await site.browser.session()).not.toBeNull()
  })

  it("gives tokens of the standard form, though it returns less", async () => {
    const site = openOAuth(() => () => ({ tokens: { access_token: accessToken, expires_in: 60, extra: "x" } }))

    await signIn(site)

    expect(site.accountOf()).toMatchObject({
      access_token: accessToken,
      token_type: "bearer",
      expires_at: nowInSeconds() + 60,
      extra: "x",
    })
  })

  it.each([
    ["in capitals", { token_type: "BEARER" }, { token_type: "bearer" }],
    ["with the moment of its end", { expires_at: 2_000_000_000 }, { expires_at: 2_000_000_000 }],
    ["with a number as a text", { expires_in: "60" }, { expires_in: 60 }],
    ["with a moment that is none", { expires_at: "soon" }, { expires_at: undefined }],
  ])("may return a token %s", async (_, more, expected) => {
    const site = openOAuth(() => () => ({ tokens: { access_token: accessToken, ...more } as TokenSet }))

    await signIn(site)

    expect(site.accountOf()).toMatchObject(expected)
  })

  it.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["no tokens", () => ({})],
    ["null for tokens", () => ({ tokens: null })],
    ["an error", () => ({ tokens: { error: "invalid_grant" } })],
    ["an empty access token", () => ({ tokens: { access_token: "" } })],
    ["an access token that is no text", () => ({ tokens: { access_token: 7 } })],
    ["a token that is no bearer token", () => ({ tokens: { access_token: accessToken, token_type: "mac" } })],
    ["an end that is none", () => ({ tokens: { access_token: accessToken, expires_in: "soon" } })],
  ])("is refused when it returns %s", async (_, returned) => {
    const site = openOAuth(() => returned as Request)

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
  })

  it("that throws is a failed sign-in, and the log says why", async () => {
    const site = openOAuth(() => () => Promise.reject(new Error("the vendor is closed")))

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.log.text()).toContain("the vendor is closed")
  })

  it("has no more time than a request to the provider has", async () => {
    const site = openOAuth(() => () => new Promise(() => undefined), { timeouts: { provider: 0.05 } })

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.log.text()).toContain("no answer within 0.05 s")
  })

  it("is not called for an answer that does not belong to the flow", async () => {
    const request = jest.fn<Request>()
    const site = openOAuth(() => request)
    site.idp.faults = { answer: (answer) => answer.set("state", "other") }

    await expectRefused(site.browser, await signIn(site))
    expect(request).not.toHaveBeenCalled()
  })

  it("is not called for an answer of another issuer (RFC 9207)", async () => {
    const request = jest.fn<Request>()
    const site = openSite((idp) => oidcAt(idp, { token: { request } }))
    site.idp.faults = { answer: (answer) => answer.set("iss", "https://evil.example") }

    await expectRefused(site.browser, await signIn(site))
    expect(request).not.toHaveBeenCalled()
  })
})

describe("an ID token that token.request returns", () => {
  it("is accepted when it holds", async () => {
    const site = openOidc()

    await signIn(site)

    expect(await site.browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
  })

  it.each<[string, FaultyProvider["faults"]]>([
    ["a broken signature", { sign: "broken" }],
    ["somebody else's signature", { sign: "foreign" }],
    ["no signature", { sign: "none" }],
    ["another nonce", { claims: (claims) => ({ ...claims, nonce: "other" }) }],
    ["no nonce", { claims: (claims) => ({ ...claims, nonce: undefined }) }],
    ["another audience", { claims: (claims) => ({ ...claims, aud: "other" }) }],
    ["another issuer", { claims: (claims) => ({ ...claims, iss: "https://evil.example" }) }],
    ["no time left", { claims: (claims) => ({ ...claims, exp: nowInSeconds() - 100 }) }],
  ])("is refused with %s", async (_, faults) => {
    const site = openOidc()
    site.idp.faults = faults

    await expectRefused(site.browser, await signIn(site))
  })

  it("is refused when it is missing", async () => {
    const site = openOidc((tokens) => ({ ...tokens, id_token: undefined }))

    await expectRefused(site.browser, await signIn(site))
  })

  it("is not looked at where there are no keys to verify it", async () => {
    const site = openOAuth(() => () => ({ tokens: { access_token: accessToken, id_token: "a.b.c" } }))

    await signIn(site)

    expect(site.accountOf()).toBeDefined()
    expect(site.accountOf()).not.toHaveProperty("id_token")
  })

  it("costs no request for keys that are known", async () => {
    const site = openOidc()
    await signIn(site)
    await signIn({ ...site, browser: site.another() })

    expect(site.idp.count("discovery")).toBe(1)
  })
})
