/** By what the tokens of a provider are verified, and what a log says where they are not. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { compiledFor } from "../../../src/core/auth.js"
import { messageChain } from "../../../src/core/thrown.js"
import { readLogoutToken } from "../../../src/core/sign-out/logout-token.js"
import { clientId, type Faults } from "../../../src/testing/faulty-provider.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { expectRefused, oidcAt, openSite, signIn, type Site } from "../../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function logged({ log }: Site): string {
  return log.errors.map((error) => messageChain(error)).join("\n")
}

describe("a provider that signs with a client secret which is missing", () => {
  const openWithout = (clientSecret: string | undefined) => {
    const site = openSite((idp) =>
      oidcAt(idp, {
        clientSecret,
        client: { id_token_signed_response_alg: "HS256", token_endpoint_auth_method: "none" },
      }),
    )
    site.idp.faults = { sign: "HS256" }
    return site
  }

  it.each([undefined, ""])("is a wrong configuration for ID tokens: %j", async (clientSecret) => {
    const site = openWithout(clientSecret)

    await expectRefused(site.browser, await signIn(site))

    expect(logged(site)).toContain('The provider "idp" has no clientSecret')
  })

  it("is a wrong configuration for logout tokens", async () => {
    const { config, idp } = openWithout(undefined)
    const compiled = compiledFor(config)
    const provider = compiled.kind === "engine" ? compiled.engine.providers.get("idp") : undefined
    if (compiled.kind !== "engine" || provider?.type !== "oidc") throw new Error("expected an engine with a provider")

    const reading = readLogoutToken(compiled.engine, provider, await idp.logoutToken())

    await expect(reading).rejects.toMatchObject({ type: "InvalidConfiguration" })
  })
})

describe("an ID token that does not hold", () => {
  const jwksUri = (jwks_uri: string): Faults => ({ discovery: (metadata) => ({ ...metadata, jwks_uri }) })

  it.each<[string, Faults, string]>([
    ["a broken signature", { sign: "broken" }, "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"],
    ["an unknown key", { header: (header) => ({ ...header, kid: "k9" }) }, 'the issuer has no key of its "kid"'],
    ["several keys", { jwks: ([first]) => [first, first] }, 'several keys of the issuer have its "kid"'],
    ["keys over plain http", jwksUri("http://idp.example/jwks"), "publishes its keys over plain http"],
    ["keys at a file", jwksUri("file:///etc/passwd"), "at an address that is not https"],
    ["keys in the document", jwksUri("data:application/json,{}"), "at an address that is not https"],
    ["keys nowhere", jwksUri("nowhere"), 'publishes no keys ("jwks_uri")'],
  ])("is told why: %s", async (_, faults, message) => {
    const site = openSite()
    site.idp.faults = faults

    await expectRefused(site.browser, await signIn(site))

    expect(logged(site)).toContain(message)
  })
})

describe("a userinfo response that is a JWT", () => {
  const open = (alg: string | undefined, sign: "RS256" | "none" | "foreign", claims = {}) => {
    const client = alg === undefined ? {} : { userinfo_signed_response_alg: alg }
    const site = openSite((idp) => oidcAt(idp, { idToken: false, client }))
    site.idp.faults = {
      discovery: (metadata) => ({ ...metadata, userinfo_signing_alg_values_supported: ["RS256", "none"] }),
      userinfo: async () => {
        site.idp.faults = { ...site.idp.faults, sign }
        const jwt = await site.idp.sign({ sub: "ada", aud: [clientId], ...claims })
        return new Response(jwt, { headers: { "content-type": "Application/JWT; charset=utf-8" } })
      },
    }
    return site
  }

  it("is verified by the issuer's keys, asked for once", async () => {
    const site = open("RS256", "RS256")

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
    expect(site.idp.count("jwks")).toBe(1)
  })

  it.each<[string, Parameters<typeof open>, string]>([
    ["not configured, although the issuer offers it", [undefined, "RS256"], "must not answer with application/jwt"],
    ["not configured, and of somebody else's key", [undefined, "foreign"], "must not answer with application/jwt"],
    ["unsigned", ["none", "none"], "ERR_JOSE"],
    ["of somebody else's key", ["RS256", "foreign"], "ERR_J"],
    ["signed by another algorithm", ["ES256", "RS256"], "ERR_JOSE_ALG_NOT_ALLOWED"],
    ["over", ["RS256", "RS256", { exp: 1 }], 'ERR_JWT_EXPIRED "exp"'],
    ["of another issuer", ["RS256", "RS256", { iss: "https://evil.example" }], '("iss")'],
    ["for another client", ["RS256", "RS256", { aud: "other" }], '("aud")'],
    ["about another person", ["RS256", "RS256", { sub: "eve" }], '("sub")'],
  ])("is refused: %s", async (_, given, message) => {
    const site = open(...given)

    await expectRefused(site.browser, await signIn(site))

    expect(logged(site)).toContain(message)
  })
})
