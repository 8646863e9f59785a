/** Options that are no plain data reach their user as they are. */
import { describe, expect, it } from "@jest/globals"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../../src/core/engine/providers.js"
import { customFetch } from "../../../src/core/symbols.js"
import type { OAuthConfig } from "../../../src/providers/kinds.js"
import { deepFreeze } from "../../support/core-deep-freeze.js"

const vendor: OAuthConfig = {
  id: "idp",
  name: "Idp",
  type: "oidc",
  issuer: "https://vendor.example",
  token: { url: "https://vendor.example/token", params: { v: "1" } },
  client: { token_endpoint_auth_method: "client_secret_basic" },
}

function resolve(options: object, provider: OAuthConfig = vendor): OAuthProvider {
  const merged = mergeProvider({ ...provider, options })
  if (merged.type !== "oidc" && merged.type !== "oauth") throw new Error("not an OAuth provider")
  const resolved = resolveProvider(merged)
  if (resolved.type === "credentials") throw new Error("not an OAuth provider")
  return resolved
}

class Agent {
  readonly #sockets = new Map<string, unknown>()
  get size(): number {
    return this.#sockets.size
  }
}

describe("the merge of options", () => {
  it("leaves keys as they are", async () => {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
    const { privateKey } = pair

    const provider = resolve({
      dpop: pair,
      requestObject: { key: privateKey, kid: "k1" },
      token: { clientPrivateKey: { key: privateKey, kid: "k2" } },
    })

    expect((await provider.dpop)?.privateKey).toBe(privateKey)
    expect(provider.requestObject?.key).toBe(privateKey)
    expect(provider.requestObject?.kid).toBe("k1")
    expect(provider.token.clientPrivateKey).toMatchObject({ kid: "k2" })
    expect(Reflect.get(provider.token.clientPrivateKey ?? {}, "key")).toBe(privateKey)
  })

  it("leaves a bare key as it is", async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, [
      "sign",
      "verify",
    ])

    expect(resolve({ token: { clientPrivateKey: privateKey } }).token.clientPrivateKey).toBe(privateKey)
  })

  it("leaves a promise of keys as it is", () => {
    const dpop = crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])

    expect(resolve({ dpop }).dpop).toBe(dpop)
  })

  it("leaves instances of classes as they are", () => {
    const agent = new Agent()

    const { client, config } = resolve({ client: { agent }, agent })

    expect(client["agent"]).toBe(agent)
    expect(config["agent"]).toBe(agent)
    expect((client["agent"] as Agent).size).toBe(0)
    expect(client.token_endpoint_auth_method).toBe("client_secret_basic")
  })

  it("leaves a fetch as it is", () => {
    const own: typeof fetch = () => Promise.reject(new Error("not called"))

    expect(resolve({ [customFetch]: own }).fetch).toBe(own)
  })

  it("takes URL objects for addresses", () => {
    const issuer = new URL("https://own.example/tenant")

    const provider = resolve({
      issuer,
      wellKnown: new URL("https://own.example/.well-known/x"),
      authorization: new URL("https://own.example/authorize?prompt=login"),
      token: { url: new URL("https://own.example/token") },
      userinfo: new URL("https://own.example/me#x"),
    })

    expect(provider.issuer).toBe("https://own.example/tenant")
    expect(provider.wellKnown).toBe("https://own.example/.well-known/x")
    expect(provider.authorization).toMatchObject({ params: { prompt: "login" } })
    expect(provider.authorization.url?.href).toBe("https://own.example/authorize")
    expect(provider.token.url?.href).toBe("https://own.example/token?v=1")
    expect(provider.userinfo.url?.href).toBe("https://own.example/me")
  })

  it("lets a URL object replace an endpoint that was an object, and changes neither", () => {
    const token = new URL("https://own.example/token")
    const given = deepFreeze({ ...vendor })

    expect(resolve({ token }, given).token.url?.href).toBe("https://own.example/token")
    expect(token.href).toBe("https://own.example/token")
  })
})

describe("mutualTls", () => {
  it.each<[string, object, boolean]>([
    ["left out", {}, false],
    ["true", { mutualTls: true }, true],
    ["implied by tls_client_auth", { client: { token_endpoint_auth_method: "tls_client_auth" } }, true],
    [
      "implied by self_signed_tls_client_auth",
      { client: { token_endpoint_auth_method: "self_signed_tls_client_auth" } },
      true,
    ],
    ["false all the same", { mutualTls: false, client: { token_endpoint_auth_method: "tls_client_auth" } }, false],
  ])("%s", (_, options, expected) => {
    expect(resolve(options).mutualTls).toBe(expected)
  })
})
