import { describe, expect, it } from "@jest/globals"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../../src/core/engine/providers.js"
import { customFetch } from "../../../src/core/symbols.js"
import type { Profile, TokenSet } from "../../../src/core/types.js"
import Credentials from "../../../src/providers/credentials.js"
import type { Check, CredentialsConfig, OAuthConfig, Provider } from "../../../src/providers/kinds.js"
import { deepFreeze } from "../../support/core-deep-freeze.js"

const endpoints = {
  authorization: "https://o.example/authorize",
  token: "https://o.example/token",
  userinfo: "https://o.example/me",
}
const oauth: OAuthConfig = { id: "o", name: "O", type: "oauth", ...endpoints }
const oidc: OAuthConfig = { id: "i", name: "I", type: "oidc", issuer: "https://i.example" }

function resolve(given: OAuthConfig, redirectProxyUrl?: string): OAuthProvider {
  return resolveProvider(mergeProvider(given) as OAuthConfig, redirectProxyUrl) as OAuthProvider
}

describe("mergeProvider", () => {
  it("lays options over defaults and drops them", () => {
    const merged = mergeProvider({
      ...oauth,
      options: { id: "mine", clientId: "x", token: { url: "https://t.example" } },
    })

    expect(merged).toMatchObject({ id: "mine", clientId: "x", token: { url: "https://t.example" } })
    expect(merged).not.toHaveProperty("options")
  })

  it("replaces lists instead of mixing them", () => {
    expect(mergeProvider({ ...oauth, checks: ["pkce", "state"], options: { checks: ["none"] } })).toMatchObject({
      checks: ["none"],
    })
  })

  it("calls a provider that is a function, with no options", () => {
    const calls: unknown[] = []
    const factory = (options: unknown): Provider => {
      calls.push(options)
      return oauth
    }

    expect(mergeProvider(factory)).toMatchObject({ id: "o" })
    expect(calls).toEqual([{}])
  })

  it("writes to nothing that it is given", () => {
    const options = { style: { bg: "#000" }, authorization: { params: { scope: "a" } } }

    expect(() => mergeProvider(deepFreeze({ ...oauth, style: { text: "#fff" }, options }))).not.toThrow()
  })

  it.each<readonly [string, (send: typeof fetch) => OAuthConfig]>([
    ["the provider", (send) => ({ ...oauth, [customFetch]: send })],
    ["its options", (send) => ({ ...oauth, options: { [customFetch]: send } })],
    ["the provider, under the symbol of Auth.js", (send) => ({ ...oauth, [Symbol("custom-fetch")]: send })],
    ["its options, under the symbol of Auth.js", (send) => ({ ...oauth, options: { [Symbol("custom-fetch")]: send } })],
  ])("finds a fetch of one's own on %s", (_where, make) => {
    const send: typeof fetch = () => Promise.reject(new Error("no network"))

    expect(resolve(make(send)).fetch).toBe(send)
  })

  it("prefers the fetch in the options", () => {
    const own: typeof fetch = () => Promise.reject(new Error("own"))
    const vendors: typeof fetch = () => Promise.reject(new Error("vendor's"))

    expect(resolve({ ...oauth, [customFetch]: vendors, options: { [customFetch]: own } }).fetch).toBe(own)
  })

  it("drops the built-in fetch of the two providers of Auth.js that need none here", () => {
    const vendors: typeof fetch = () => Promise.reject(new Error("vendor's"))
    const own: typeof fetch = () => Promise.reject(new Error("own"))
    const marked = { ...oidc, [Symbol("conform-internal")]: true, [Symbol("custom-fetch")]: vendors }

    expect(resolve(marked as OAuthConfig).fetch).toBeUndefined()
    expect(resolve({ ...marked, options: { [customFetch]: own } }).fetch).toBe(own)
  })
})

