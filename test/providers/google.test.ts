import { describe, expect, it } from "@jest/globals"
import { mergeProvider, resolveProvider, type OAuthProvider } from "../../src/core/engine/providers.js"
import Google, { type GoogleProfile } from "../../src/providers/google.js"
import type { OAuthConfig, OIDCUserConfig } from "../../src/providers/kinds.js"

function resolve(options: OIDCUserConfig<GoogleProfile> = {}): OAuthProvider {
  return resolveProvider(mergeProvider(Google(options)) as OAuthConfig) as OAuthProvider
}

describe("Google", () => {
  it("is an OpenID provider, whose issuer tells the endpoints", () => {
    const { id, type, issuer, authorization, token, userinfo } = resolve()

    expect({ id, type, issuer }).toEqual({ id: "google", type: "oidc", issuer: "https://accounts.google.com" })
    expect([authorization.url, token.url, userinfo.url]).toEqual([undefined, undefined, undefined])
  })

  it("is protected by PKCE and nonce by default", () => {
    expect(resolve().checks).toEqual({ pkce: true, nonce: true })
  })

  it("asks for the standard scopes, and believes the ID token", () => {
    expect(resolve()).toMatchObject({ authorization: { params: { scope: "openid profile email" } }, idToken: true })
  })

  it("lets the application's options win", () => {
    const { checks, authorization } = resolve({
      checks: ["state"],
      authorization: { params: { prompt: "consent", access_type: "offline" } },
    })

    expect(checks).toEqual({ pkce: false, nonce: false })
    expect(authorization.params).toEqual({ scope: "openid profile email", prompt: "consent", access_type: "offline" })
  })

  it("becomes a user by the standard claims", async () => {
    const claims = {
      sub: "110169484474386276334",
      name: "Ada Lovelace",
      email: "ada@gmail.test",
      email_verified: true,
      picture: "https://lh3.test/ada.jpg",
    }

    expect(await resolve().profile(claims, {})).toEqual({
      id: "110169484474386276334",
      name: "Ada Lovelace",
      email: "ada@gmail.test",
      image: "https://lh3.test/ada.jpg",
    })
  })
})
