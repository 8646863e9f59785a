/** Options of the protocol against a certified provider: what it accepts of us, and what it refuses without them. */
import { afterEach, describe, expect, it } from "@jest/globals"
import type { CryptoKey } from "jose"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { errorOf } from "../support/core-browser.js"
import { clientSecret, type CertifiedProviderOptions } from "./support/certified-provider.js"
import {
  closeSites,
  ecKeys,
  expectSignedIn,
  openCertified,
  publicJwk,
  signIn,
  type Site,
} from "./support/certified-site.js"

afterEach(closeSites)

describe("pushed authorization requests (RFC 9126)", () => {
  const features = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: false } }
  const required = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } }

  it("leave nothing in the address but a reference", async () => {
    const site = await openCertified({ clientSecret, pushedAuthorization: true }, { features })

    const url = await signIn(site)

    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"])
    expect(site.idp.seen("/request")).toHaveLength(1)
    await expectSignedIn(site)
  })

  it("are used where the provider requires them", async () => {
    const site = await openCertified({ clientSecret }, { features: required })

    await signIn(site)

    expect(site.idp.seen("/request")).toHaveLength(1)
    await expectSignedIn(site)
  })

  it("are not used where nobody asks for them", async () => {
    const site = await openCertified({ clientSecret }, { features })

    await signIn(site)

    expect(site.idp.seen("/request")).toHaveLength(0)
  })

  it("that are refused are a fault of the server, which the address does not tell", async () => {
    const site = await openCertified(
      { clientSecret: "not the secret of this client", pushedAuthorization: true },
      { features },
    )

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("the provider refused")
    expect(site.log.text()).not.toContain("not the secret")
    expect(site.browser.jar.names().filter((name) => /state|pkce|nonce/.test(name))).toEqual([])
  })

  it("cannot be had where the provider has no endpoint for them", async () => {
    const off = { pushedAuthorizationRequests: { enabled: false } }
    const site = await openCertified({ clientSecret, pushedAuthorization: true }, { features: off })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("pushed_authorization_request_endpoint")
  })
})

describe("signed authorization requests (RFC 9101)", () => {
  const features = { requestObjects: { enabled: true, requireSignedRequestObject: true } }

  async function openSigned(
    more: Partial<OIDCConfig> = {},
    signer?: CryptoKey,
    extra: CertifiedProviderOptions["features"] = {},
  ): Promise<Site> {
    const { privateKey, publicKey } = await ecKeys()
    return openCertified(
      { clientSecret, requestObject: { key: signer ?? privateKey, kid: "k1" }, ...more },
      {
        features: { ...features, ...extra },
        client: { request_object_signing_alg: "ES256", jwks: { keys: [await publicJwk(publicKey, "k1")] } },
      },
    )
  }

  it("have everything in one signed parameter", async () => {
    const site = await openSigned()

    const url = await signIn(site)

    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request"])
    await expectSignedIn(site)
  })

  it("can be pushed", async () => {
    const site = await openSigned({ pushedAuthorization: true })

    const url = await signIn(site)

    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"])
    expect(site.idp.seen("/request")).toHaveLength(1)
    await expectSignedIn(site)
  })

  it("with another key are refused", async () => {
    const site = await openSigned({}, (await ecKeys()).privateKey)

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.log.text()).toContain("invalid_request_object")
  })

  it("are demanded of a client that does not sign, and it says so", async () => {
    const site = await openSigned({ requestObject: undefined })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("set requestObject")
  })
})

describe("DPoP (RFC 9449)", () => {
  const keyPair = () => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
  const client = { dpop_bound_access_tokens: true }
  const demandsNonce = {
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
  }

  it.each([
    ["is bound to the key", {}],
    ["is bound to the key, also where the provider wants its own nonce in the proof", demandsNonce],
  ])("a token %s", async (_, features) => {
    const site = await openCertified({ clientSecret, dpop: keyPair(), idToken: false }, { features, client })

    const url = await signIn(site)

    expect(url.searchParams.get("dpop_jkt")).toMatch(/^[\w-]{43}$/)
    await expectSignedIn(site)
    expect(site.account()).toMatchObject({ token_type: "dpop" })
    expect(site.idp.seen("/me").at(-1)?.headers.authorization).toMatch(/^DPoP /)
  })

  it("remembers the provider's nonce: the next sign-in needs no second try", async () => {
    const site = await openCertified(
      { clientSecret, dpop: keyPair(), idToken: false },
      { features: demandsNonce, client },
    )
    await signIn(site)
    const before = site.idp.seen("/token").length

    await signIn(site)

    expect(before).toBe(2)
    expect(site.idp.seen("/token").length).toBe(3)
  })

  it("binds a pushed request, too", async () => {
    const site = await openCertified(
      { clientSecret, dpop: await keyPair(), pushedAuthorization: true },
      { features: demandsNonce, client },
    )

    await signIn(site)

    expect(site.idp.seen("/request").at(-1)?.headers["dpop"]).toMatch(/^ey/)
    await expectSignedIn(site)
  })

  it("is demanded of a client without a key, which signs nobody in", async () => {
    const site = await openCertified({ clientSecret }, { client })

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
  })

  it("is refused when the provider binds nothing", async () => {
    const features = { dPoP: { enabled: false } }
    const site = await openCertified({ clientSecret, dpop: keyPair() }, { features })

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.log.text()).toContain("has not bound the token")
  })

  it("with a key that cannot be had is an error when it is used", async () => {
    const site = await openCertified({
      clientSecret,
      dpop: keyPair().then(() => Promise.reject(new Error("no vault"))),
    })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("no vault")
  })
})