describe("checks", () => {
  it.each<readonly [OAuthConfig, readonly Check[] | undefined, OAuthProvider["checks"]]>([
    [oauth, undefined, { pkce: true, nonce: false }],
    [oidc, undefined, { pkce: true, nonce: true }],
    [oauth, ["pkce"], { pkce: true, nonce: false }],
    [oauth, ["state"], { pkce: false, nonce: false }],
    [oauth, ["none"], { pkce: false, nonce: false }],
    [oauth, [], { pkce: false, nonce: false }],
    [oauth, ["nonce"], { pkce: false, nonce: false }],
    [oidc, ["pkce", "state"], { pkce: true, nonce: false }],
    [oidc, ["nonce"], { pkce: false, nonce: true }],
    [oidc, ["none"], { pkce: false, nonce: false }],
  ])("of $id with %j are %j", (provider, checks, expected) => {
    expect(resolve({ ...provider, checks }).checks).toEqual(expected)
  })
})

describe("the authorization endpoint", () => {
  it("takes parameters from its address and from params, which win", () => {
    const { authorization } = resolve({
      ...oauth,
      authorization: {
        url: "https://o.example/authorize?prompt=login&scope=a",
        params: { scope: "b c", max_age: 5, claims: { id_token: { acr: null } }, left_out: undefined },
      },
    })

    expect(authorization.url?.href).toBe("https://o.example/authorize")
    expect(authorization.params).toEqual({
      prompt: "login",
      scope: "b c",
      max_age: "5",
      claims: '{"id_token":{"acr":null}}',
    })
  })

  it("asks OpenID providers for the standard scope, unless another is given", () => {
    expect(resolve(oidc).authorization).toEqual({
      url: undefined,
      params: { scope: "openid profile email" },
      allow: [],
    })
    expect(resolve({ ...oidc, authorization: { params: { scope: "openid" } } }).authorization.params).toEqual({
      scope: "openid",
    })
    expect(resolve({ ...oidc, authorization: "https://i.example/a?scope=openid" }).authorization.params).toEqual({
      scope: "openid",
    })
  })

  it("asks OAuth providers for no scope of ours", () => {
    expect(resolve(oauth).authorization.params).toEqual({})
  })

  it("may be a URL object, which stays as it was", () => {
    const url = new URL("https://o.example/authorize?prompt=login")

    expect(resolve({ ...oauth, authorization: { url } }).authorization.url?.href).toBe("https://o.example/authorize")
    expect(url.search).toBe("?prompt=login")
  })

  it("on the placeholder of Auth.js is to be discovered", () => {
    const { authorization, token } = resolve({
      ...oidc,
      authorization: { url: "https://authjs.dev", params: { scope: "openid" } },
      token: { url: "https://authjs.dev" },
    })

    expect(authorization).toEqual({ url: undefined, params: { scope: "openid" }, allow: [] })
    expect(token.url).toBeUndefined()
  })

  // RFC 6749, section 3.1: an endpoint's address has no fragment.
  it("loses a fragment", () => {
    expect(resolve({ ...oauth, authorization: "https://o.example/authorize#x" }).authorization.url?.href).toBe(
      "https://o.example/authorize",
    )
  })
})

describe("token and userinfo endpoints", () => {
  it("keep their parameters in the address", () => {
    const { userinfo, token } = resolve({
      ...oauth,
      userinfo: { url: "https://o.example/me?a=1", params: { fields: "id,name" } },
    })

    expect(userinfo.url?.href).toBe("https://o.example/me?a=1&fields=id%2Cname")
    expect(token.url?.href).toBe("https://o.example/token")
  })

  it("keep their hooks", () => {
    const request = () => ({})
    const conform = (response: Response) => response
    const { userinfo, token } = resolve({ ...oauth, userinfo: { request }, token: { url: endpoints.token, conform } })

    expect(userinfo.request).toBe(request)
    expect(token.conform).toBe(conform)
  })

  it("are handed to hooks in parsed form", () => {
    const { config } = resolve({ ...oauth, clientId: "x" })

    expect(config).toMatchObject({ id: "o", clientId: "x", token: { url: new URL(endpoints.token) } })
  })
})

describe("the client", () => {
  it("has id and secret of the provider, or of its client metadata", () => {
    expect(resolve({ ...oauth, clientId: "a", clientSecret: "b" })).toMatchObject({ clientId: "a", clientSecret: "b" })
    expect(
      resolve({ ...oauth, clientId: "a", clientSecret: "b", client: { client_id: "c", client_secret: "d" } }),
    ).toMatchObject({ clientId: "c", clientSecret: "d" })
  })
})

