/** The logout rows of the OpenID Foundation's suite for relying parties, by their names, under both session strategies. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { CompactEncrypt } from "jose"
import { MemoryAdapter, MemoryRevocations } from "../../src/adapters/memory.js"
import type { AuthConfig } from "../../src/core/index.js"
import { locationOf, openBrowser, testPorts, type Browser } from "../support/core-browser.js"
import { advanceClock, freezeClock, nowInSeconds, releaseClock } from "../support/core-clock.js"
import { oidcAt, openSite, signIn, type Site } from "../support/core-flow.js"
import { outage, watchedAdapter } from "../support/database-adapter.js"
import { clientId, type FaultyProvider, type Faults } from "../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type Claims = Readonly<Record<string, unknown>>

const event = "http://schemas.openid.net/event/backchannel-logout"

const strategies: Readonly<Record<string, () => Partial<AuthConfig>>> = {
  database: () => ({ adapter: MemoryAdapter() }),
  jwt: () => ({ session: { revocations: MemoryRevocations() } }),
  "jwt with stored users": () => ({
    adapter: MemoryAdapter(),
    session: { strategy: "jwt", revocations: MemoryRevocations() },
  }),
}

/** A site whose provider has an end of sessions, and Ada signed in there in its session `s1`. */
async function openLogoutSite(given: Partial<AuthConfig>): Promise<Site> {
  const site = openSite((idp) => oidcAt(idp, { backChannelLogout: true }), given)
  await signInAs(site, "s1")
  return site
}

async function signInAs(
  site: Pick<Site, "idp" | "browser">,
  sid: string | undefined,
  browser: Browser = site.browser,
): Promise<void> {
  const { idp } = site
  idp.faults = { ...idp.faults, claims: (claims) => ({ ...claims, sid }) }
  await signIn({ idp, browser })
  expect(await browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
}

function honest({ idp }: Pick<Site, "idp">): Claims {
  const iat = nowInSeconds()
  const { issuer: iss } = idp
  return {
    iss,
    aud: clientId,
    iat,
    exp: iat + 120,
    jti: crypto.randomUUID(),
    events: { [event]: {} },
    sub: "ada",
    sid: "s1",
  }
}

async function tokenOf(site: Pick<Site, "idp">, change: (claims: Claims) => Claims, faults: Faults): Promise<string> {
  const { idp } = site
  const before = idp.faults
  idp.faults = { ...before, header: (header) => ({ ...header, typ: "logout+jwt" }), ...faults }
  const token = await idp.sign(change(honest(site)))
  idp.faults = before
  return token
}

/** The provider tells us, server to server, without any cookie. */
function tell({ another }: Pick<Site, "another">, logout_token: string): Promise<Response> {
  return another().post("callback/idp/logout", { logout_token })
}

async function tellOf(site: Site, change = (claims: Claims): Claims => claims, faults: Faults = {}): Promise<Response> {
  return tell(site, await tokenOf(site, change, faults))
}

async function expectAccepted(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([200, ""])
  expect(response.headers.get("cache-control")).toContain("no-store")
  expect(response.headers.getSetCookie()).toEqual([])
}

async function expectRefused({ browser, log }: Site, response: Response): Promise<void> {
  expect([response.status, await response.json()]).toEqual([400, { error: "invalid_request" }])
  expect(response.headers.get("cache-control")).toContain("no-store")
  expect(response.headers.getSetCookie()).toEqual([])
  expect(log.types()).toEqual(["InvalidCheck"])
  expect(await browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
}

const without = (name: string) => (claims: Claims) =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name))
const having = (more: Claims) => (claims: Claims) => ({ ...claims, ...more })
const same = (claims: Claims) => claims

type Fault = readonly [row: string, what: string, change: (claims: Claims) => Claims, faults?: Faults]

/** Jest takes a parameter that a row leaves out for its own. */
const complete = ([row, what, change, faults = {}]: Fault) => [row, what, change, faults] as const

