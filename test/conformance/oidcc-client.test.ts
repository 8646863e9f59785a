/**
 * What the OpenID Foundation's conformance suite does to a client in the code flow, by the names of its modules, and the
 * faults of its FAPI plans. Where our rule is stricter than certification asks, the row says so by rejecting.
 * @see https://openid.net/certification/rp_testing/
 */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { generateKeyPairSync, sign as signBytes } from "node:crypto"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import type { AuthConfig } from "../../src/core/index.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { locationOf } from "../support/core-browser.js"
import { advanceClock, freezeClock, nowInSeconds, releaseClock } from "../support/core-clock.js"
import { checkCookies, expectRefused, oidcAt, openSite, signIn, type Site } from "../support/core-flow.js"
import { accessToken, clientId, type Faults, type FaultyProvider } from "../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

interface Row {
  readonly name: string
  readonly faults?: Faults | ((idp: FaultyProvider) => Faults | Promise<Faults>)
  readonly provider?: Partial<OIDCConfig>
  readonly config?: Partial<AuthConfig>
}

type Claims = Readonly<Record<string, unknown>>
const changed = (claim: string, change: (value: unknown) => unknown): Faults => ({
  claims: (claims) => ({ ...claims, [claim]: change(claims[claim]) }),
})
const without = (claim: string) => changed(claim, () => undefined)
const appended = (claim: string) => changed(claim, (value) => `${String(value)}1`)
const inSeconds = (claim: string, seconds: number) => changed(claim, () => nowInSeconds() + seconds)
const advertising = (...algorithms: readonly string[]): Faults => ({
  discovery: (document) => ({ ...document, id_token_signing_alg_values_supported: algorithms }),
})
const withoutKid: Faults = { header: ({ kid: _, ...header }) => header }
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const hashOf = async (value: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value))
  return Buffer.from(digest).subarray(0, 16).toString("base64url")
}

async function open({ faults = {}, provider = {}, config = {} }: Row): Promise<Site> {
  const site = openSite((idp) => oidcAt(idp, provider), config)
  site.idp.faults = typeof faults === "function" ? await faults(site.idp) : faults
  return site
}

