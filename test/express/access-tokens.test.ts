import { describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import type { AuthConfig } from "../../src/index.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { oauthAt, oidcAt } from "../support/core-flow.js"
import type { Browser } from "../support/express-browser.js"
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

  it("gives the present token also when the provider refuses another one, as long as it is good", async () => {
    const { world, site, browser } = await open()
    world.idp.revoke()
    world.expireSoon()
    for (const _ of [1, 2]) expect(tokenOf(await browser.get("/token"))).toBe("the-access-token")
    expect(site.logged.map(({ name }) => name)).toEqual(["ReauthenticationRequired"])
    expect(world.idp.countRefreshes()).toBe(1)
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
  const keptIn = ({ cookies }: Browser) => [...cookies].filter(([name]) => name.startsWith("authjs.provider-tokens"))

  it("come with the old ones after a refresh that another request has made, and get the new ones", async () => {
    const { world, browser } = await open()
    const old = keptIn(browser)
    world.expire()
    const fresh = tokenOf(await browser.get("/token"))
    for (const [name, value] of old) browser.cookies.set(name, value)
    expect(tokenOf(await browser.get("/token"))).toBe(fresh)
    expect(keptIn(browser)).not.toEqual(old)
    expect(world.idp.countRefreshes()).toBe(1)
  })

  it("count for nothing beside another session, or when somebody wrote them himself", async () => {
    const { world, site, browser } = await open()
    const ownName = keptIn(browser)[0]?.[0] ?? ""
    const grace = site.browser()
    world.idp.person = { sub: "grace", name: "Grace Hopper" }
    await world.signIn(grace)
    const [graceName, value] = keptIn(grace)[0] ?? ["", ""]
    expect(graceName).not.toBe(ownName)
    for (const [name, content] of [
      [graceName, value],
      [ownName, value],
      [ownName, "eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA"],
    ] as const) {
      browser.cookies.delete(ownName)
      browser.cookies.set(name, content)
      expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "not-linked" } })
    }
  })

  it("of somebody else are gone with the next sign-in", async () => {
    const { world, browser } = await open()
    const before = keptIn(browser)
    world.idp.person = { sub: "grace", name: "Grace Hopper" }
    await world.signIn(browser)
    expect(keptIn(browser)).toHaveLength(1)
    expect(keptIn(browser)).not.toEqual(before)
    expect(tokenOf(await browser.get("/token"))).toContain("grace")
  })

  it("keep the refresh token when the same person signs in again and the provider gives none", async () => {
    const { world, browser } = await open()
    world.idp.faults = { token: ({ refresh_token: _left, ...rest }) => rest }
    await world.signIn(browser)
    world.idp.faults = {}
    world.expire()
    expect((await browser.get("/token")).json).toMatchObject({
      accessToken: expect.not.stringMatching(/^the-access-token$/),
    })
  })

  it("live as long as a session that is in use, also where they need no refresh", async () => {
    const world = new TokenWorld({ session: { providerTokens: true } })
    world.idp.faults = { token: ({ expires_in: _left, ...rest }) => rest }
    const browser = (await world.open()).browser()
    await world.signIn(browser)
    for (let week = 0; week < 8; week += 1) {
      world.ahead += 7 * 24 * 60 * 60
      await browser.get("/auth/session")
      expect(tokenOf(await browser.get("/token"))).toBe("the-access-token")
    }
  })

  it("do not lead in circles where refresh tokens come again", async () => {
    const { world, browser } = await open()
    const turns = ["one", "two", "one", "two", "one"]
    world.idp.rotatesRefreshTokens = false
    world.idp.faults = {
      token: ({ expires_in: _left, ...rest }) => ({
        ...rest,
        refresh_token: turns.shift(),
        access_token: crypto.randomUUID(),
      }),
    }
    const seen = new Set<string>()
    for (let round = 0; round < 4; round += 1) {
      const { status, json } = await browser.get("/token?refresh=yes")
      if (status === 200) seen.add((json as { accessToken: string }).accessToken)
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  it("are left out where they are too long for any server, and the person can still sign out", async () => {
    const world = new TokenWorld({ session: { providerTokens: true } })
    world.idp.faults = { token: (honest) => ({ ...honest, access_token: "a".repeat(11_000) }) }
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    expect(keptIn(browser)).toEqual([])
    expect(site.logged.map(({ name }) => name)).toEqual(["InvalidConfiguration"])
    expect((await browser.signOut()).status).toBe(302)
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
    expect([...browser.cookies.keys()].join()).not.toContain("provider-tokens")
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

describe("what one asks for is decided for each who asks", () => {
  async function open(given: Partial<AuthConfig>) {
    const world = new TokenWorld(given)
    const site = await world.open()
    const browser = site.browser()
    await world.signIn(browser)
    return { world, site, browser }
  }

  /** Holds back the token endpoint until all have asked. */
  function gate(world: TokenWorld, answer: (body: Readonly<Record<string, unknown>>) => unknown) {
    const waiting: (() => void)[] = []
    world.idp.faults = {
      token: async (body) => {
        await new Promise<void>((resolve) => waiting.push(resolve))
        return answer(body)
      },
    }
    return async () => {
      while (waiting.length === 0) await new Promise(setImmediate)
      world.idp.faults = {}
      for (const open of waiting) open()
    }
  }

  it.each<[string, () => Partial<AuthConfig>]>([
    ["the account record", () => ({ adapter: MemoryAdapter() })],
    ["the browser", () => ({ session: { providerTokens: true } })],
  ])(
    "with tokens in %s: a failed refresh is a failure to those alone whose API has refused the token",
    async (_, given) => {
      const { world, browser } = await open(given())
      const release = gate(world, () => new Response("down", { status: 503 }))
      world.expireSoon()
      const forced = browser.get("/token?refresh=yes")
      const plain = browser.get("/token")
      await release()
      expect(await forced).toMatchObject({ status: 502 })
      expect(tokenOf(await plain)).toBe("the-access-token")
    },
  )

  it("in one process with a configuration for each tenant, nobody gets a token of another tenant", async () => {
    const worlds = [new TokenWorld({ adapter: MemoryAdapter() }), new TokenWorld({ adapter: MemoryAdapter() })] as const
    const { openTenants } = await import("../support/token-tenants.js")
    const site = await openTenants(worlds)
    const browsers = [site.browser({ tenant: "0" }), site.browser({ tenant: "1" })] as const
    for (const [index, world] of worlds.entries()) {
      world.idp.faults = {
        token: (honest) => ({ ...honest, access_token: `of-tenant-${index}-${crypto.randomUUID()}` }),
      }
      await world.signIn(browsers[index === 0 ? 0 : 1])
    }
    for (const world of worlds) world.expire()
    const replies = await Promise.all(browsers.map((browser) => browser.get("/token")))
    expect(replies.map(tokenOf)).toEqual([expect.stringContaining("tenant-0"), expect.stringContaining("tenant-1")])
    expect(worlds.map(({ idp }) => idp.countRefreshes())).toEqual([1, 1])
  })

  it("a provider that does not say how long a token lasts is not asked each time", async () => {
    const { world, browser } = await open({ adapter: MemoryAdapter() })
    world.idp.faults = { token: ({ expires_in: _left, ...rest }) => rest }
    world.expire()
    const tokens = [tokenOf(await browser.get("/token")), tokenOf(await browser.get("/token"))]
    expect(new Set(tokens).size).toBe(1)
    expect(world.idp.countRefreshes()).toBe(1)
  })

  it("what account() leaves out of the record stays out when tokens are refreshed", async () => {
    const adapter = MemoryAdapter()
    const world = new TokenWorld({ adapter })
    const account: OIDCConfig["account"] = ({ access_token, refresh_token, expires_at }) => ({
      access_token,
      refresh_token,
      expires_at,
    })
    const browser = (await world.open({ providers: [oidcAt(world.idp, { account })] })).browser()
    await world.signIn(browser)
    world.expire()
    const fresh = tokenOf(await browser.get("/token"))
    const stored = await adapter.getAccount("ada", "idp")
    expect(stored).toMatchObject({ access_token: fresh })
    expect(stored?.id_token ?? stored?.scope ?? stored?.token_type ?? null).toBeNull()
  })

  it("a provider with a token exchange of its own is not refreshed in the usual way", async () => {
    const { world } = await open({ adapter: MemoryAdapter() })
    const request = () => ({ tokens: { access_token: "own", refresh_token: "r", expires_in: 120 } })
    const own = oauthAt(world.idp, { token: { url: "https://idp.example/token", request } })
    const browser = (await world.open({ providers: [own], adapter: MemoryAdapter() })).browser()
    await world.signIn(browser)
    world.expire()
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "no-refresh-token" } })
    expect(world.idp.countRefreshes()).toBe(0)
  })

  it("a refresh token of a provider that looks like a lease of ours keeps nobody waiting", async () => {
    const { world, browser } = await open({ adapter: MemoryAdapter() })
    const forged = `latchkey-refreshing;9999999999999999;${crypto.randomUUID()};x`
    world.idp.faults = { token: (honest) => ({ ...honest, refresh_token: forged }) }
    await world.signIn(browser)
    world.idp.faults = {}
    world.expire()
    expect(await browser.get("/token")).toMatchObject({ status: 401, json: { reason: "refused" } })
  })
})
