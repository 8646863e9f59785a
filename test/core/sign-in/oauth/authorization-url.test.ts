import { decodeJwt } from "jose"
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { oauthAt, oidcAt, openSite } from "../../../support/core-flow.js"
import { clientId, type FaultyProvider } from "../../../../src/testing/faulty-provider.js"
import type { AllowableParameter, OIDCConfig } from "../../../../src/providers/kinds.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const redirectUri = "https://app.example/auth/callback/idp"
const sealed = expect.stringMatching(/^ey[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
const random = expect.stringMatching(/^[\w-]{43}$/)

describe("the authorization URL", () => {
  it("of OpenID Connect has pkce, state and nonce", async () => {
    const { browser } = openSite()

    const url = await browser.start("idp")

    expect(url.origin + url.pathname).toBe("https://idp.example/authorize")
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "openid profile email",
      state: sealed,
      code_challenge: random,
      code_challenge_method: "S256",
      nonce: random,
    })
  })

  it("of OAuth 2 has pkce and state, and asks for no scope by itself", async () => {
    const { browser } = openSite(oauthAt)

    const url = await browser.start("idp")

    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      state: sealed,
      code_challenge: random,
      code_challenge_method: "S256",
    })
  })

  it.each<[OIDCConfig["checks"], readonly string[]]>([
    [["pkce"], ["state", "pkce"]],
    [["state"], ["state"]],
    [["nonce"], ["state", "nonce"]],
    [
      ["pkce", "state", "nonce"],
      ["state", "pkce", "nonce"],
    ],
    [["none"], ["state"]],
    [[], ["state"]],
  ])("has the checks that are configured, and state always: %j", async (checks, expected) => {
    const { browser } = openSite((idp) => oidcAt(idp, { checks }))

    const { searchParams } = await browser.start("idp")

    const present = { state: "state", pkce: "code_challenge", nonce: "nonce" } as const
    expect(Object.entries(present).flatMap(([name, param]) => (searchParams.has(param) ? [name] : []))).toEqual(
      expected,
    )
  })

  it("has no nonce for OAuth 2, whatever the checks say", async () => {
    const { browser } = openSite((idp) => oauthAt(idp, { checks: ["nonce", "pkce"] }))

    expect((await browser.start("idp")).searchParams.has("nonce")).toBe(false)
  })

  it("has the parameters of the configuration, objects as JSON", async () => {
    const { browser } = openSite((idp) =>
      oidcAt(idp, {
        authorization: {
          params: {
            scope: "openid groups",
            prompt: "consent",
            claims: { userinfo: { email: null } },
            max: 7,
            no: undefined,
          },
        },
      }),
    )

    expect(Object.fromEntries((await browser.start("idp")).searchParams)).toMatchObject({
      scope: "openid groups",
      prompt: "consent",
      claims: '{"userinfo":{"email":null}}',
      max: "7",
    })
  })

  it.each(["authorize?audience=api&scope=read", "authorize"])("keeps the query of its address: %s", async (path) => {
    const { browser } = openSite((idp) =>
      oauthAt(idp, { authorization: { url: `${idp.issuer}/${path}`, params: { prompt: "login" } } }),
    )

    const { searchParams, pathname } = await browser.start("idp")

    expect(pathname).toBe("/authorize")
    expect(searchParams.get("audience")).toBe(path.includes("audience") ? "api" : null)
    expect(searchParams.get("scope")).toBe(path.includes("scope") ? "read" : null)
    expect(searchParams.get("prompt")).toBe("login")
  })

  it("never repeats a random value", async () => {
    const { browser } = openSite()
    const csrfToken = await browser.csrfToken()
    const urls = await Promise.all(
      Array.from({ length: 200 }, async () => {
        const response = await browser.answer(
          new Request("https://app.example/auth/signin/idp", {
            method: "POST",
            headers: { cookie: browser.jar.header() },
            body: new URLSearchParams({ csrfToken }),
          }),
        )
        return new URL(response.headers.get("location") ?? "")
      }),
    )

    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(new Set(urls.map(({ searchParams }) => searchParams.get(name))).size).toBe(urls.length)
    }
  })
})

const hostile =
  "?redirect_uri=https://evil.example&client_id=evil&response_type=token&response_mode=fragment&scope=admin" +
  "&state=s&nonce=n&code_challenge=c&code_challenge_method=plain&request=r&request_uri=u&client_secret=x" +
  "&callbackUrl=/account&csrfToken=t"

