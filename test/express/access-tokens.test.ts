import { describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import type { AuthConfig } from "../../src/index.js"
import { oauthAt, oidcAt } from "../support/core-flow.js"
import { tokenOf, TokenWorld } from "../support/token-site.js"

const kinds: readonly (readonly [string, () => Partial<AuthConfig>])[] = [
  ["database sessions", () => ({ adapter: MemoryAdapter() })],
  ["jwt sessions, and an adapter", () => ({ adapter: MemoryAdapter(), session: { strategy: "jwt" } })],
  ["jwt sessions that keep the tokens", () => ({ session: { providerTokens: true } })],
]

describe.each(kinds)("getAccessToken, with %s", (_, given) => {
  async function open() {
    const world = new TokenWorld(given())
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    return { world, site, browser }
  }

  it("gives the token of the sign-in while it is good, with its expiry and scope, and asks nobody", async () => {
    const { world, browser } = await open()
    const { json } = await browser.get("/token")
    expect(json).toEqual({
      accessToken: "the-access-token",
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      scope: "openid profile email",
      tokenType: "bearer",
    })
    expect(world.idp.countRefreshes()).toBe(0)
  })

  it("refreshes one with less than half a minute left, and keeps what came: the rotated refresh token too", async () => {
    const { world, browser } = await open()
    world.expireSoon()
    const second = tokenOf(await browser.get("/token"))
    expect(second).not.toBe("the-access-token")
    expect(tokenOf(await browser.get("/token"))).toBe(second)
    expect(world.idp.countRefreshes()).toBe(1)

    world.expire()
    const third = tokenOf(await browser.get("/token"))
    expect([second, "the-access-token"]).not.toContain(third)
    expect(world.idp.countRefreshes()).toBe(2)
  })

  it("refreshes once for twenty requests that come together", async () => {
    const { world, browser } = await open()
    world.expire()
    const replies = await Promise.all(Array.from({ length: 20 }, () => browser.get("/token")))
    expect(new Set(replies.map(tokenOf)).size).toBe(1)
    expect(world.idp.countRefreshes()).toBe(1)
    expect(replies.map(tokenOf)).toContain(tokenOf(await browser.get("/token")))
  })

  it("refreshes once for those who come together also where tokens last no minute", async () => {
    const { world, browser } = await open()
    world.idp.accessTokenLifetime = 45
    world.expire()
    const replies = await Promise.all(Array.from({ length: 20 }, () => browser.get("/token")))
    expect(new Set(replies.map(tokenOf)).size).toBe(1)
    expect(world.idp.countRefreshes()).toBe(1)
  })

  it("refreshes a token that the API has refused, although it should still be good", async () => {
    const { world, browser } = await open()
    const next = tokenOf(await browser.get("/token?refresh=yes"))
    expect(next).not.toBe("the-access-token")
    expect(world.idp.countRefreshes()).toBe(1)
  })

  it("says that the person must sign in again when the provider refuses, does not ask it again, and leaves the session", async () => {
    const { world, site, browser } = await open()
    world.idp.revoke()
    world.expire()
    const refused = await browser.get("/token")
    expect(refused).toMatchObject({ status: 401, json: { name: "ReauthenticationRequired", reason: "refused" } })
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "no-refresh-token" } })
    expect(world.idp.countRefreshes()).toBe(1)
    expect((await browser.get("/auth/session")).json).not.toBeNull()
    expect(site.logged.map(String).join()).not.toContain("token-")

    await world.signIn(browser)
    expect(tokenOf(await browser.get("/token"))).toBeTruthy()
  })

  it("gives the present token while the provider fails and it is still good, and an error of the server when it is not; nothing is lost", async () => {
    const { world, site, browser } = await open()
    world.isDown = true
    world.expireSoon()
    expect(tokenOf(await browser.get("/token"))).toBe("the-access-token")
    expect(site.logged.map(({ name }) => name)).toEqual(["TokenRefreshError"])
    world.expire()
    expect(await browser.get("/token")).toMatchObject({ status: 502, json: { name: "TokenRefreshError" } })

    world.isDown = false
    expect(tokenOf(await browser.get("/token"))).not.toBe("the-access-token")
  })

  it("says so when nobody is signed in, and when the account is none of theirs", async () => {
    const { world, site } = await open()
    const stranger = site.browser()
    expect(await stranger.get("/token")).toMatchObject({ status: 401, json: { reason: "signed-out" } })
    const other = await world.open({ providers: [oauthAt(world.idp, { id: "other" }), oidcAt(world.idp)] })
    const browser = other.browser()
    await world.signIn(browser)
    expect(await browser.get("/token/other")).toMatchObject({ status: 401, json: { reason: "not-linked" } })
    expect(await browser.get("/token/nobody")).toMatchObject({ status: 400, json: { name: "InvalidProvider" } })
  })

  it("gives nothing after the sign-out", async () => {
    const { browser } = await open()
    const held = new Map(browser.cookies)
    await browser.signOut()
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "signed-out" } })
    expect([...browser.cookies.keys()].filter((name) => name.includes("provider-tokens"))).toEqual([])
    expect([...held.keys()].length).toBeGreaterThan(0)
  })

  it("never shows a token anywhere else: session, log, pages", async () => {
    const { world, site, browser } = await open()
    world.expireSoon()
    await browser.get("/token")
    const { text } = await browser.get("/auth/session")
    const shown = text + site.logged.map(String).join()
    expect([...world.idp.secrets].filter((each) => shown.includes(each))).toEqual([])
  })
})

