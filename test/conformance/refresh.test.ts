/** Refreshing, by the names of the OpenID Foundation's tests (`oidcc-client-refreshtoken-test-plan`). */
import { describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import type { AuthConfig } from "../../src/index.js"
import type { Faults } from "../../src/testing/faulty-provider.js"
import { oidcAt } from "../support/core-flow.js"
import { tokenOf, TokenWorld } from "../support/token-site.js"

const kinds: readonly (readonly [string, () => Partial<AuthConfig>])[] = [
  ["kept in the account record", () => ({ adapter: MemoryAdapter() })],
  ["kept by the browser", () => ({ session: { providerTokens: true } })],
]

describe.each(kinds)("tokens %s", (_, given) => {
  async function expireWith(faults: Faults) {
    const world = new TokenWorld(given())
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    world.idp.faults = faults
    world.expire()
    return { world, site, browser, reply: await browser.get("/token") }
  }

  it("oidcc-client-test-refresh-token: the new token works", async () => {
    const { world, reply } = await expireWith({})
    expect(tokenOf(reply)).not.toBe("the-access-token")
    expect(world.idp.last("token").body.get("refresh_token")).toBe("the-refresh-token")
  })

  const wrong: readonly (readonly [string, Faults])[] = [
    [
      "oidcc-client-test-refresh-token-invalid-issuer",
      { refreshed: (claims) => ({ ...claims, iss: "https://evil.example" }) },
    ],
    ["an audience that is not ours", { refreshed: (claims) => ({ ...claims, aud: "somebody else" }) }],
    ["another authorized party", { refreshed: (claims) => ({ ...claims, azp: "somebody else" }) }],
    ["a token that has expired", { refreshed: (claims) => ({ ...claims, exp: 1 }) }],
    ["a broken signature", { sign: "broken" }],
    ["no signature", { sign: "none" }],
    ["a token response without access token", { token: ({ access_token: _left, ...rest }) => rest }],
  ]
  it.each(wrong)("%s: rejected, the old tokens and the session stay", async (_name, faults) => {
    const { site, browser, reply } = await expireWith(faults)
    expect(reply).toMatchObject({ status: 502, json: { name: "TokenRefreshError" } })
    expect((await browser.get("/auth/session")).json).not.toBeNull()
    expect(site.logged.map(String).join()).not.toContain("eyJ")
  })

  it("oidcc-client-test-refresh-token-invalid-sub: rejected, the session ends, and the application is told", async () => {
    const told: unknown[] = []
    const events: AuthConfig["events"] = { signOut: (message) => void told.push(message) }
    const world = new TokenWorld({ ...given(), events })
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    world.idp.faults = { refreshed: (claims) => ({ ...claims, sub: "mallory" }) }
    world.expire()
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "refused" } })
    expect(told).toHaveLength(1)
    expect((await browser.get("/auth/session")).json).toBeNull()
    expect([...browser.cookies.keys()].join()).not.toMatch(/session-token|provider-tokens/)
  })
})

it("a refusal that comes with status 200 is a refusal", async () => {
  const world = new TokenWorld({ adapter: MemoryAdapter() })
  const site = await world.open()
  const browser = site.browser()
  await world.signIn(browser)
  world.idp.faults = { token: () => ({ error: "bad_refresh_token", error_description: "expired" }) }
  world.expire()
  expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "refused" } })
})

it("a token that is not bound as it was (DPoP, RFC 9449) is rejected, and so is one that could not be sent", async () => {
  const dpop = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
  const world = new TokenWorld({ adapter: MemoryAdapter() })
  const site = await world.open({ providers: [oidcAt(world.idp, { dpop: dpop })] })
  const browser = site.browser()
  const bound = (body: object) => ({ ...body, token_type: "DPoP" })
  world.idp.faults = { token: bound }
  await world.signIn(browser)
  world.expire()
  for (const token of [
    (body: object) => ({ ...body, token_type: "Bearer" }),
    (body: object) => ({ ...bound(body), access_token: "secret\r\nX-Evil: 1" }),
    (body: object) => ({ ...bound(body), expires_in: 1e300 }),
  ]) {
    world.idp.rotatesRefreshTokens = false
    world.idp.faults = { token }
    expect(await browser.get("/token")).toMatchObject({ status: 502, json: { name: "TokenRefreshError" } })
  }
  world.idp.faults = { token: bound }
  expect((await browser.get("/token")).json).toMatchObject({ tokenType: "dpop" })
})