const accepted: readonly Row[] = [
  { name: "oidcc-client-test" },
  { name: "oidcc-client-test, with userinfo", provider: { idToken: false } },
  { name: "oidcc-client-test-kid-absent-single-jwks", faults: { ...withoutKid, jwks: (keys) => keys.slice(0, 1) } },
  { name: "oidcc-client-test-idtoken-sig-rs256", faults: { sign: "RS256" } },
  { name: "a valid ES256 signature, where it is advertised", faults: { sign: "ES256", ...advertising("ES256") } },
  {
    name: "a valid ES256 signature, where it is configured",
    faults: { sign: "ES256" },
    provider: { client: { id_token_signed_response_alg: "ES256" } },
  },
  {
    name: "oidcc-client-test-scope-userinfo-claims",
    provider: { authorization: { params: { scope: "openid profile email phone address" } } },
    faults: {
      claims: (claims) => ({ ...claims, phone_number: "+1", address: { country: "GB" }, email_verified: true }),
    },
  },
  {
    name: "oidcc-client-test-aggregated-claims",
    faults: {
      claims: (claims) => ({
        ...claims,
        _claim_names: { address: "src1" },
        _claim_sources: { src1: { JWT: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJldmUifQ." } },
      }),
    },
  },
  {
    name: "oidcc-client-test-missing-athash",
    faults: without("at_hash"),
  },
  {
    name: "a right at_hash",
    faults: async () => {
      const at_hash = await hashOf(accessToken)
      return changed("at_hash", () => at_hash)
    },
  },
  { name: "valid-aud-as-array", faults: changed("aud", (aud) => [aud]) },
  {
    name: "a second audience, with azp",
    faults: { claims: (claims) => ({ ...claims, aud: [clientId, "other"], azp: clientId }) },
  },
  { name: "azp of the client itself", faults: changed("azp", () => clientId) },
  { name: "token-type-case-insensitivity", faults: { token: (body) => ({ ...body, token_type: "BEARER" }) } },
  {
    name: "no-scope-in-token-endpoint-response",
    faults: { token: ({ scope: _, ...body }) => body },
  },
  {
    name: "token-endpoint-response-without-expires_in",
    faults: { token: ({ expires_in: _, ...body }) => body },
  },
  { name: "email_verified as string", faults: changed("email_verified", () => "true") },
  { name: "an ID token that expired 29 seconds ago, by our clock", faults: inSeconds("exp", -29) },
  { name: "an ID token issued 25 seconds ahead of our clock", faults: inSeconds("iat", 25) },
  { name: "an ID token valid from 25 seconds ahead of our clock", faults: inSeconds("nbf", 25) },
  { name: "a single extra key for encryption", faults: { jwks: (keys) => [...keys, { ...keys[0], use: "enc" }] } },
  {
    name: "auth_time that is recent enough",
    provider: { authorization: { params: { max_age: 300 } } },
    faults: inSeconds("auth_time", -200),
  },
]

const rejected: readonly Row[] = [
  { name: "oidcc-client-test-invalid-iss", faults: appended("iss") },
  { name: "oidcc-client-test-missing-sub", faults: without("sub") },
  { name: "an empty sub", faults: changed("sub", () => "") },
  { name: "a sub that is no text", faults: changed("sub", () => 7) },
  { name: "oidcc-client-test-invalid-aud", faults: appended("aud") },
  { name: "oidcc-client-test-missing-aud, invalid-missing-aud", faults: without("aud") },
  { name: "oidcc-client-test-missing-iat", faults: without("iat") },
  {
    name: "oidcc-client-test-kid-absent-multiple-jwks",
    faults: async () => {
      const other = await exportJWK((await generateKeyPair("RS256", { extractable: true })).publicKey)
      return { ...withoutKid, jwks: ([first]) => [{ ...first, kid: undefined }, other] }
    },
  },
  { name: "oidcc-client-test-idtoken-sig-none", faults: { sign: "none" } },
  {
    name: "oidcc-client-test-idtoken-sig-none, advertised",
    faults: { sign: "none", ...advertising("RS256", "none") },
  },
  { name: "oidcc-client-test-invalid-sig-rs256", faults: { sign: "broken" } },
  { name: "a signature of somebody else's key", faults: { sign: "foreign" } },
  {
    name: "oidcc-client-test-invalid-sig-es256",
    faults: async () => {
      const other = await exportJWK((await generateKeyPair("ES256", { extractable: true })).publicKey)
      return { sign: "ES256", ...advertising("ES256"), jwks: () => [{ ...other, kid: "ec" }] }
    },
  },
  { name: "oidcc-client-test-invalid-sig-hs256", faults: { sign: "HS256" } },
  {
    name: "oidcc-client-test-invalid-sig-hs256, advertised",
    faults: { sign: "HS256", ...advertising("RS256", "HS256") },
  },
  {
    name: "oidcc-client-test-userinfo-invalid-sub",
    provider: { idToken: false },
    faults: { userinfo: (claims) => ({ ...claims, sub: "eve" }) },
  },
  {
    name: "userinfo without sub",
    provider: { idToken: false },
    faults: { userinfo: ({ sub: _, ...claims }) => claims },
  },
  { name: "oidcc-client-test-nonce-invalid", faults: appended("nonce") },
  { name: "a nonce that was not asked for", provider: { checks: ["pkce"] }, faults: changed("nonce", () => "mine") },
  { name: "oidcc-client-test-invalid-athash", faults: changed("at_hash", () => "AAAAAAAAAAAAAAAAAAAAAA") },
  {
    name: "oidcc-client-test-invalid-chash, -missing-chash: an ID token in the front channel",
    faults: { answer: (answer) => answer.set("id_token", "eyJhbGciOiJub25lIn0.e30.") },
  },
  { name: "no ID token at all", faults: { token: ({ id_token: _, ...body }) => body } },
  { name: "invalid-missing-nonce", faults: without("nonce") },
  { name: "invalid-missing-exp", faults: without("exp") },
  { name: "invalid-missing-iss", faults: without("iss") },
  { name: "invalid-expired-exp", faults: inSeconds("exp", -61) },
  { name: "iat-is-week-in-past", faults: inSeconds("iat", -7 * 24 * 3600) },
  { name: "iat in future", faults: inSeconds("iat", 300) },
  { name: "nbf in future", faults: inSeconds("nbf", 300) },
  { name: "exp that is text", faults: changed("exp", (exp) => String(exp)) },
  { name: "invalid-secondary-aud", faults: changed("aud", (aud) => [aud, "other"]) },
  { name: "azp other than client id", faults: changed("azp", () => "other") },
  {
    name: "azp other than client id, with a second audience",
    faults: { claims: (claims) => ({ ...claims, aud: [clientId, "other"], azp: "other" }) },
  },
  {
    name: "invalid-null-alg",
    faults: (idp) => ({
      idToken: async (claims) => {
        const [, payload, signature] = (await idp.sign(claims)).split(".")
        return [base64url({ kid: "x" }), payload, signature].join(".")
      },
    }),
  },
  { name: "invalid-alternate-alg", faults: { sign: "ES256" } },
  {
    name: "invalid-alternate-alg, other than configured",
    faults: { sign: "RS256", ...advertising("RS256", "ES256") },
    provider: { client: { id_token_signed_response_alg: "ES256" } },
  },
  { name: "encrypted-idtoken", faults: { sign: "encrypted" } },
  {
    name: "encrypted-idtoken-usingrsa15",
    faults: (idp) => ({
      idToken: async (claims) => {
        idp.faults = { ...idp.faults, sign: "encrypted" }
        const [, ...parts] = (await idp.sign(claims)).split(".")
        return [base64url({ alg: "RSA1_5", enc: "A128CBC-HS256" }), ...parts].join(".")
      },
    }),
  },
  {
    name: "auth_time missing although max_age was asked for",
    provider: { authorization: { params: { max_age: 300 } } },
  },
  {
    name: "auth_time too old for the max_age that was asked for",
    provider: { authorization: { params: { max_age: 300 } } },
    faults: inSeconds("auth_time", -3600),
  },
  {
    name: "auth_time missing although the client requires it",
    provider: { client: { require_auth_time: true } },
  },
  { name: "two keys of one kid", faults: { jwks: ([first]) => [first, first] } },
  { name: "key use: enc", faults: { jwks: (keys) => keys.map((key) => ({ ...key, use: "enc" })) } },
  {
    name: "key_ops wrong",
    faults: { jwks: (keys) => keys.map(({ use: _, ...key }) => ({ ...key, key_ops: ["encrypt"] })) },
  },
  {
    name: "20 000 keys",
    faults: {
      jwks: (keys) => [...Array.from({ length: 20_000 }, (_, kid) => ({ kty: "EC", kid: String(kid) })), ...keys],
    },
  },
  { name: "no keys", faults: { jwks: () => [] } },
  { name: "keys that are no list", faults: { jwks: () => "keys" } },
]

describe("accepted", () => {
  it.each(accepted)("$name", async (row) => {
    const site = await open(row)

    const response = await signIn(site, { callbackUrl: "/account" })

    expect(locationOf(response)).toBe("https://app.example/account")
    expect(await site.browser.session()).toEqual({
      user: { name: "Ada Lovelace", email: "ada@example.com", image: "https://idp.example/ada.png" },
      expires: expect.any(String),
    })
    expect(site.log.errors).toEqual([])
    expect(site.idp.count("other")).toBe(0)
  })
})

describe("rejected", () => {
  it.each(rejected)("$name", async (row) => {
    const site = await open(row)

    const response = await signIn(site)

    await expectRefused(site.browser, response)
    expect(checkCookies(site.browser)).toEqual([])
    if (!row.provider || row.provider.idToken !== false) expect(site.idp.count("userinfo")).toBe(0)
    expect(site.log.errors).toHaveLength(1)
  })
})

describe("A-052: a key that the token brings along", () => {
  it("counts for nothing: jwk", async () => {
    const mine = await generateKeyPair("RS256", { extractable: true })
    const jwk = await exportJWK(mine.publicKey)
    const idToken = (claims: Claims) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: "RS256", jwk }).sign(mine.privateKey)
    const site = await open({ name: "jwk", faults: { idToken } })

    await expectRefused(site.browser, await signIn(site))
  })

  it.each(["jku", "x5u"])("is not fetched: %s", async (member) => {
    const mine = await generateKeyPair("RS256", { extractable: true })
    const header = { alg: "RS256", kid: "mine", [member]: "https://evil.example/jwks" }
    const idToken = (claims: Claims) => new SignJWT({ ...claims }).setProtectedHeader(header).sign(mine.privateKey)
    const site = await open({ name: member, faults: { idToken } })

    await expectRefused(site.browser, await signIn(site))
    expect(new Set(site.idp.requests.map(({ url }) => url.host))).toEqual(new Set(["idp.example"]))
  })

  it.each(["unknown", "../../etc/passwd", "' OR 1=1--", ""])("is not chosen by an odd kid: %j", async (kid) => {
    const site = await open({ name: kid, faults: { header: (header) => ({ ...header, kid }) } })

    await expectRefused(site.browser, await signIn(site))
  })

  it("is too short: RSA of 1 024 bits", async () => {
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 })
    const idToken = async (claims: Claims) => {
      const input = `${base64url({ alg: "RS256", kid: "weak" })}.${base64url(claims)}`
      return `${input}.${signBytes("sha256", Buffer.from(input), weak.privateKey).toString("base64url")}`
    }
    const jwks = () => [{ ...weak.publicKey.export({ format: "jwk" }), kid: "weak", alg: "RS256", use: "sig" }]
    const site = await open({ name: "weak", faults: { idToken, jwks } })

    await expectRefused(site.browser, await signIn(site))
  })

  it("has a critical header member that nobody understands", async () => {
    const idToken = (idp: FaultyProvider) => async (claims: Claims) => {
      const [, payload, signature] = (await idp.sign(claims)).split(".")
      return [base64url({ alg: "RS256", crit: ["x"], x: 1 }), payload, signature].join(".")
    }
    const site = await open({ name: "crit", faults: (idp) => ({ idToken: idToken(idp) }) })

    await expectRefused(site.browser, await signIn(site))
  })
})