const row = "oidcc-client-test-rp-backchannel-rpinitlogout"
const refusals: readonly Fault[] = [
  ["oidcc-client-test-rp-backchannel-rpinitlogout-alg-none", "the token is not signed", same, { sign: "none" }],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg",
    "it is signed by another algorithm, with a key of the issuer",
    same,
    { sign: "ES256" },
  ],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-alg",
    "it is signed with the client secret, which nobody configured",
    same,
    { sign: "HS256" },
  ],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss",
    "it is of another issuer",
    having({ iss: "https://idp.example1" }),
  ],
  ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-iss", "it has no issuer", without("iss")],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud",
    "it is for another client",
    having({ aud: `${clientId}1` }),
  ],
  ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud", "it is for nobody", without("aud")],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud",
    "it is for a stranger as well",
    having({ aud: [clientId, "stranger"] }),
  ],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-aud",
    "it was made for another party",
    having({ azp: "stranger" }),
  ],
  ["oidcc-client-test-rp-backchannel-rpinitlogout-no-event", "it has no events", without("events")],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event",
    "its event is another one",
    having({ events: { [`${event}1`]: {} } }),
  ],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event",
    "its event is no object",
    having({ events: { [event]: true } }),
  ],
  ["oidcc-client-test-rp-backchannel-rpinitlogout-wrong-event", "its events are a list", having({ events: [event] })],
  [
    "oidcc-client-test-rp-backchannel-rpinitlogout-with-nonce",
    "it has a nonce, as ID tokens do",
    having({ nonce: "n" }),
  ],
]

const furtherRefusals: readonly Fault[] = [
  ["signature", "it is broken", same, { sign: "broken" }],
  ["signature", "it is of another key", same, { sign: "foreign" }],
  ["signature", "its key is none of the issuer's", same, { header: (header) => ({ ...header, kid: "unknown" }) }],
  ["typ", "it is an access token", same, { header: (header) => ({ ...header, typ: "at+jwt" }) }],
  ["iat", "it was issued more than two minutes ago", (claims) => ({ ...claims, iat: nowInSeconds() - 181 })],
  ["iat", "it will be issued", (claims) => ({ ...claims, iat: nowInSeconds() + 61 })],
  ["iat", "it is not known when it was issued", without("iat")],
  ["exp", "it has expired", (claims) => ({ ...claims, exp: nowInSeconds() - 61 })],
  ["jti", "it has no id", without("jti")],
  ["jti", "its id is empty", having({ jti: "" })],
  ["sub, sid", "it names nobody", (claims) => without("sub")(without("sid")(claims))],
  ["sub", "it names a number", having({ sub: 7 })],
  ["sid", "it names a list", having({ sid: ["s1"] })],
  ["sid", "it names an empty session", having({ sid: "" })],
]

