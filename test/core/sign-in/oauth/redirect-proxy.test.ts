/** A stable deployment that providers return to, on behalf of previews whose addresses nobody can register. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { AuthConfig } from "../../../../src/core/index.js"
import { encode } from "../../../../src/core/jwt.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"
import { configOf, errorOf, locationOf, openBrowser, secret, testPorts } from "../../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt } from "../../../support/core-flow.js"
import { FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const proxyUrl = "https://stable.example/auth"

function openDeployments(
  provider: (idp: FaultyProvider) => OAuthConfig = oidcAt,
  given: Partial<AuthConfig> = { redirectProxyUrl: proxyUrl },
) {
  const idp = new FaultyProvider()
  const at = (origin: string) =>
    openBrowser(configOf({ providers: [provider(idp)], ...given }), testPorts({ fetch: idp.fetch }), origin)
  return { idp, preview: at("https://preview-1.example"), stable: at("https://stable.example") }
}

describe("a preview behind a redirect proxy", () => {
  it.each([
    ["oidc", oidcAt],
    ["oauth", oauthAt],
  ] as const)("is signed in to by the way of the proxy: %s", async (_, provider) => {
    const { idp, preview, stable } = openDeployments(provider)

    const authorizationUrl = await preview.start("idp", { callbackUrl: "/account" })
    const atProxy = idp.approve(authorizationUrl)
    const hop = await stable.get(atProxy.href)
    const response = await preview.get(locationOf(hop))

    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe("https://stable.example/auth/callback/idp")
    expect([hop.status, locationOf(hop)]).toEqual([
      302,
      `https://preview-1.example/auth/callback/idp?${atProxy.searchParams}`,
    ])
    expect(idp.last("token").body.get("redirect_uri")).toBe("https://stable.example/auth/callback/idp")
    expect(locationOf(response)).toBe("https://preview-1.example/account")
    expect(await preview.session()).not.toBeNull()
    expect(await stable.session()).toBeNull()
  })

  it("gets the provider's refusal, too", async () => {
    const { idp, preview, stable } = openDeployments()

    const hop = await stable.get(idp.refuse(await preview.start("idp")).href)

    expect(errorOf(await preview.get(locationOf(hop)))).toBe("302 /auth/signin?error=OAuthCallbackError")
  })

  it("may have a proxy of one provider alone", async () => {
    const { preview } = openDeployments((idp) => oidcAt(idp, { redirectProxyUrl: `${proxyUrl}/` }), {})

    expect((await preview.start("idp")).searchParams.get("redirect_uri")).toBe(
      "https://stable.example/auth/callback/idp",
    )
  })

  it("has none for providers that post", async () => {
    const { preview } = openDeployments((idp) =>
      oidcAt(idp, { authorization: { params: { response_mode: "form_post" } } }),
    )

    expect((await preview.start("idp")).searchParams.get("redirect_uri")).toBe(
      "https://preview-1.example/auth/callback/idp",
    )
  })
})

describe("A-057: the proxy itself", () => {
  it("signs in for itself as well", async () => {
    const { idp, stable } = openDeployments()

    await stable.get(idp.approve(await stable.start("idp")).href)

    expect(await stable.session()).not.toBeNull()
  })

  it.each([
    ["of somebody's making", () => "x"],
    ["missing", () => ""],
    [
      "with another secret",
      () => encode({ secret: "other", salt: "encodedState", token: { origin: "https://evil.example/x" } }),
    ],
    [
      "sealed for another purpose",
      () => encode({ secret, salt: "authjs.session-token", token: { origin: "https://evil.example/x" } }),
    ],
  ])("does not pass on an answer whose state is %s", async (_, state) => {
    const { stable } = openDeployments()

    const response = await stable.get(`callback/idp?code=abc&state=${await state()}`)

    expect(locationOf(response)).toBe("https://stable.example/auth/error?error=Configuration")
  })

  it("does not pass on an answer whose state has expired", async () => {
    const { idp, preview, stable } = openDeployments()
    const callback = idp.approve(await preview.start("idp"))
    advanceClock(900 + 16)

    await expectRefused(stable, await stable.get(callback.href), ["Configuration"])
  })

  it.each(["javascript:alert(1)", "data:text/html,x", "no address", "//evil.example"])(
    "passes on to no other scheme, although the state is ours: %s",
    async (origin) => {
      const { stable } = openDeployments()
      const state = await encode({ secret, salt: "encodedState", token: { origin, random: "r", provider: "idp" } })

      const response = await stable.get(`callback/idp?code=abc&state=${state}`)

      expect(locationOf(response)).toMatch(/^https:\/\/(?:stable|idp)\.example\//)
    },
  )

  it.each([
    ["a host that is none of trustHost", "https://evil.example/auth/callback/idp"],
    ["a host whose name only begins alike", "https://preview-1.example.evil.example/auth/callback/idp"],
    ["a user's name before the host", "https://preview-1.example@evil.example/auth/callback/idp"],
  ])("passes on to no deployment that is not listed, where they are: %s", async (_, origin) => {
    const trustHost = ["stable.example", "preview-1.example"]
    const { stable } = openDeployments(oidcAt, { redirectProxyUrl: proxyUrl, trustHost })
    const state = await encode({ secret, salt: "encodedState", token: { origin, provider: "idp" } })

    const response = await stable.get(`callback/idp?code=abc&state=${state}`)

    await expectRefused(stable, response, ["Configuration"])
  })

  it("passes on to the address in the state, whatever else the answer says", async () => {
    const { idp, preview, stable } = openDeployments()
    const callback = idp.approve(await preview.start("idp"))
    callback.searchParams.set("callbackUrl", "https://evil.example")
    callback.searchParams.set("origin", "https://evil.example")

    const to = new URL(locationOf(await stable.get(callback.href)))
    await preview.get(to.href)

    // The contract has every parameter passed on. What is none of an answer is not looked at there.
    expect(to.origin + to.pathname).toBe("https://preview-1.example/auth/callback/idp")
    expect(await preview.session()).not.toBeNull()
  })

  it("passes on nothing that is posted", async () => {
    const { idp, preview, stable } = openDeployments()
    const callback = idp.approve(await preview.start("idp"))

    await expectRefused(stable, await stable.post(callback.href, Object.fromEntries(callback.searchParams)))
  })

  it("keeps no cookie of the preview's flow", async () => {
    const { idp, preview, stable } = openDeployments()

    await stable.get(idp.approve(await preview.start("idp")).href)

    expect(stable.jar.names().filter((name) => name.includes("state"))).toEqual([])
  })
})

describe("a redirectProxyUrl that is no address", () => {
  it("is a configuration error", async () => {
    const { stable } = openDeployments(oidcAt, { redirectProxyUrl: "stable" })

    expect((await stable.get("providers")).status).toBe(500)
  })

  it("is one in a provider, too", async () => {
    const { stable } = openDeployments((idp) => oidcAt(idp, { redirectProxyUrl: "stable" }), {})

    await expectRefused(stable, await stable.submit("signin/idp"), ["Configuration"])
  })
})