describe("oidcc-client-test-userinfo-signed", () => {
  const signed = (idp: FaultyProvider, claims: Claims): Faults => {
    const jwt = idp.sign({ iss: idp.issuer, aud: clientId, ...claims })
    return {
      userinfo: async () => new Response(await jwt, { headers: { "content-type": "application/jwt" } }),
    }
  }
  const configured: Partial<OIDCConfig> = { idToken: false, client: { userinfo_signed_response_alg: "RS256" } }

  it("is verified and used where it is configured", async () => {
    const site = await open({
      name: "signed",
      provider: configured,
      faults: (idp) => signed(idp, { sub: "ada", name: "Signed" }),
    })

    await signIn(site)

    expect(await site.browser.session()).toMatchObject({ user: { name: "Signed" } })
  })

  it.each([
    ["of another person", { sub: "eve" }],
    ["of another issuer", { sub: "ada", iss: "https://evil.example" }],
    ["for another client", { sub: "ada", aud: "other" }],
  ])("is rejected %s", async (_, claims) => {
    const site = await open({ name: "signed", provider: configured, faults: (idp) => signed(idp, claims) })

    await expectRefused(site.browser, await signIn(site))
  })

  it("is rejected with somebody else's signature", async () => {
    const site = await open({
      name: "signed",
      provider: configured,
      faults: (idp) => {
        idp.faults = { sign: "foreign" }
        return signed(idp, { sub: "ada" })
      },
    })

    await expectRefused(site.browser, await signIn(site))
  })

  it("is rejected where it is not configured, and plain JSON where it is", async () => {
    const unexpected = await open({
      name: "signed",
      provider: { idToken: false },
      faults: (idp) => signed(idp, { sub: "ada" }),
    })
    const plain = await open({ name: "plain", provider: configured })

    await expectRefused(unexpected.browser, await signIn(unexpected))
    await expectRefused(plain.browser, await signIn(plain))
  })
})

