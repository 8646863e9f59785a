import { describe, expect, it } from "@jest/globals"
import { providerProblems } from "../../../src/core/config/validate-provider.js"
import { customFetch } from "../../../src/core/symbols.js"
import type { OAuthConfig } from "../../../src/providers/kinds.js"

const algorithm = { name: "ECDSA", namedCurve: "P-256" }
const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"])
const raw = await crypto.subtle.exportKey("raw", pair.publicKey)
const locked = { ...pair, publicKey: await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]) }

function problemsOf(members: Readonly<Record<string, unknown>>): readonly string[] {
  const provider: OAuthConfig = { id: "idp", name: "Idp", type: "oidc", issuer: "https://idp.example", ...members }
  return providerProblems(provider, "providers[0]", { providers: [provider] }, false).map(
    ({ path, expected }) => `${path}: ${expected}`,
  )
}

describe("an option of a provider", () => {
  it.each<[string, () => Readonly<Record<string, unknown>>]>([
    ["is left out", () => ({})],
    ["is undefined", () => ({ dpop: undefined, requestObject: undefined, clockTolerance: undefined })],
    ["is null, as when an application switches one off", () => ({ dpop: null, client: null })],
    ["is true", () => ({ pushedAuthorization: true, mutualTls: true, backChannelLogout: true })],
    ["is a list of what browsers may set", () => ({ authorization: { allow: ["scope", "claims", "resource"] } })],
    ["is a private key", () => ({ requestObject: { key: pair.privateKey } })],
    ["is a private key with its id", () => ({ requestObject: { key: pair.privateKey, kid: "k1" } })],
    ["is a key pair", () => ({ dpop: pair })],
    ["is a promise of a key pair", () => ({ dpop: Promise.resolve(pair) })],
    ["is the least tolerance", () => ({ clockTolerance: 0 })],
    ["is the greatest tolerance", () => ({ clockTolerance: 300 })],
    ["is a hook", () => ({ token: { request: () => ({ tokens: {} }), conform: () => undefined } })],
    ["is an endpoint as a URL object", () => ({ token: new URL("https://idp.example/token") })],
    ["is an issuer as a URL object", () => ({ issuer: new URL("https://idp.example") })],
  ])("may be: it %s", (_, members) => {
    expect(problemsOf(members())).toEqual([])
  })

  const signingKey = "{ key, kid? }, where key is a private CryptoKey that may sign"
  const pairExpected = "a CryptoKeyPair that may sign, with a public key that can be exported, or a promise of one"
  const allow = 'a list of "scope", "claims", "authorization_details", "resource"'

  it.each<[string, () => Readonly<Record<string, unknown>>, string]>([
    ["yes", () => ({ pushedAuthorization: "yes" }), "pushedAuthorization: true or false"],
    ["a certificate", () => ({ mutualTls: {} }), "mutualTls: true or false"],
    ["an address", () => ({ backChannelLogout: "/logout" }), "backChannelLogout: true or false"],
    ["a name", () => ({ authorization: { allow: "scope" } }), `authorization.allow: ${allow}`],
    ["redirect_uri", () => ({ authorization: { allow: ["redirect_uri"] } }), `authorization.allow: ${allow}`],
    ["a bare key", () => ({ requestObject: pair.privateKey }), `requestObject: ${signingKey}`],
    ["a public key", () => ({ requestObject: { key: pair.publicKey } }), `requestObject: ${signingKey}`],
    [
      "a key id that is none",
      () => ({ requestObject: { key: pair.privateKey, kid: 1 } }),
      `requestObject: ${signingKey}`,
    ],
    ["a JWK", () => ({ requestObject: { key: { kty: "EC" } } }), `requestObject: ${signingKey}`],
    ["half a pair", () => ({ dpop: { privateKey: pair.privateKey } }), `dpop: ${pairExpected}`],
    ["a pair that nobody may see", () => ({ dpop: locked }), `dpop: ${pairExpected}`],
    ["a minus", () => ({ clockTolerance: -1 }), "clockTolerance: a number of seconds, 0 to 300"],
    ["an hour", () => ({ clockTolerance: 3600 }), "clockTolerance: a number of seconds, 0 to 300"],
    ["a text", () => ({ clockTolerance: "60" }), "clockTolerance: a number of seconds, 0 to 300"],
    ["no list of checks", () => ({ checks: "pkce" }), 'checks: a list of "pkce", "state", "nonce", "none"'],
    ["an unknown check", () => ({ checks: ["S256"] }), 'checks: a list of "pkce", "state", "nonce", "none"'],
    ["no fetch", () => ({ [customFetch]: "fetch" }), "[customFetch]: a function, like fetch"],
    ["no function", () => ({ token: { request: true } }), "token.request: a function"],
    ["no function either", () => ({ userinfo: { request: "/me" } }), "userinfo.request: a function"],
    ["no object", () => ({ client: "client_secret_post" }), "client: an object of client metadata"],
  ])("is named with what was expected instead of %s", (_, members, problem) => {
    expect(problemsOf(members())).toEqual([`providers[0].${problem}`])
  })
})