describe.each(Object.entries(strategies))("back-channel logout under %s", (_strategy, given) => {
  it(`${row}: the provider ends the session`, async () => {
    const site = await openLogoutSite(given())

    await expectAccepted(await tellOf(site))

    expect(await site.browser.session()).toBeNull()
    expect(site.log.types()).toEqual([])
  })

  it.each([...refusals, ...furtherRefusals].map(complete))(
    "%s: refused, as %s",
    async (_row, _what, change, faults) => {
      const site = await openLogoutSite(given())
      const token = await tokenOf(site, change, faults)

      await expectRefused(site, await tell(site, token))

      // A log is told neither the token nor what it says.
      const secrets = [token, ...token.split(".", 2), "stranger", '"ada"', "'ada'"]
      expect(secrets.filter((secret) => site.log.text().includes(secret))).toEqual([])
    },
  )

  it.each([
    ["without typ", same, { header: ({ typ: _typ, ...header }) => header }],
    ["with the full name of its type", same, { header: (header) => ({ ...header, typ: "application/logout+jwt" }) }],
    ["as a plain JWT", same, { header: (header) => ({ ...header, typ: "JWT" }) }],
    ["without exp", without("exp"), {}],
    ["for us in a list", having({ aud: [clientId] }), {}],
    ["for others too, made for us", having({ aud: [clientId, "stranger"], azp: clientId }), {}],
    ["with other events", having({ events: { [event]: {}, other: 1 } }), {}],
    ["issued a moment ago by a slow clock", (claims) => ({ ...claims, iat: nowInSeconds() - 179 }), {}],
    ["issued a moment ahead by a fast clock", (claims) => ({ ...claims, iat: nowInSeconds() + 59 }), {}],
  ] satisfies readonly (readonly [string, (claims: Claims) => Claims, Faults])[])(
    "takes a token %s",
    async (_how, change, faults) => {
      const site = await openLogoutSite(given())
      await expectAccepted(await tellOf(site, change, faults))
      expect(await site.browser.session()).toBeNull()
    },
  )

  it("refuses a token that comes again", async () => {
    const site = await openLogoutSite(given())
    const token = await tokenOf(site, same, {})
    await expectAccepted(await tell(site, token))
    advanceClock(1)
    await signInAs(site, "s1")

    await expectRefused(site, await tell(site, token))
  })

  it("refuses a post without a token, and one with two", async () => {
    const site = await openLogoutSite(given())
    const token = await tokenOf(site, same, {})
    const twice = new URLSearchParams([
      ["logout_token", token],
      ["logout_token", token],
    ])
    for (const form of [new URLSearchParams(), { logout_token: "" }, { logout_token: "rubbish" }, twice]) {
      const response = await site.another().post("callback/idp/logout", form)
      expect([response.status, await response.json()]).toEqual([400, { error: "invalid_request" }])
    }
    expect(await site.browser.session()).not.toBeNull()
  })

  it("ends one session of a person by sid, and leaves the others", async () => {
    const site = await openLogoutSite(given())
    const [tablet, stranger] = [site.another(), site.another()]
    await signInAs(site, "s2", tablet)
    await signInAs(
      { ...site, idp: Object.assign(site.idp, { person: { sub: "ada2", name: "Ada Lovelace" } }) },
      "s3",
      stranger,
    )

    await expectAccepted(await tellOf(site))

    expect(await site.browser.session()).toBeNull()
    expect(await tablet.session()).not.toBeNull()
    expect(await stranger.session()).not.toBeNull()
  })

  it("ends all sessions of a person by sub, and nobody else's", async () => {
    const site = await openLogoutSite(given())
    const [tablet, stranger] = [site.another(), site.another()]
    await signInAs(site, undefined, tablet)
    await signInAs(
      { ...site, idp: Object.assign(site.idp, { person: { sub: "s1", name: "Ada Lovelace" } }) },
      "ada",
      stranger,
    )

    await expectAccepted(await tellOf(site, without("sid")))

    expect(await site.browser.session()).toBeNull()
    expect(await tablet.session()).toBeNull()
    expect(await stranger.session()).not.toBeNull()
  })

  it("has nothing to end for somebody who never came, and says so is done", async () => {
    const site = await openLogoutSite(given())
    await expectAccepted(await tellOf(site, having({ sub: "grace", sid: "s9" })))
    expect(await site.browser.session()).not.toBeNull()
  })

  it("lets the person sign in again", async () => {
    const site = await openLogoutSite(given())
    await tellOf(site, without("sid"))
    expect(await site.browser.session()).toBeNull()
    advanceClock(1)
    await signInAs(site, "s2")
  })

  it("clears the cookie of a session that was ended", async () => {
    const site = await openLogoutSite(given())
    await tellOf(site)
    await site.browser.get("session")
    expect(site.browser.jar.names().filter((name) => name.includes("session-token"))).toEqual([])
  })

  it("names the provider's session also where the profile comes from userinfo", async () => {
    const provider = (idp: FaultyProvider) => oidcAt(idp, { backChannelLogout: true, idToken: false })
    const site = openSite(provider, given())
    await signInAs(site, "s1")
    const tablet = site.another()
    await signInAs(site, "s2", tablet)

    await expectAccepted(await tellOf(site))

    expect(await site.browser.session()).toBeNull()
    expect(await tablet.session()).not.toBeNull()
  })

  it("is refused where it is encrypted", async () => {
    const site = await openLogoutSite(given())
    const token = new TextEncoder().encode(await tokenOf(site, same, {}))
    const encrypted = await new CompactEncrypt(token)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", cty: "JWT" })
      .encrypt(new Uint8Array(32))
    await expectRefused(site, await tell(site, encrypted))
  })
})