describe("oidcc-client-test-distributed-claims", () => {
  it("are never fetched", async () => {
    const site = await open({
      name: "distributed",
      faults: {
        claims: (claims) => ({
          ...claims,
          _claim_names: { credit: "src1" },
          _claim_sources: { src1: { endpoint: "https://169.254.169.254/claims", access_token: "x" } },
        }),
      },
    })

    await signIn(site)

    expect(await site.browser.session()).not.toBeNull()
    expect(new Set(site.idp.requests.map(({ url }) => url.host))).toEqual(new Set(["idp.example"]))
  })
})

describe("oidcc-client-test-userinfo-bearer-header", () => {
  it("the access token goes into the header, and nowhere else", async () => {
    const site = await open({ name: "bearer", provider: { idToken: false } })

    await signIn(site)

    const { method, url, headers, body } = site.idp.last("userinfo")
    expect([method, url.search, body.toString(), headers.get("authorization")]).toEqual([
      "GET",
      "",
      "",
      `Bearer ${accessToken}`,
    ])
  })
})

describe("oidcc-client-test-signing-key-rotation", () => {
  it("-just-before-signing: the keys are fetched after the token", async () => {
    const site = await open({ name: "rotation" })
    const callback = site.idp.approve(await site.browser.start("idp"))
    await site.idp.rotateKeys()

    await site.browser.get(callback.href)

    expect(await site.browser.session()).not.toBeNull()
  })

  it("between two sign-ins: an unknown kid has the keys fetched once more", async () => {
    const site = await open({ name: "rotation" })
    await signIn(site)
    advanceClock(61)
    await site.idp.rotateKeys()

    const another = site.another()
    await signIn({ ...site, browser: another })

    expect(await another.session()).not.toBeNull()
    expect(site.idp.count("jwks")).toBe(2)
  })

  it("unknown kids do not have the keys fetched again and again", async () => {
    const site = await open({ name: "flood" })
    await signIn(site)
    site.idp.faults = { header: (header) => ({ ...header, kid: crypto.randomUUID() }) }
    const fetched = site.idp.count("jwks")

    for (let attempt = 0; attempt < 10; attempt++) await signIn({ ...site, browser: site.another() })

    expect(site.idp.count("jwks") - fetched).toBeLessThanOrEqual(1)
  })
})

describe("oidcc-client-test-3rd-party-init-login", () => {
  it("never starts a sign-in by itself: it leads to the page with the button", async () => {
    const { browser, idp } = await open({ name: "third party" })

    const response = await browser.get(`signin/idp?iss=${encodeURIComponent(idp.issuer)}&login_hint=ada`)

    expect(locationOf(response)).toMatch(/^https:\/\/app\.example\/auth\/signin(?:\?|$)/)
    expect(checkCookies(browser)).toEqual([])
    expect(idp.requests).toEqual([])
  })
})

describe("ensure-authorization-response-with-", () => {
  it.each<[string, (answer: URLSearchParams) => void]>([
    ["invalid-state-fails", (answer) => answer.set("state", `${answer.get("state")}x`)],
    ["missing-state-fails", (answer) => answer.delete("state")],
    ["an empty state", (answer) => answer.set("state", "")],
  ])("%s", async (_, answer) => {
    const site = await open({ name: "state", faults: { answer } })

    await expectRefused(site.browser, await signIn(site), ["Configuration"])
    expect(site.idp.count("token")).toBe(0)
  })
})
