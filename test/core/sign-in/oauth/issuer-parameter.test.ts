/** The `iss` parameter of the authorization response (RFC 9207). */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import type { Faults, FaultyProvider } from "../../../../src/testing/faulty-provider.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const kinds: readonly (readonly [kind: string, provider: (idp: FaultyProvider) => OAuthConfig])[] = [
  ["oidc", oidcAt],
  ["oidc with own endpoints", (idp) => oidcAt(idp, { token: `${idp.issuer}/token` })],
  ["oauth with an issuer", (idp) => oauthAt(idp, { issuer: idp.issuer })],
]

const issuer = "https://idp.example"
const answering = (...values: readonly string[]): Faults => ({
  answer: (answer) => values.forEach((value) => answer.append("iss", value)),
})
const advertised: Faults = {
  discovery: (document) => ({ ...document, authorization_response_iss_parameter_supported: true }),
}

describe.each(kinds)("A-050: the issuer in an answer, for %s", (_, provider) => {
  it.each([
    ["another one", ["https://evil.example"]],
    ["one with a trailing slash", [`${issuer}/`]],
    ["one in capitals", ["https://IDP.EXAMPLE"]],
    ["one with a port", [`${issuer}:443`]],
    ["the right one and another", [issuer, "https://evil.example"]],
    ["another and the right one", ["https://evil.example", issuer]],
    ["the right one twice", [issuer, issuer]],
  ])("is refused, before any token request: %s", async (_name, values) => {
    const site = openSite(provider)
    site.idp.faults = answering(...values)

    await expectRefused(site.browser, await signIn(site))
    expect(site.idp.count("token")).toBe(0)
  })

  it.each([
    ["the right one", [issuer]],
    ["none", []],
    ["an empty one", [""]],
  ])("is accepted: %s", async (_name, values) => {
    const site = openSite(provider)
    site.idp.faults = answering(...values)

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })

  it("counts for an answer that is an error, too", async () => {
    const site = openSite(provider)
    site.idp.faults = answering("https://evil.example")

    await expectRefused(site.browser, await site.browser.get(site.idp.refuse(await site.browser.start("idp")).href), [
      "Configuration",
    ])
  })
})

describe("A-050: an issuer that says it will name itself", () => {
  it.each<[string, Faults]>([
    ["and does not (remove-authorization-response-iss)", advertised],
    ["and gives an empty name", { ...advertised, ...answering("") }],
    ["and names another (invalid-authorization-response-iss)", { ...advertised, ...answering("https://evil.example") }],
  ])("%s is refused", async (_, faults) => {
    const site = openSite()
    site.idp.faults = faults

    await expectRefused(site.browser, await signIn(site))
    expect(site.idp.count("token")).toBe(0)
  })

  it("and does is accepted", async () => {
    const site = openSite()
    site.idp.faults = { ...advertised, ...answering(issuer) }

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
  })
})

describe("A-050: a provider whose issuer nobody knows", () => {
  it.each(["https://idp.example", "https://authjs.dev", "anything"])(
    "may name itself, and nothing is compared: %s",
    async (value) => {
      const site = openSite(oauthAt)
      site.idp.faults = answering(value)

      await signIn(site)

      expect(await site.browser.session()).not.toBeNull()
    },
  )
})
