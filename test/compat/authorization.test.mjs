/**
 * Where a published provider sends the browser to: the same place, with the same parameters, but for those that
 * protect the sign-in.
 */
import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { describe, it } from "node:test"
import { Auth as AuthJs, customFetch, skipCSRFCheck as skipOfAuthJs } from "@auth/core"
import GitHub from "@auth/core/providers/github"
import Google from "@auth/core/providers/google"
import Keycloak from "@auth/core/providers/keycloak"
import EntraId from "@auth/core/providers/microsoft-entra-id"
import { customFetch as ownCustomFetch } from "latchkey"
import { Auth, skipCSRFCheck } from "latchkey/core"
import { secret, silent } from "./support/apps.mjs"
import { noNetwork, openVendor, replaceFetch } from "./support/fake-vendor.mjs"
import { issuerOf, loadFactory, oauthModules, optionsFor } from "./support/published-providers.mjs"
import { openVendorOf } from "./support/published-vendors.mjs"

const protections = ["state", "nonce", "code_challenge", "code_challenge_method"]

/** Starts a sign-in, and tells where it leads. */
async function start(auth, skip, provider, { query = "", ...overrides } = {}) {
  const errors = []
  const logger = { ...silent, error: (error) => errors.push(error) }
  const config = { providers: [provider], secret, trustHost: true, skipCSRFCheck: skip, logger, ...overrides }
  const request = new Request(`https://app.example/auth/signin/${provider.id}${query}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "callbackUrl=/cart",
  })
  const response = await auth(request, config)
  assert.deepEqual(errors, [])
  assert.equal(response.status, 302)
  const url = new URL(response.headers.get("location"))
  return {
    address: url.origin + url.pathname,
    parameters: Object.fromEntries(url.searchParams),
    cookies: response.headers.getSetCookie(),
  }
}
const startAuthJs = (provider, options) => start(AuthJs, skipOfAuthJs, provider, options)
const startLatchkey = (provider, options) => start(Auth, skipCSRFCheck, provider, options)

/** Their own check refuses these, whatever their options. */
const refusedByAuthJs = ["netsuite", "todoist"]

/** What the provider says of itself, before anything is completed. */
function staticParameters({ authorization }) {
  const { url, params = {} } = typeof authorization === "object" ? authorization : { url: authorization }
  const query = url ? Object.fromEntries(new URL(url).searchParams) : {}
  const defined = Object.entries(params).filter(([, value]) => value !== undefined)
  const asText = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value))
  return { ...query, ...Object.fromEntries(defined.map(([name, value]) => [name, asText(value)])) }
}

function without(names, parameters) {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)))
}

describe("A sign-in with a published provider", () => {
  for (const name of oauthModules) {
    it(`begins at the vendor: ${name}`, async (t) => {
      const factory = await loadFactory(name)
      const vendor = openVendorOf(name, factory(optionsFor(name)))
      replaceFetch(t, noNetwork)
      const provider = factory({ ...optionsFor(name), [customFetch]: vendor.fetch })
      const { type, checks } = provider
      const { address, parameters, cookies } = await startLatchkey(provider)

      const own = staticParameters(provider)
      const expected = type === "oidc" ? { scope: "openid profile email", ...own } : own
      assert.deepEqual(without(protections, parameters), {
        response_type: "code",
        ...expected,
        client_id: "client1",
        redirect_uri: `https://app.example/auth/callback/${provider.id}`,
      })
      assert.ok(parameters.state)
      const usesPkce = checks?.includes("pkce") ?? true
      assert.equal(parameters.code_challenge_method, usesPkce ? "S256" : undefined)
      assert.equal(/^[\w-]{43}$/.test(parameters.code_challenge ?? ""), usesPkce)
      const usesNonce = type === "oidc" && (checks?.includes("nonce") ?? true)
      assert.equal(parameters.nonce !== undefined, usesNonce)
      const left = cookies.filter((cookie) => /^__Secure-authjs\.(?:state|pkce\.code_verifier|nonce)\./.test(cookie))
      assert.equal(left.length, 1 + Number(usesPkce) + Number(usesNonce))

      const host = hostOf(provider)
      assert.equal(new URL(address).host, host)
    })
  }

  function hostOf(provider) {
    const { authorization } = provider
    const url = typeof authorization === "object" ? authorization.url : authorization
    return new URL(url ?? issuerOf(provider) ?? "https://login.microsoftonline.com").host
  }

  for (const name of oauthModules.filter((each) => !refusedByAuthJs.includes(each))) {
    it(`begins where Auth.js begins it: ${name}`, async (t) => {
      const factory = await loadFactory(name)
      const make = () => {
        const vendor = openVendorOf(name, factory(optionsFor(name)))
        replaceFetch(t, vendor.fetch)
        return factory({ ...optionsFor(name), [customFetch]: vendor.fetch })
      }
      const theirs = await startAuthJs(make())
      const ours = await startLatchkey(make())
      assert.equal(ours.address, theirs.address)

      const provider = make()
      const names = Object.keys({ ...theirs.parameters, ...ours.parameters })
      const value = ({ parameters }, parameter) =>
        protections.slice(0, 3).includes(parameter) ? parameter in parameters : parameters[parameter]
      const differing = names.filter((parameter) => value(theirs, parameter) !== value(ours, parameter))
      assert.deepEqual(differing.sort(), intendedDifferences(provider).sort())
    })
  }

  /** Parameters that we send and Auth.js does not, or the other way round. */
  function intendedDifferences(provider) {
    const { type, checks } = provider
    const own = staticParameters(provider)
    return [
      // It tells flows apart, and protects where a vendor ignores PKCE.
      ...(checks?.includes("state") ? [] : ["state"]),
      // The default for OpenID Connect, so that an ID token belongs to its flow.
      ...(type === "oidc" && checks === undefined ? ["nonce"] : []),
      // Scopes of OpenID Connect mean nothing to a vendor of plain OAuth.
      ...(type === "oauth" && own.scope === undefined ? ["scope"] : []),
    ]
  }
})

