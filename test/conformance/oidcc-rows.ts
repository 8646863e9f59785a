/**
 * What the OpenID Foundation's conformance suite does to a client in the code flow, by the names of its modules, and the
 * faults of its FAPI plans: which of them a sign-in survives, and which it must not. Where our rule is stricter than
 * certification asks, the row stands among the rejected.
 * @see https://openid.net/certification/rp_testing/
 */
import { exportJWK, generateKeyPair } from "jose"
import type { AuthConfig } from "../../src/core/index.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { accessToken, clientId, type Faults, type FaultyProvider } from "../../src/testing/faulty-provider.js"
import { nowInSeconds } from "../support/core-clock.js"
import { oidcAt, openSite, type Site } from "../support/core-flow.js"

export interface Row {
  readonly name: string
  readonly faults?: Faults | ((idp: FaultyProvider) => Faults | Promise<Faults>)
  readonly provider?: Partial<OIDCConfig>
  readonly config?: Partial<AuthConfig>
}

export type Claims = Readonly<Record<string, unknown>>
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
export const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
const hashOf = async (value: string) => {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(value))
  return Buffer.from(digest).subarray(0, 16).toString("base64url")
}

export async function openRow({ faults = {}, provider = {}, config = {} }: Row): Promise<Site> {
  const site = openSite((idp) => oidcAt(idp, provider), config)
  site.idp.faults = typeof faults === "function" ? await faults(site.idp) : faults
  return site
}

const essentialAcr: Partial<OIDCConfig> = {
  authorization: { params: { claims: { id_token: { acr: { essential: true, values: ["silver", "gold"] } } } } },
}

export const accepted: readonly Row[] = [
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
  { name: "acr as it was asked for", provider: essentialAcr, faults: changed("acr", () => "gold") },
]

export const rejected: readonly Row[] = [
  { name: "oidcc-client-test-invalid-iss", faults: appended("iss") },
  { name: "oidcc-client-test-missing-sub", faults: without("sub") },
  { name: "acr of none of the acr_values", provider: { authorization: { params: { acr_values: "gold" } } } },
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
    name: "oidcc-client-test-invalid-chash: an ID token in the front channel",
    faults: { answer: (answer) => answer.set("id_token", `e30.${base64url({ c_hash: "AAAAAAAAAAAAAAAAAAAAAA" })}.`) },
  },
  {
    name: "oidcc-client-test-missing-chash: an ID token in the front channel",
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
  { name: "acr that was asked for as essential, missing", provider: essentialAcr },
  { name: "acr other than was asked for as essential", provider: essentialAcr, faults: changed("acr", () => "bronze") },
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
