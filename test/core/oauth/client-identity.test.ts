import { describe, expect, it } from "@jest/globals"
import { clientIdentity, endpointsOver } from "../../../src/core/oauth/client-identity.js"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../../src/core/engine/providers.js"
import type { OAuthConfig } from "../../../src/providers/kinds.js"

const issuer = "https://idp.example"
const metadata = {
  issuer,
  token_endpoint: `${issuer}/token?tenant=1`,
  userinfo_endpoint: `${issuer}/me`,
  mtls_endpoint_aliases: { token_endpoint: "https://mtls.idp.example/token" },
}

function providerOf(given: Partial<OAuthConfig> = {}): OAuthProvider {
  const merged = mergeProvider({ id: "idp", name: "Idp", type: "oidc", issuer, clientId: "c", ...given } as OAuthConfig)
  const resolved = resolveProvider(merged as OAuthConfig)
  if (resolved.type === "credentials") throw new Error("not an OAuth provider")
  return resolved
}

describe("endpoints that are discovered", () => {
  it("stay as they are when the configuration says nothing", () => {
    expect(endpointsOver(metadata, providerOf())).toEqual({})
  })

  it("get the parameters of the configuration, at each of their addresses", () => {
    const provider = providerOf({ token: { params: { v: 2 } }, userinfo: { params: { fields: "id" } } })

    expect(endpointsOver(metadata, provider)).toEqual({
      token_endpoint: `${issuer}/token?tenant=1&v=2`,
      userinfo_endpoint: `${issuer}/me?fields=id`,
      mtls_endpoint_aliases: { token_endpoint: "https://mtls.idp.example/token?v=2" },
    })
  })

  it("give way to those of the configuration, also for clients with a certificate", () => {
    const provider = providerOf({ token: { url: "https://own.example/token", params: { v: 2 } } })

    expect(endpointsOver(metadata, provider)).toEqual({
      token_endpoint: "https://own.example/token?v=2",
      mtls_endpoint_aliases: { token_endpoint: "https://own.example/token?v=2" },
    })
  })

  it("that are missing are not made up", () => {
    const provider = providerOf({ userinfo: { params: { fields: "id" } } })

    expect(endpointsOver({ issuer, token_endpoint: `${issuer}/token` }, provider)).toEqual({})
  })
})

describe("the client's metadata", () => {
  const metadataOf = (given: Partial<OAuthConfig>) => clientIdentity(providerOf(given))[1]

  it("are what can be copied of those in the configuration", () => {
    const client = {
      userinfo_signed_response_alg: "RS256",
      default_max_age: 60,
      require_auth_time: true,
      hook: () => 1,
    }

    const { userinfo_signed_response_alg, default_max_age, require_auth_time, ...others } = metadataOf({ client })

    expect([userinfo_signed_response_alg, default_max_age, require_auth_time]).toEqual(["RS256", 60, true])
    expect(Object.keys(others).sort()).toEqual(["client_id", "client_secret", "use_mtls_endpoint_aliases"])
  })

  it("cannot say otherwise than the options", () => {
    const client = { use_mtls_endpoint_aliases: true, client_id: "c2" }

    expect(metadataOf({ client, mutualTls: false })).toMatchObject({
      use_mtls_endpoint_aliases: false,
      client_id: "c2",
    })
  })
})
