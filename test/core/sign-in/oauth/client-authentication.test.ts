import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals"
import { exportJWK, generateKeyPair, jwtVerify, type CryptoKey } from "jose"
import { freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { expectRefused, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { clientId, clientSecret } from "../../../../src/testing/faulty-provider.js"
import type { OIDCConfig } from "../../../../src/providers/kinds.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** The token request of a sign-in. */
async function tokenRequest(given: Partial<OIDCConfig>) {
  const site = openSite((idp) => oidcAt(idp, given))
  await signIn(site)
  expect(await site.browser.session()).not.toBeNull()
  const { headers, body, method, url } = site.idp.last("token")
  return { headers, body, method, url, authorization: headers.get("authorization") }
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`

describe("the token request", () => {
  it("is a form, for JSON, with the code, the verifier and the same redirect URI", async () => {
    const { method, headers, body } = await tokenRequest({})

    expect(method).toBe("POST")
    expect(headers.get("accept")).toBe("application/json")
    expect(headers.get("content-type")).toMatch(/^application\/x-www-form-urlencoded;charset=UTF-8$/i)
    expect([...body.keys()]).toEqual(["redirect_uri", "code", "code_verifier", "grant_type"])
    expect(Object.fromEntries(body)).toEqual({
      redirect_uri: "https://app.example/auth/callback/idp",
      code: expect.stringMatching(/^code-/),
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      grant_type: "authorization_code",
    })
  })

  it("has no verifier without pkce", async () => {
    const { body } = await tokenRequest({ checks: ["state"] })

    expect(body.has("code_verifier")).toBe(false)
  })

  it("keeps the query of the token endpoint", async () => {
    const site = openSite((idp) =>
      oauthAt(idp, { token: { url: `${idp.issuer}/token?v=1`, params: { tenant: "acme" } } }),
    )

    await signIn(site)

    expect(site.idp.last("token").url.search).toBe("?v=1&tenant=acme")
  })

  it.each(["oidc", "oauth"] as const)("adds its parameters to an endpoint that is discovered: %s", async (type) => {
    const site = openSite((idp) => ({
      ...oidcAt(idp, { idToken: false, token: { params: { v: 2 } }, userinfo: { params: { fields: "id,name" } } }),
      type,
    }))

    await signIn(site)

    expect(site.idp.last("token").url.href).toBe("https://idp.example/token?v=2")
    expect(site.idp.last("userinfo").url.href).toBe("https://idp.example/userinfo?fields=id%2Cname")
    expect(await site.browser.session()).not.toBeNull()
  })

  it("does not follow redirects, nor does any other request", async () => {
    const site = openSite((idp) => oidcAt(idp, { idToken: false }))
    await signIn(site)

    expect(site.idp.requests.map(({ endpoint, redirect }) => [endpoint, redirect])).toEqual([
      ["discovery", "manual"],
      ["token", "manual"],
      ["jwks", "manual"],
      ["userinfo", "manual"],
    ])
  })

  it.each([
    ["oidc", oidcAt],
    ["oauth", oauthAt],
  ] as const)("F-34: does not wait for ever, nor does any other request: %s", async (_, provider) => {
    const site = openSite((idp) => provider(idp, { idToken: false }))
    await signIn(site)

    expect(site.idp.requests.filter(({ hasDeadline }) => !hasDeadline).map(({ endpoint }) => endpoint)).toEqual([])
  })
})

describe("the client proves itself", () => {
  it.each([undefined, "client_secret_basic"])("in the Authorization header: %s", async (method) => {
    const { authorization, body } = await tokenRequest({ client: { token_endpoint_auth_method: method } })

    expect(authorization).toBe(basic(clientId, clientSecret))
    expect(body.has("client_id") || body.has("client_secret")).toBe(false)
  })

  it("in the Authorization header, form-encoded (RFC 6749, section 2.3.1)", async () => {
    const site = openSite((idp) => oauthAt(idp, { clientId: "ci d", clientSecret: "s:ec" }))
    await signIn(site)

    expect(site.idp.last("token").headers.get("authorization")).toBe("Basic Y2krZDpzJTNBZWM=")
  })

  it("in the form", async () => {
    const { authorization, body } = await tokenRequest({ client: { token_endpoint_auth_method: "client_secret_post" } })

    expect(authorization).toBeNull()
    expect(Object.fromEntries(body)).toMatchObject({ client_id: clientId, client_secret: clientSecret })
  })

  it.each([
    ["none is configured", { clientSecret, client: { token_endpoint_auth_method: "none" } }],
    ["there is no secret", { clientSecret: undefined }],
  ])("not at all when %s", async (_, given) => {
    const { authorization, body } = await tokenRequest(given)

    expect(authorization).toBeNull()
    expect(body.get("client_id")).toBe(clientId)
    expect(body.has("client_secret")).toBe(false)
  })

  it("by an assertion with its secret", async () => {
    const { authorization, body } = await tokenRequest({ client: { token_endpoint_auth_method: "client_secret_jwt" } })
    const assertion = body.get("client_assertion") ?? ""

    const { payload, protectedHeader } = await jwtVerify(assertion, new TextEncoder().encode(clientSecret))

    expect(authorization).toBeNull()
    expect(body.get("client_assertion_type")).toBe(assertionType)
    expect(protectedHeader.alg).toBe("HS256")
    expect(payload).toMatchObject({ iss: clientId, sub: clientId, jti: expect.any(String) })
    expect([payload.aud].flat()).toContain("https://idp.example")
    expect(body.has("client_secret")).toBe(false)
  })

  describe("by an assertion with its key", () => {
    let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }
    beforeAll(async () => {
      keys = await generateKeyPair("ES256", { extractable: true })
    })

    const assertionOf = async (clientPrivateKey: CryptoKey | { readonly key: CryptoKey; readonly kid?: string }) => {
      const { body } = await tokenRequest({
        client: { token_endpoint_auth_method: "private_key_jwt" },
        token: { clientPrivateKey },
      })
      expect(body.get("client_assertion_type")).toBe(assertionType)
      expect(body.get("client_id")).toBe(clientId)
      return jwtVerify(body.get("client_assertion") ?? "", keys.publicKey)
    }

    it("that is good for a minute", async () => {
      const { payload, protectedHeader } = await assertionOf(keys.privateKey)

      expect(protectedHeader.alg).toBe("ES256")
      expect(payload).toMatchObject({
        iss: clientId,
        sub: clientId,
        iat: nowInSeconds(),
        exp: nowInSeconds() + 60,
        jti: expect.any(String),
      })
    })

    // Auth.js names the token endpoint as well, which lets a hostile server that copies another's endpoint use it there.
    it("that is meant for the issuer alone", async () => {
      const { payload } = await assertionOf(keys.privateKey)

      expect(payload.aud).toEqual("https://idp.example")
    })

    it("that names the key", async () => {
      const { protectedHeader } = await assertionOf({ key: keys.privateKey, kid: "k1" })

      expect(protectedHeader.kid).toBe("k1")
    })

    it("also when the key is among the options", async () => {
      const site = openSite((idp) => ({
        ...oidcAt(idp),
        options: {
          client: { token_endpoint_auth_method: "private_key_jwt" },
          token: { clientPrivateKey: keys.privateKey },
        },
      }))

      await signIn(site)

      expect(site.idp.last("token").body.has("client_assertion")).toBe(true)
    })

    it("which is no key of the browser's choosing", async () => {
      const jwk = await exportJWK(keys.privateKey)
      const site = openSite((idp) =>
        oidcAt(idp, {
          client: { token_endpoint_auth_method: "private_key_jwt" },
          token: { clientPrivateKey: jwk as unknown as CryptoKey },
        }),
      )

      const response = await site.browser.submit("signin/idp")

      await expectRefused(site.browser, response, ["Configuration"])
    })
  })

  it("whatever else is among the client's metadata, which no copy could be made of", async () => {
    const agent = new (class Agent {
      readonly call = () => undefined
    })()

    const { authorization } = await tokenRequest({
      client: { agent, hook: () => undefined, default_max_age: undefined },
    })

    expect(authorization).toBe(basic(clientId, clientSecret))
  })

  it("with the id and the secret of client, where they differ", async () => {
    const { body } = await tokenRequest({
      clientId: "other",
      clientSecret: "other",
      client: { client_id: clientId, client_secret: "s3cret", token_endpoint_auth_method: "client_secret_post" },
    })

    expect(Object.fromEntries(body)).toMatchObject({ client_id: clientId, client_secret: "s3cret" })
  })
})