describe("Parameters of the authorization request", () => {
  const same = [
    {
      title: "from the sign-in request are passed on",
      options: { query: "?login_hint=ann%40example.com&prompt=consent&access_type=offline" },
      parameters: { login_hint: "ann@example.com", prompt: "consent", access_type: "offline" },
    },
    {
      title: "from the options of the application are added, and win",
      providerOptions: { authorization: { params: { scope: "openid", prompt: "select_account", max_age: 0 } } },
      parameters: { scope: "openid", prompt: "select_account", max_age: "0" },
    },
    {
      title: "may be objects, which are sent as JSON",
      providerOptions: { authorization: { params: { claims: { id_token: { acr: null } } } } },
      parameters: { claims: '{"id_token":{"acr":null}}' },
    },
    {
      title: "may stand in an address that replaces the endpoint",
      providerOptions: { authorization: "https://accounts.google.com/other?hd=example.com&scope=openid" },
      address: "https://accounts.google.com/other",
      parameters: { hd: "example.com", scope: "openid" },
    },
    {
      title: "name the redirect proxy, where there is one",
      providerOptions: { checks: ["pkce", "state"] },
      options: { redirectProxyUrl: "https://stable.example/auth" },
      parameters: { redirect_uri: "https://stable.example/auth/callback/google" },
    },
    {
      title: "are taken from the configuration of another id",
      providerOptions: { id: "google-work", clientId: "work" },
      parameters: { client_id: "work", redirect_uri: "https://app.example/auth/callback/google-work" },
    },
  ]
  for (const { title, options, providerOptions = {}, address, parameters } of same) {
    it(`${title}, as in Auth.js`, async () => {
      for (const begin of [startAuthJs, startLatchkey]) {
        const { fetch } = openVendor({ issuer: "https://accounts.google.com" })
        const provider = Google({
          clientId: "client1",
          clientSecret: "secret1",
          ...providerOptions,
          [customFetch]: fetch,
        })
        provider.id = providerOptions.id ?? provider.id
        const started = await begin(provider, options)
        for (const [name, value] of Object.entries(parameters)) assert.equal(started.parameters[name], value, name)
        if (address) assert.equal(started.address, address)
      }
    })
  }

  it("cannot be replaced by the browser where the configuration decides (differs: Auth.js lets them)", async () => {
    const query = "?client_id=other&redirect_uri=https://evil.example/&scope=admin&response_type=token&callbackUrl=/x"
    const make = () => GitHub({ clientId: "client1", clientSecret: "secret1" })
    const theirs = await startAuthJs(make(), { query })
    assert.equal(theirs.parameters.client_id, "other")
    const ours = await startLatchkey(make(), { query })
    assert.deepEqual(without(protections, ours.parameters), {
      client_id: "client1",
      redirect_uri: "https://app.example/auth/callback/github",
      response_type: "code",
      scope: "read:user user:email",
    })
  })

  it("say nothing of PKCE to a vendor that names its methods and not this one (differs: Auth.js sends it)", async () => {
    const issuer = `https://${randomUUID()}.issuer.example`
    const make = () => {
      const { fetch } = openVendor({ issuer, endpoints: { code_challenge_methods_supported: ["plain"] } })
      return Keycloak({ clientId: "client1", clientSecret: "secret1", issuer, [customFetch]: fetch })
    }
    assert.ok((await startAuthJs(make())).parameters.code_challenge)
    const { parameters } = await startLatchkey(make())
    assert.equal(parameters.code_challenge, undefined)
    assert.ok(parameters.nonce)
  })
})