describe("A-051: the query of a sign-in", () => {
  it.each([
    ["oidc", oidcAt],
    ["oauth", oauthAt],
  ])("cannot change what only the configuration decides: %s", async (_, provider: (idp: FaultyProvider) => object) => {
    const { browser } = openSite(provider as typeof oidcAt)

    const honest = await browser.start("idp")
    const url = await browser.start("idp", {}, hostile)

    const fixed = ({ searchParams }: URL) =>
      [...searchParams].filter(([name]) => !/^(state|nonce|code_challenge)$/.test(name))
    expect(fixed(url)).toEqual(fixed(honest))
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(url.searchParams.getAll(name)).toHaveLength(honest.searchParams.has(name) ? 1 : 0)
      expect(url.searchParams.get(name)).not.toBe(name[0])
    }
  })

  it.each(["state", "nonce", "code_challenge", "code_challenge_method"])(
    "does not bring in a check that is off: %s",
    async (name) => {
      const { browser } = openSite((idp) => oauthAt(idp, { checks: ["state"] }))

      const url = await browser.start("idp", {}, `?${name}=mine`)

      expect(url.searchParams.get(name)).not.toBe("mine")
    },
  )

  it("may ask for what is up to the person", async () => {
    const { browser } = openSite()
    const query = "?prompt=login&login_hint=ada%40example.com&ui_locales=fr&acr_values=2&max_age=60"

    const { searchParams } = await browser.start("idp", {}, query)

    expect(Object.fromEntries(searchParams)).toMatchObject({
      prompt: "login",
      login_hint: "ada@example.com",
      ui_locales: "fr",
      acr_values: "2",
      max_age: "60",
    })
  })

  it.each([
    "registration",
    "dpop_jkt",
    "resource",
    "claims",
    "authorization_details",
    "id_token_hint",
    "client_assertion",
  ])("does not bring in what was not configured: %s", async (name) => {
    const { browser } = openSite()

    expect((await browser.start("idp", {}, `?${name}=mine`)).searchParams.has(name)).toBe(false)
  })

  // ASP.NET does not tell capitals from small letters; PHP takes each of the others for redirect_uri.
  it.each([
    "Redirect_Uri",
    "redirect.uri",
    "redirect uri",
    "redirect[uri",
    "redirect_uri[]",
    " redirect_uri",
    "redirect_uri\0",
  ])("cannot get past that by another spelling: %j", async (name) => {
    const { browser } = openSite()
    const honest = await browser.start("idp")

    const url = await browser.start("idp", {}, `?${new URLSearchParams({ [name]: "https://evil.example" })}`)

    expect([...url.searchParams.keys()]).toEqual([...honest.searchParams.keys()])
  })

  it.each(["acr_values", "ACR_VALUES", "acr.values"])("does not change what is configured: %s", async (name) => {
    const { browser } = openSite((idp) => oidcAt(idp, { authorization: { params: { acr_values: "2" } } }))

    const { searchParams } = await browser.start("idp", {}, `?${name}=0`)

    expect([...searchParams.values()]).not.toContain("0")
    expect(searchParams.get("acr_values")).toBe("2")
  })

  it("may have names of the provider's own", async () => {
    const { browser } = openSite()

    const { searchParams } = await browser.start("idp", {}, "?audience=api&organization=acme&x.y-z=1")

    expect(Object.fromEntries(searchParams)).toMatchObject({ audience: "api", organization: "acme", "x.y-z": "1" })
  })

  it("is not taken from the form", async () => {
    const { browser } = openSite()

    const { searchParams } = await browser.start("idp", { prompt: "none", login_hint: "eve" })

    expect(searchParams.has("prompt") || searchParams.has("login_hint")).toBe(false)
  })
})

describe("authorization.allow", () => {
  const leaving = (...allow: readonly AllowableParameter[]) =>
    openSite((idp) => oidcAt(idp, { authorization: { params: { scope: "openid email" }, allow } }))

  it("leaves a reserved parameter to the browser, in place of what is configured", async () => {
    const { browser } = leaving("scope", "claims")
    const query = `?${new URLSearchParams({ scope: "openid calendar", claims: "{}", resource: "https://api.example" })}`

    const { searchParams } = await browser.start("idp", {}, query)

    expect(searchParams.getAll("scope")).toEqual(["openid calendar"])
    expect(searchParams.get("claims")).toBe("{}")
    expect(searchParams.has("resource")).toBe(false)
  })

  it("keeps the scope without which there is no ID token", async () => {
    const { browser } = leaving("scope")

    expect((await browser.start("idp", {}, "?scope=calendar")).searchParams.get("scope")).toBe("openid calendar")
  })

  it("of OAuth 2 leaves the scope as it was asked for", async () => {
    const { browser } = openSite((idp) =>
      oauthAt(idp, { authorization: { url: `${idp.issuer}/authorize`, allow: ["scope"] } }),
    )

    expect((await browser.start("idp", {}, "?scope=repo")).searchParams.get("scope")).toBe("repo")
  })

  it("does not leave anything else", async () => {
    const { browser } = leaving("scope", "claims", "authorization_details", "resource")
    const honest = await browser.start("idp")

    const url = await browser.start("idp", {}, hostile.replace("&scope=admin", ""))

    expect([...url.searchParams.keys()]).toEqual([...honest.searchParams.keys()])
    expect(url.searchParams.get("redirect_uri")).toBe(redirectUri)
    expect(url.searchParams.get("client_id")).toBe(clientId)
  })
})

