/** Providers that applications wrote themselves for Auth.js, as its guides show. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { customFetch } from "@auth/core"
import { exportJWK, generateKeyPair } from "jose"
import { openVendor } from "./support/fake-vendor.mjs"
import { gist, ours, signIn, theirs } from "./support/flows.mjs"

const vendorUrl = "https://id.vendor.example"
const endpoints = {
  authorization: `${vendorUrl}/fake/authorize`,
  token: `${vendorUrl}/fake/token`,
  userinfo: `${vendorUrl}/fake/userinfo`,
}
const common = { id: "own", name: "Own", clientId: "client1", clientSecret: "secret1" }
const person = { sub: "7", id: 7, name: "Ann", email: "Ann@vendor.example", picture: "https://pictures.example/7" }
const { privateKey } = await generateKeyPair("ES256", { extractable: true })

const openOAuth = (more) => openVendor({ token: endpoints.token, resources: { [endpoints.userinfo]: person }, ...more })
const openOidc = (more) =>
  openVendor({ issuer: vendorUrl, claims: person, resources: { [endpoints.userinfo]: person }, ...more })

const oauth = { ...common, type: "oauth", ...endpoints }
const oidc = { ...common, type: "oidc", issuer: vendorUrl }

const providers = [
  {
    title: "OAuth with three addresses",
    open: openOAuth,
    provider: { ...oauth, profile: ({ id, name }) => ({ id: `${id}`, name }) },
  },
  {
    title: "OAuth with the default profile",
    open: () => openOAuth({ resources: { [endpoints.userinfo]: { ...person, id: "7" } } }),
    provider: oauth,
  },
  { title: "OpenID Connect with an issuer", open: openOidc, provider: oidc },
  {
    title: "a profile that takes its time, and adds members",
    open: openOidc,
    provider: {
      ...oidc,
      profile: async ({ sub, name }, tokens) => ({ id: sub, name, role: "reader", scope: tokens.scope }),
    },
  },
  {
    title: "a userinfo request of its own",
    open: openOAuth,
    provider: {
      ...oauth,
      userinfo: {
        url: endpoints.userinfo,
        async request({ tokens, provider }) {
          return { id: "7", name: `${provider.name} ${tokens.access_token} ${provider.userinfo.url.href}` }
        },
      },
    },
  },
  {
    title: "endpoints as objects, with parameters",
    open: openOAuth,
    provider: {
      ...oauth,
      authorization: {
        url: endpoints.authorization,
        params: { scope: "profile", audience: "https://api.vendor.example" },
      },
      token: { url: endpoints.token, params: { tenant: "acme" } },
      userinfo: { url: endpoints.userinfo, params: { fields: "id,name" } },
      profile: ({ sub, name }) => ({ id: sub, name }),
    },
  },
  {
    title: "the profile from the userinfo endpoint",
    open: openOidc,
    provider: { ...oidc, idToken: false },
  },
  {
    title: "a token response that has to be mended",
    open: () => openOAuth({ tokens: { token_type: undefined } }),
    provider: {
      ...oauth,
      token: {
        url: endpoints.token,
        conform: async (response) => Response.json({ ...(await response.json()), token_type: "bearer" }),
      },
      profile: ({ sub }) => ({ id: sub }),
    },
  },
  {
    title: "every check",
    open: openOidc,
    provider: { ...oidc, checks: ["pkce", "state", "nonce"] },
  },
  {
    title: "no check",
    open: () => openOAuth(),
    provider: { ...oauth, checks: ["none"], profile: ({ sub }) => ({ id: sub }) },
  },
  {
    title: "client_secret_jwt",
    open: openOidc,
    provider: { ...oidc, client: { token_endpoint_auth_method: "client_secret_jwt" } },
  },
  {
    title: "private_key_jwt",
    open: openOidc,
    provider: {
      ...oidc,
      client: { token_endpoint_auth_method: "private_key_jwt" },
      token: { url: endpoints.token, clientPrivateKey: { key: privateKey, kid: "k1" } },
      userinfo: endpoints.userinfo,
      authorization: `${endpoints.authorization}?scope=openid`,
    },
  },
  {
    title: "options over its defaults",
    open: openOidc,
    provider: {
      ...oidc,
      clientId: "unused",
      options: { clientId: "client1", name: "Other", profile: ({ sub }) => ({ id: `o-${sub}` }) },
    },
  },
  {
    title: "extra members in the token response",
    open: () => openOAuth({ tokens: { expires_in: "60", refresh_token: "r", workspace: { id: 1 } } }),
    provider: { ...oauth, profile: ({ sub }) => ({ id: sub }) },
  },
  {
    title: "an ID token signed with the client secret",
    open: () => openOidc({ sharedSecret: "secret1", endpoints: { id_token_signing_alg_values_supported: ["HS256"] } }),
    provider: oidc,
  },
]

describe("A provider of the application's own works as in Auth.js", () => {
  for (const { title, open, provider } of providers) {
    it(title, async () => {
      const run = async (system) => {
        const vendor = open()
        return signIn(system, { ...provider, [customFetch]: vendor.fetch }, vendor)
      }
      const [before, after] = [await run(theirs), await run(ours)]
      before.told.account.providerAccountId = String(before.told.account.providerAccountId)
      assert.deepEqual(gist(after.told), gist(before.told))
      assert.deepEqual(after.questions, before.questions)
      assert.equal(after.location, before.location)
    })
  }

  it("finds its document at an address of its own (differs: Auth.js looks only where the issuer says)", async () => {
    const wellKnown = `${vendorUrl}/elsewhere/.well-known/openid-configuration`
    const run = (system) => {
      const vendor = openVendor({ issuer: `${vendorUrl}/realm`, discovery: wellKnown, claims: person })
      return signIn(system, { ...oidc, issuer: `${vendorUrl}/realm`, wellKnown, [customFetch]: vendor.fetch }, vendor)
    }
    await assert.rejects(run(theirs))
    assert.equal((await run(ours)).told.user.name, "Ann")
  })

  it("must have a document, or else nobody could verify its ID tokens (differs: Auth.js does not verify them)", async () => {
    const run = (system) => {
      const issuer = "https://silent.vendor.example"
      const vendor = openVendor({
        issuer,
        discovery: "https://nowhere.example/",
        claims: person,
        token: endpoints.token,
      })
      return signIn(system, { ...oidc, ...endpoints, issuer, [customFetch]: vendor.fetch }, vendor)
    }
    assert.equal((await run(theirs)).told.user.name, "Ann")
    await assert.rejects(run(ours), /discovery/)
  })

  it("must say who somebody is (differs: Auth.js makes an id up, and so a new account each time)", async () => {
    const run = (system) => {
      const vendor = openOAuth()
      return signIn(system, { ...oauth, profile: ({ name }) => ({ name }), [customFetch]: vendor.fetch }, vendor)
    }
    assert.match((await run(theirs)).told.account.providerAccountId, /^[0-9a-f-]{36}$/)
    await assert.rejects(run(ours), /must return an id/)
  })

  it("must sign with the keys that it publishes (differs: Auth.js takes any signature)", async () => {
    const { publicKey: stranger } = await generateKeyPair("RS256")
    const keys = [{ ...(await exportJWK(stranger)), kid: "k1", alg: "RS256", use: "sig" }]
    const run = (system) => {
      const issuer = "https://other-keys.vendor.example"
      const vendor = openVendor({ issuer, claims: person, keys })
      return signIn(system, { ...oidc, issuer, [customFetch]: vendor.fetch }, vendor)
    }
    assert.equal((await run(theirs)).told.user.name, "Ann")
    await assert.rejects(run(ours), /signature/)
  })
})