describe("the profile", () => {
  it("comes from the ID token of OpenID providers, unless they say otherwise", () => {
    expect(resolve(oidc).idToken).toBe(true)
    expect(resolve({ ...oidc, idToken: false }).idToken).toBe(false)
    expect(resolve(oauth).idToken).toBe(false)
  })

  it.each<readonly [Profile, object]>([
    [
      { sub: "1", id: "2", name: "Ann", nickname: "A", email: "a@x.example", picture: "https://x.example/a.png" },
      { id: "1", name: "Ann", email: "a@x.example", image: "https://x.example/a.png" },
    ],
    [
      { id: "2", nickname: "A", preferred_username: "ann" },
      { id: "2", name: "A" },
    ],
    [
      { sub: "1", preferred_username: "ann" },
      { id: "1", name: "ann" },
    ],
    [
      { sub: "1", email: null, picture: null },
      { id: "1", email: null },
    ],
    [{ sub: "1", picture: { data: {} } }, { id: "1" }],
    [{}, {}],
  ])("of %j becomes by default %j", async (profile, user) => {
    expect(await resolve(oidc).profile(profile, {})).toStrictEqual(user)
  })

  it("is made by the provider's own callback, which may use the provider", async () => {
    const provider = {
      ...oauth,
      prefix: "o-",
      profile(this: { readonly prefix: string }, { sub }: Profile) {
        return { id: `${this.prefix}${sub ?? ""}` }
      },
    }

    expect(await resolve(provider).profile({ sub: "1" }, {})).toEqual({ id: "o-1" })
  })
})

describe("the account", () => {
  it("keeps by default what an application may need later", async () => {
    const tokens: TokenSet = {
      access_token: "a",
      id_token: "i",
      refresh_token: "r",
      expires_at: 1,
      scope: "s",
      token_type: "bearer",
      session_state: "x",
      expires_in: 60,
      other: "y",
    }
    const { expires_in: _in, other: _other, ...kept } = tokens

    expect(await resolve(oauth).account(tokens)).toStrictEqual(kept)
    expect(await resolve(oauth).account({ access_token: "a" })).toStrictEqual({ access_token: "a" })
  })

  it("is made by the provider's own callback", async () => {
    expect(await resolve({ ...oauth, account: () => undefined }).account({ access_token: "a" })).toBeUndefined()
  })
})

describe("the redirect proxy", () => {
  const formPost = { url: endpoints.authorization, params: { response_mode: "form_post" } }

  it("is the provider's own before the configuration's", () => {
    expect(resolve(oauth).redirectProxyUrl).toBeUndefined()
    expect(resolve(oauth, "https://p.example/auth").redirectProxyUrl).toBe("https://p.example/auth")
    expect(
      resolve({ ...oauth, redirectProxyUrl: "https://own.example/auth" }, "https://p.example/auth").redirectProxyUrl,
    ).toBe("https://own.example/auth")
  })

  it("is none for answers that come as a form", () => {
    const provider = resolve({ ...oauth, authorization: formPost }, "https://p.example/auth")

    expect(provider.formPost).toBe(true)
    expect(provider.redirectProxyUrl).toBeUndefined()
  })
})

describe("credentials", () => {
  it("resolve to their fields and the bound callback", async () => {
    const seen: unknown[] = []
    const authorize = (...given: readonly unknown[]) => {
      seen.push(...given)
      return { id: "1" }
    }
    const request = new Request("https://app.example")
    const merged = mergeProvider(Credentials({ credentials: { user: { label: "User" } }, authorize }))
    const resolved = resolveProvider(merged as CredentialsConfig)

    expect(resolved).toMatchObject({ type: "credentials", id: "credentials", name: "Credentials" })
    if (resolved.type !== "credentials") throw new Error("expected credentials")
    expect(resolved.fields).toEqual({ user: { label: "User" } })
    expect(await resolved.authorize({ user: "ann" }, request)).toEqual({ id: "1" })
    expect(seen).toEqual([{ user: "ann" }, request])
  })
})