describe("a server that lists its PKCE methods", () => {
  it("without S256 gets none, and the nonce stays", async () => {
    const { browser, idp } = openSite()
    idp.faults = { discovery: (document) => ({ ...document, code_challenge_methods_supported: ["plain"] }) }

    const { searchParams } = await browser.start("idp")

    expect([...searchParams.keys()].filter((name) => /challenge|nonce/.test(name))).toEqual(["nonce"])
  })

  it("nowhere at all gets S256", async () => {
    const { browser, idp } = openSite()
    idp.faults = { discovery: (document) => ({ ...document, code_challenge_methods_supported: undefined }) }

    expect((await browser.start("idp")).searchParams.get("code_challenge_method")).toBe("S256")
  })
})

describe("a provider that cannot be used", () => {
  it.each([
    ["has no client id", { clientId: undefined }],
    ["has an unknown way to authenticate", { client: { token_endpoint_auth_method: "magic" } }],
    ["has no key to sign with", { client: { token_endpoint_auth_method: "private_key_jwt" } }],
    ["has no secret to sign with", { clientSecret: "", client: { token_endpoint_auth_method: "client_secret_jwt" } }],
    [
      "has no secret to send",
      { clientSecret: undefined, client: { token_endpoint_auth_method: "client_secret_post" } },
    ],
    ["has no endpoint for pushed requests", { pushedAuthorization: true }],
  ])("is an error when it is used, and leaves no cookies: it %s", async (_, given) => {
    const { browser, log } = openSite((idp) => oidcAt(idp, given))

    const response = await browser.submit("signin/idp")

    expect(response.headers.get("location")).toBe("https://app.example/auth/error?error=Configuration")
    expect(browser.jar.names().filter((name) => name.includes("state"))).toEqual([])
    expect(log.errors).toHaveLength(1)
  })

  it("is the fault of the server, and a program is told so", async () => {
    const { browser } = openSite((idp) => oidcAt(idp, { clientId: undefined }))

    const response = await browser.submit("signin/idp", {}, { accept: "application/json" })

    expect(response.status).toBe(500)
  })

  it("names the environment variable that is missing", async () => {
    const { browser, log } = openSite((idp) => oidcAt(idp, { id: "my-idp", clientId: undefined }))

    await browser.submit("signin/my-idp")

    expect(log.errors[0]?.message).toContain("AUTH_MY_IDP_ID")
  })
})

describe("a signed authorization request (RFC 9101, section 10.8)", () => {
  it("is no assertion of the client, whatever a query asks for: it has no subject, and no time limits of others", async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])
    const requestObject = { key: privateKey, kid: "ours" }
    const { browser } = openSite((idp) => oidcAt(idp, { requestObject }))
    const query = `?sub=${clientId}&iss=evil&aud=evil&exp=1&iat=1&jti=1&nbf=1`
    const honest = await browser.start("idp")
    const url = await browser.start("idp", {}, query)
    const claimsOf = ({ searchParams }: URL) => decodeJwt(searchParams.get("request") ?? "")
    expect(claimsOf(url)).not.toHaveProperty("sub")
    const { iss, aud, exp = 0, iat = 0 } = claimsOf(url)
    expect({ iss, aud, lasts: exp - iat }).toEqual({
      iss: clientId,
      aud: claimsOf(honest).aud,
      lasts: (claimsOf(honest).exp ?? 0) - (claimsOf(honest).iat ?? 0),
    })
  })

  it("has no subject even where the configuration asks for one", async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ])
    const { browser } = openSite((idp) =>
      oidcAt(idp, { requestObject: { key: privateKey }, authorization: { params: { sub: clientId } } }),
    )
    const { searchParams } = await browser.start("idp")
    expect(decodeJwt(searchParams.get("request") ?? "")).not.toHaveProperty("sub")
  })
})