describe(`${row}: sid alone`, () => {
  it("ends token sessions", async () => {
    const site = await openLogoutSite({ session: { revocations: MemoryRevocations() } })
    await expectAccepted(await tellOf(site, without("sub")))
    expect(await site.browser.session()).toBeNull()
  })

  it("cannot be looked for among database sessions, and is refused", async () => {
    const site = await openLogoutSite({ adapter: MemoryAdapter() })
    const response = await tellOf(site, without("sub"))
    expect([response.status, await response.json()]).toEqual([400, { error: "invalid_request" }])
    expect(site.log.types()).toEqual(["UnsupportedStrategy"])
    expect(await site.browser.session()).not.toBeNull()
  })
})

describe(`${row}: a provider of another kind`, () => {
  const revocations = () => ({ session: { revocations: MemoryRevocations() } })

  it("signs by the algorithm that the client has registered for ID tokens", async () => {
    const client = { id_token_signed_response_alg: "HS256" }
    const provider = (idp: FaultyProvider) => oidcAt(idp, { backChannelLogout: true, client })
    const site = openSite(provider, revocations())
    site.idp.faults = { sign: "HS256" }
    await signInAs(site, "s1")

    await expectRefused(site, await tellOf(site, same, { sign: "RS256" }))
    await expectAccepted(await tellOf(site, same, { sign: "HS256" }))

    expect(await site.browser.session()).toBeNull()
  })

  const [tenant, another] = ["6babcaad-604b-40ac-a9d7-9fd97c0b779f", "00000000-0000-0000-0000-000000000000"]
  const isOf = (tid: string | undefined) => having({ iss: `https://idp.example/${tenant}`, tid })

  it("has one document for many tenants, each an issuer of its own", async () => {
    const wellKnown = "https://idp.example/.well-known/openid-configuration"
    const site = openSite((idp) => oidcAt(idp, { backChannelLogout: true, wellKnown }), revocations())
    site.idp.faults = { discovery: (document) => ({ ...document, issuer: "https://idp.example/{tenantid}" }) }

    expect((await tellOf(site, isOf(another))).status).toBe(400)
    expect((await tellOf(site, isOf(undefined))).status).toBe(400)
    expect((await tellOf(site, same)).status).toBe(400)
    await expectAccepted(await tellOf(site, isOf(tenant)))
  })
})

describe(`${row}: when something is out of reach`, () => {
  it.each(Object.keys(strategies))("the provider may try again once its keys can be had (%s)", async (strategy) => {
    const site = await openLogoutSite(strategies[strategy]?.() ?? {})
    let isDown = true
    const fetch: typeof globalThis.fetch = (...asked) =>
      isDown ? Promise.reject(new TypeError("fetch failed")) : site.idp.fetch(...asked)
    const elsewhere = openBrowser({ ...site.config }, testPorts({ fetch }))
    const logout_token = await tokenOf(site, same, {})

    const failed = await elsewhere.post("callback/idp/logout", { logout_token })
    expect([failed.status, failed.headers.get("cache-control")]).toEqual([500, expect.stringContaining("no-store")])
    expect(await site.browser.session()).not.toBeNull()

    isDown = false
    advanceClock(10)
    await expectAccepted(await elsewhere.post("callback/idp/logout", { logout_token }))
    expect(await site.browser.session()).toBeNull()
  })

  const methods = ["getUserByAccount", "listSessionsByUserId", "deleteSession"] as const
  it.each(methods)("the provider may try again once the store works (%s)", async (method) => {
    const watched = watchedAdapter()
    const site = await openLogoutSite({ adapter: watched.adapter, timeouts: { adapter: 0.05 } })
    const token = await tokenOf(site, same, {})
    watched.faults.set(method, () => Promise.reject(outage))

    const failed = await tell(site, token)
    expect([failed.status, failed.headers.get("content-type")]).toEqual([500, "application/problem+json"])
    expect(failed.headers.getSetCookie()).toEqual([])
    expect(site.log.types()).toEqual([method === "deleteSession" ? "SignOutError" : "AdapterError"])
    // Nobody is taken for signed in whom the provider has signed out, where that is known already.
    if (method !== "deleteSession") expect(await site.browser.session()).not.toBeNull()

    watched.faults.clear()
    await expectAccepted(await tell(site, token))
    expect(await site.browser.session()).toBeNull()
  })

  it.each([
    ["fails", () => Promise.reject(outage)],
    ["never answers", () => new Promise<void>(() => undefined)],
  ])("the provider may try again once the memory of ended sessions works that %s", async (_how, revoke) => {
    const revocations = { ...MemoryRevocations() }
    const site = await openLogoutSite({ session: { revocations }, timeouts: { adapter: 0.05 } })
    const token = await tokenOf(site, same, {})
    const { revoke: real } = revocations
    revocations.revoke = revoke

    expect((await tell(site, token)).status).toBe(500)
    expect(await site.browser.session()).not.toBeNull()

    revocations.revoke = real
    await expectAccepted(await tell(site, token))
    expect(await site.browser.session()).toBeNull()
  })

  it.each([
    ["fails", () => Promise.reject(outage)],
    ["never answers", () => new Promise<null>(() => undefined)],
    ["talks nonsense", () => "yesterday" as unknown as null],
  ])("nobody is taken for signed in or out while that memory %s", async (_how, revokedAt) => {
    const revocations = { ...MemoryRevocations() }
    const site = await openLogoutSite({ session: { revocations }, timeouts: { adapter: 0.05 } })
    const { revokedAt: real } = revocations
    revocations.revokedAt = revokedAt

    const response = await site.browser.get("session")

    expect([response.status, response.headers.getSetCookie()]).toEqual([500, []])
    expect(site.log.types()).toEqual(["JWTSessionError"])
    revocations.revokedAt = real
    expect(await site.browser.session()).not.toBeNull()
  })
})

