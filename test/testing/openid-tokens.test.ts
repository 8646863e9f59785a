/** Refresh tokens and access tokens of the local provider. */
import { describe, expect, it } from "@jest/globals"
import * as client from "openid-client"
import { providers, signIn } from "./openid-flow.js"

const start = providers()

describe("refresh tokens", () => {
  it("are not given unless offline_access was consented to", async () => {
    const { tokens } = await signIn(await start(), { scope: "openid offline_access" })
    expect(tokens.refresh_token).toBeUndefined()
  })

  it("are given at each sign-in with issueRefreshTokens", async () => {
    const { config, tokens } = await signIn(await start({ issueRefreshTokens: true }), { scope: "openid" })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "")
    expect(refreshed.claims()).toMatchObject({ sub: "ada" })
  })

  it("stay good after another sign-in in the same browser", async () => {
    const provider = await start({ issueRefreshTokens: true })
    const { config, tokens } = await signIn(provider)
    await signIn(provider)
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? "")).resolves.toMatchObject({
      scope: "openid profile email",
    })
  })

  it("are rotated with rotateRefreshTokens, and the reuse of one ends them all", async () => {
    const { config, tokens } = await signIn(await start({ issueRefreshTokens: true, rotateRefreshTokens: true }))
    const first = tokens.refresh_token ?? ""

    const { refresh_token: second = "" } = await client.refreshTokenGrant(config, first)
    expect(second).not.toBe(first)
    const { refresh_token: third = "" } = await client.refreshTokenGrant(config, second)

    await expect(client.refreshTokenGrant(config, first)).rejects.toMatchObject({ error: "invalid_grant" })
    await expect(client.refreshTokenGrant(config, third)).rejects.toMatchObject({ error: "invalid_grant" })
  })

  it("stay the same with rotateRefreshTokens: false", async () => {
    const { config, tokens } = await signIn(await start({ issueRefreshTokens: true, rotateRefreshTokens: false }))
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "")
    expect(refreshed.refresh_token).toBe(tokens.refresh_token)
  })
})

describe("access tokens", () => {
  it.each([
    [undefined, 3600],
    [20, 20],
  ])("live for accessTokenLifetime, %j, in seconds: %d", async (accessTokenLifetime, seconds) => {
    const { tokens } = await signIn(await start({ accessTokenLifetime }))
    expect(tokens.expires_in).toBe(seconds)
  })

  it("refuse a lifetime that is none", async () => {
    await expect(start({ accessTokenLifetime: -1 })).rejects.toThrow("AccessToken")
  })
})

describe("the list of grants", () => {
  it("tells each token request, and whether it was granted", async () => {
    const provider = await start({ issueRefreshTokens: true, rotateRefreshTokens: true })
    const { config, tokens } = await signIn(provider)
    const refresh = () => client.refreshTokenGrant(config, tokens.refresh_token ?? "")
    await refresh()
    await expect(refresh()).rejects.toThrow()

    expect(provider.grants).toEqual([
      { grantType: "authorization_code", ok: true },
      { grantType: "refresh_token", ok: true },
      { grantType: "refresh_token", ok: false },
    ])
  })

  it("tells of a client that did not authenticate", async () => {
    const provider = await start()
    await fetch(`${provider.issuer}/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "refresh_token" }),
    })
    expect(provider.grants).toEqual([{ grantType: "refresh_token", ok: false }])
  })
})
