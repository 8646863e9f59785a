import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions, EventCallbacks } from "../../../../src/core/index.js"
import { freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { locationOf, openBrowser, testPorts } from "../../../support/core-browser.js"
import { oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { accessToken, clientId, refreshToken } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function spies() {
  const allow = jest.fn<NonNullable<CallbacksOptions["signIn"]>>(() => true)
  const jwt = jest.fn<NonNullable<CallbacksOptions["jwt"]>>(({ token }) => token)
  const announced = jest.fn<NonNullable<EventCallbacks["signIn"]>>()
  return { allow, jwt, announced, config: { callbacks: { signIn: allow, jwt }, events: { signIn: announced } } }
}

describe("an OpenID Connect sign-in", () => {
  it("ends where it was to lead, with a session", async () => {
    const site = openSite()

    const response = await signIn(site, { callbackUrl: "/account" })

    expect({ status: response.status, to: locationOf(response) }).toEqual({
      status: 302,
      to: "https://app.example/account",
    })
    expect(await site.browser.session()).toEqual({
      user: { name: "Ada Lovelace", email: "ada@example.com", image: "https://idp.example/ada.png" },
      expires: "2026-03-31T12:00:00.000Z",
    })
    expect(site.log.errors).toEqual([])
  })

  it("takes the profile from the ID token, without a call to userinfo", async () => {
    const site = openSite()

    await signIn(site)

    expect(site.idp.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery", "token", "jwks"])
  })

  it("gives the signIn callback, the jwt callback and the signIn event what the contract says", async () => {
    const { allow, jwt, announced, config } = spies()
    const site = openSite(oidcAt, config)

    await signIn(site)

    const [{ user, account, profile } = { user: {} }] = allow.mock.calls[0] ?? []
    expect(user).toEqual({
      id: expect.stringMatching(uuid),
      name: "Ada Lovelace",
      email: "ada@example.com",
      image: "https://idp.example/ada.png",
    })
    expect(account).toEqual({
      access_token: accessToken,
      refresh_token: refreshToken,
      id_token: expect.any(String),
      token_type: "bearer",
      scope: "openid profile email",
      expires_in: 3600,
      expires_at: nowInSeconds() + 3600,
      provider: "idp",
      type: "oidc",
      providerAccountId: "ada",
    })
    expect(profile).toEqual({
      iss: "https://idp.example",
      aud: clientId,
      iat: nowInSeconds(),
      exp: nowInSeconds() + 300,
      nonce: expect.any(String),
      sub: "ada",
      name: "Ada Lovelace",
      email: "Ada@Example.com",
      picture: "https://idp.example/ada.png",
    })
    expect(allow.mock.calls).toEqual([[{ user, account, profile }]])
    const token = { name: user.name, email: user.email, picture: user.image, sub: user.id }
    expect(jwt.mock.calls).toEqual([[{ token, user, account, profile, trigger: "signIn" }]])
    expect(announced.mock.calls).toEqual([[{ user, account, profile }]])
  })
})

describe("the return from a provider", () => {
  it("by POST is read from the query, unless the provider posts its answers", async () => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "/account" }))

    const response = await browser.post(callback.href, { code: "another", state: "another" })

    expect(locationOf(response)).toBe("https://app.example/account")
    expect(idp.last("token").body.get("code")).toBe(callback.searchParams.get("code"))
  })

  it("needs no session and no cookie but those of the flow", async () => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    browser.jar.forget(/csrf|callback-url/)

    await browser.get(callback.href)

    expect(await browser.session()).not.toBeNull()
  })

  it("works after the secret has changed, as long as the old one is listed", async () => {
    const { browser, idp, config } = openSite(oidcAt, { secret: "the old secret" })
    const callback = idp.approve(await browser.start("idp"))
    const rotated = openBrowser(
      { ...config, secret: ["the new secret", "the old secret"] },
      testPorts({ fetch: idp.fetch }),
    )
    for (const name of browser.jar.names()) rotated.jar.set(name, browser.jar.get(name) ?? "")

    await rotated.get(callback.href)

    expect(await rotated.session()).not.toBeNull()
  })

  it("starts another session, whoever was signed in before", async () => {
    const site = openSite()
    await signIn(site)
    site.idp.person = { sub: "grace", name: "Grace Hopper" }

    await signIn(site)

    expect(await site.browser.session()).toMatchObject({ user: { name: "Grace Hopper" } })
  })
})

describe("an OAuth 2 sign-in", () => {
  it("takes the profile from userinfo, with the access token in the header", async () => {
    const site = openSite(oauthAt)

    await signIn(site)

    expect(site.idp.requests.map(({ endpoint }) => endpoint)).toEqual(["token", "userinfo"])
    const { headers, method, url } = site.idp.last("userinfo")
    expect({ method, search: url.search, authorization: headers.get("authorization") }).toEqual({
      method: "GET",
      search: "",
      authorization: `Bearer ${accessToken}`,
    })
    expect(await site.browser.session()).toMatchObject({ user: { name: "Ada Lovelace", email: "ada@example.com" } })
  })

  it("asks userinfo.request, with the tokens and the provider, when there is one", async () => {
    const request = jest.fn((_context: unknown) => ({ id: 7, name: "Ada by request" }))
    const site = openSite((idp) => oauthAt(idp, { userinfo: { request } }))

    await signIn(site)

    expect(request.mock.calls).toEqual([
      [
        {
          tokens: expect.objectContaining({ access_token: accessToken, expires_at: nowInSeconds() + 3600 }),
          provider: expect.objectContaining({ id: "idp", clientId, token: expect.anything() }),
        },
      ],
    ])
    expect(site.idp.count("userinfo")).toBe(0)
    expect(await site.browser.session()).toMatchObject({ user: { name: "Ada by request" } })
  })
})