describe("RP-initiated logout", () => {
  /** Signs out here and at the provider; resolves to where the browser is sent. */
  async function leave(site: Site, form: Readonly<Record<string, string>> = {}): Promise<URL> {
    const response = await site.browser.submit("signout", { federated: "true", callbackUrl: "/bye", ...form })
    expect(response.status).toBe(302)
    return new URL(locationOf(response))
  }

  it("oidcc-client-test-rp-init-logout: signed out here, then there, and back to where one wanted to go", async () => {
    const site = await openLogoutSite({ adapter: MemoryAdapter() })
    const { id_token_hint, state, ...rest } = Object.fromEntries((await leave(site)).searchParams)

    expect(await site.browser.session()).toBeNull()
    expect(rest).toEqual({
      client_id: clientId,
      post_logout_redirect_uri: "https://app.example/auth/callback/idp/logout",
    })
    expect(site.idp.secrets.has(id_token_hint ?? "")).toBe(true)
    const back = await site.browser.get(`callback/idp/logout?${new URLSearchParams({ state: state ?? "" })}`)
    expect([back.status, locationOf(back)]).toEqual([302, "https://app.example/bye"])
    expect(back.headers.getSetCookie()).toEqual([])
  })

  it("oidcc-client-test-rp-init-logout-other-state: lands on the front page", async () => {
    const site = await openLogoutSite({ adapter: MemoryAdapter() })
    const state = (await leave(site)).searchParams.get("state") ?? ""
    const others = [`${state}1`, "rubbish", "https://evil.example", "", "a.b.c.d.e"]
    for (const other of others) {
      const back = await site.browser.get(`callback/idp/logout?${new URLSearchParams({ state: other })}`)
      expect([back.status, locationOf(back)]).toEqual([302, "https://app.example"])
    }
    expect(site.log.types()).toEqual([])
  })

  it("oidcc-client-test-rp-init-logout-no-state: lands on the front page", async () => {
    const site = await openLogoutSite({ adapter: MemoryAdapter() })
    await leave(site)
    const back = await site.browser.get("callback/idp/logout?callbackUrl=https://evil.example")
    expect([back.status, locationOf(back)]).toEqual([302, "https://app.example"])
    expect(site.log.types()).toEqual([])
  })
})

it("rubbish that anybody posts has nobody asked for keys", async () => {
  const { browser, idp } = openSite((each) => oidcAt(each, { backChannelLogout: true }), {
    session: { revocations: MemoryRevocations() },
  })
  for (const token of [
    "rubbish",
    "e30.e30.AAAA",
    `e30.${btoa(JSON.stringify({ aud: "somebody else", events: {} }))}.AAAA`,
  ]) {
    expect((await browser.post("callback/idp/logout", { logout_token: token })).status).toBe(400)
  }
  expect(idp.requests).toEqual([])
})