describe("several processes with one store", () => {
  it("refresh once for all of them, and everybody gets the new token", async () => {
    const memory = MemoryAdapter()
    const adapter = {
      ...memory,
      // As over a network: what is read is a moment old when it arrives.
      async listAccountsByUserId(userId: string) {
        const accounts = await memory.listAccountsByUserId(userId)
        await new Promise(setImmediate)
        return accounts
      },
    }
    const world = new TokenWorld({ adapter })
    const sites = await Promise.all([world.open(), world.open(), world.open()])
    const browsers = sites.map((site) => site.browser())
    for (const browser of browsers.slice(0, 1)) await world.signIn(browser)
    const cookies = browsers.flatMap((browser) => [...browser.cookies])
    for (const browser of browsers) for (const [name, value] of cookies) browser.cookies.set(name, value)
    world.expire()

    const replies = await Promise.all(
      browsers.flatMap((browser) => Array.from({ length: 10 }, () => browser.get("/token"))),
    )
    expect(new Set(replies.map(tokenOf)).size).toBe(1)
    expect(world.idp.countRefreshes()).toBe(1)
  })

  it("take over from one that died while it refreshed, when its time is over, and wait until then", async () => {
    const adapter = MemoryAdapter()
    const world = new TokenWorld({ adapter })
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    world.expire()
    const until = Date.now() + world.ahead * 1000 + 1
    const claim = `latchkey-refreshing;${until};${crypto.randomUUID()};the-refresh-token`
    const key = { provider: "idp", providerAccountId: "ada" }
    expect(
      await adapter.updateAccount({ ...key, refresh_token: claim }, { refresh_token: "the-refresh-token" }),
    ).toBeTruthy()
    expect(tokenOf(await browser.get("/token"))).not.toBe("the-access-token")
    expect(world.idp.countRefreshes()).toBe(1)
    const account = await adapter.getAccount("ada", "idp")
    expect(account?.refresh_token).not.toContain("latchkey")
  })

  it("give the present token while another one refreshes, if it is still good", async () => {
    const adapter = MemoryAdapter()
    const world = new TokenWorld({ adapter })
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    world.expireSoon()
    const until = Date.now() + world.ahead * 1000 + 60_000
    const refresh_token = `latchkey-refreshing;${until};${crypto.randomUUID()};the-refresh-token`
    await adapter.updateAccount(
      { provider: "idp", providerAccountId: "ada", refresh_token },
      { refresh_token: "the-refresh-token" },
    )
    expect(tokenOf(await browser.get("/token"))).toBe("the-access-token")
    expect(world.idp.countRefreshes()).toBe(0)
  })
})

describe("tokens that the browser keeps", () => {
  async function open() {
    const world = new TokenWorld({ session: { providerTokens: true } })
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    return { world, site, browser }
  }
  const cookie = "authjs.provider-tokens"

  it("come with the old ones after a refresh that another request has made, and get the new ones", async () => {
    const { world, browser } = await open()
    const old = browser.cookies.get(cookie) ?? ""
    world.expire()
    const fresh = tokenOf(await browser.get("/token"))
    browser.cookies.set(cookie, old)
    expect(tokenOf(await browser.get("/token"))).toBe(fresh)
    expect(browser.cookies.get(cookie)).not.toBe(old)
    expect(world.idp.countRefreshes()).toBe(1)
  })

  it("count for nothing beside another session, or when somebody wrote them himself", async () => {
    const { world, site, browser } = await open()
    const grace = site.browser()
    world.idp.person = { sub: "grace", name: "Grace Hopper" }
    await world.signIn(grace)
    browser.cookies.set(cookie, grace.cookies.get(cookie) ?? "")
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "not-linked" } })
    browser.cookies.set(cookie, "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA")
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "not-linked" } })
  })

  it("are not refreshed where what comes could not reach the browser", async () => {
    const { world, browser } = await open()
    expect((await browser.get("/late")).text).toContain("the-access-token")
    world.expireSoon()
    expect((await browser.get("/late")).text).toContain("the-access-token")
    world.expire()
    expect((await browser.get("/late")).text).toContain("before the response's headers are sent")
    expect(world.idp.countRefreshes()).toBe(0)
    expect(tokenOf(await browser.get("/token"))).not.toBe("the-access-token")
  })

  it("are in no cookie where nobody asked for that", async () => {
    const world = new TokenWorld()
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    expect(browser.cookies.has(cookie)).toBe(false)
    expect(await browser.get("/token")).toMatchObject({ status: 500, json: { name: "InvalidConfiguration" } })
  })

  it("serve an adapter that cannot list accounts", async () => {
    const { listAccountsByUserId: _left, ...adapter } = MemoryAdapter()
    const world = new TokenWorld({ adapter, session: { providerTokens: true } })
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    world.expire()
    expect(tokenOf(await browser.get("/token"))).not.toBe("the-access-token")
  })
})