describe("The fetch of an application", () => {
  for (const [title, key] of [
    ["by the symbol of @auth/core", customFetch],
    ["by the symbol of latchkey", ownCustomFetch],
    ["by a symbol of another copy of @auth/core", Symbol("custom-fetch")],
  ]) {
    it(`is found ${title}, in the options and on the provider`, async (t) => {
      replaceFetch(t, noNetwork)
      for (const place of ["options", "provider"]) {
        // One that no other test has used: its document is kept.
        const issuer = `https://${randomUUID()}.issuer.example`
        const options = { clientId: "client1", clientSecret: "secret1", issuer }
        const vendor = openVendor({ issuer })
        const own = { [key]: vendor.fetch }
        const provider = place === "options" ? Keycloak({ ...options, ...own }) : { ...Keycloak(options), ...own }
        const { address } = await startLatchkey(provider)
        assert.equal(address, `${issuer}/fake/authorize`)
        assert.equal(vendor.requests.length, 1)
      }
    })
  }

  it("is used by providers that bring one along (differs: Auth.js uses theirs)", async (t) => {
    const issuer = `https://login.microsoftonline.com/${randomUUID()}/v2.0`
    const make = (send) => EntraId({ clientId: "client1", clientSecret: "secret1", issuer, [customFetch]: send })
    const [own, network] = [openVendor({ issuer }), openVendor({ issuer })]
    replaceFetch(t, network.fetch)
    await startAuthJs(make(own.fetch))
    assert.deepEqual([own.requests.length, network.requests.length], [0, 1])
    await startLatchkey(make(own.fetch))
    assert.deepEqual([own.requests.length, network.requests.length], [1, 1])
  })

  it("tells of its own network: another configuration is not answered from it", async () => {
    const issuer = `https://${randomUUID()}.issuer.example`
    for (const authorization of ["https://one.example/authorize", "https://two.example/authorize"]) {
      const { fetch } = openVendor({ issuer, endpoints: { authorization_endpoint: authorization } })
      const options = { clientId: "client1", clientSecret: "secret1", issuer, [customFetch]: fetch }
      assert.equal((await startLatchkey(Keycloak(options))).address, authorization)
    }
  })
})
