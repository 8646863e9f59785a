/** OpenID Connect RP-Initiated Logout 1.0: signing out here, then at the provider. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { MemoryAdapter } from "../../../src/adapters/memory.js"
import type { AuthConfig } from "../../../src/core/index.js"
import type { OIDCConfig } from "../../../src/providers/kinds.js"
import { locationOf, type Browser } from "../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../support/core-clock.js"
import { oauthAt, oidcAt, openSite, type Site } from "../../support/core-flow.js"
import { byName, enter } from "../../support/core-people.js"
import { outage, watchedAdapter } from "../../support/database-adapter.js"
import { clientId, FaultyProvider, type Faults } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type Id = "idp" | "other"

interface TwoSites extends Site {
  readonly idps: Readonly<Record<Id, FaultyProvider>>
}

interface Given extends Partial<AuthConfig> {
  readonly provider?: Partial<OIDCConfig>
}

/** A site with two OpenID providers, a plain OAuth one and a form, whose users are kept in memory. */
function open({ provider, ...given }: Given = {}): TwoSites {
  const idps = { idp: new FaultyProvider("https://idp.example"), other: new FaultyProvider("https://other.example") }
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { hostname } = new URL(new Request(input).url)
    return hostname === "other.example" ? idps.other.fetch(input, init) : idps.idp.fetch(input, init)
  }
  const providers = (idp: FaultyProvider) => [
    oidcAt(idp, provider),
    oidcAt(idps.other, { id: "other", name: "Other", ...provider }),
    oauthAt(idp, { id: "plain" }),
    byName(),
  ]
  return { ...openSite(providers, { adapter: MemoryAdapter(), ...given }, { fetch }, idps.idp), idps }
}

const withoutEnd: Faults = { discovery: ({ end_session_endpoint: _none, ...document }) => document }

async function signInAt({ idps, browser }: TwoSites, id: Id = "idp"): Promise<void> {
  await browser.get(idps[id].approve(await browser.start(id)).href)
  expect(await browser.session()).not.toBeNull()
}

async function leave(browser: Browser, form: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await browser.submit("signout", { federated: "true", callbackUrl: "/bye", ...form })
  expect(response.status).toBe(302)
  return locationOf(response)
}

const bye = "https://app.example/bye"
const endOf = (address: string) => address.split("?", 1)[0]
const hintIn = (address: string) => new URL(address).searchParams.get("id_token_hint")

function back(browser: Browser, address: string, provider = "idp"): Promise<Response> {
  const state = new URL(address).searchParams.get("state") ?? ""
  return browser.get(`callback/${provider}/logout?${new URLSearchParams({ state })}`)
}

describe("POST signout", () => {
  it.each(["true", "1", "on"])("with federated=%s leads to the provider", async (federated) => {
    const site = open()
    await signInAt(site)
    expect(endOf(await leave(site.browser, { federated }))).toBe("https://idp.example/end_session")
    expect(await site.browser.session()).toBeNull()
  })

  it.each(["false", "0", "", "yes please"])("with federated=%j ends our session alone", async (federated) => {
    const site = open()
    await signInAt(site)
    expect(await leave(site.browser, { federated })).toBe(bye)
    expect(await site.browser.session()).toBeNull()
  })

  it("tells a program where to go", async () => {
    const site = open()
    await signInAt(site)
    const form = { csrfToken: await site.browser.csrfToken(), federated: true, callbackUrl: "/bye" }
    const response = await site.browser.postJson("signout", form, { "x-auth-return-redirect": "1" })
    const { url } = (await response.json()) as { readonly url: string }
    expect([response.status, endOf(url)]).toEqual([200, "https://idp.example/end_session"])
  })

  it("does nothing without the CSRF token", async () => {
    const site = open()
    await signInAt(site)
    const response = await site.browser.post("signout", { federated: "true" })
    expect(locationOf(response)).toContain("error=MissingCSRF")
    expect(await site.browser.session()).not.toBeNull()
  })

  it("tells the application once, as any sign-out does", async () => {
    const told: unknown[] = []
    const site = open({ events: { signOut: (message) => void told.push(message) } })
    await signInAt(site)
    await leave(site.browser)
    expect(told).toEqual([{ session: expect.objectContaining({ userId: expect.any(String) }) }])
  })

  it("does not go to the provider when our own session could not be ended", async () => {
    const watched = watchedAdapter()
    const site = open({ adapter: watched.adapter })
    await signInAt(site)
    watched.faults.set("deleteSession", () => Promise.reject(outage))
    expect(await leave(site.browser)).toContain("https://app.example/auth/error?error=Configuration")
    expect(site.log.types()).toEqual(["SignOutError"])
  })
})

describe("the provider whose session ends", () => {
  it("is the one that the person signed in with", async () => {
    for (const id of ["idp", "other"] as const) {
      const site = open()
      await signInAt(site, id)
      const address = await leave(site.browser)
      expect(endOf(address)).toBe(`https://${id}.example/end_session`)
      expect(site.idps[id].secrets.has(hintIn(address) ?? "")).toBe(true)
    }
  })

  it("is the one with the newest ID token, of several", async () => {
    const site = open()
    await signInAt(site, "other")
    advanceClock(60)
    await signInAt(site, "idp")
    expect(endOf(await leave(site.browser))).toBe("https://idp.example/end_session")
  })

  it("is the one that the form names", async () => {
    const site = open()
    await signInAt(site)
    const address = await leave(site.browser, { provider: "other" })
    // The ID token is of another provider, which must not see it.
    expect([endOf(address), hintIn(address)]).toEqual(["https://other.example/end_session", null])
  })

  it.each(["unknown", "plain", "credentials", "__proto__"])("is not %s, which cannot end one", async (provider) => {
    const site = open()
    await signInAt(site)
    expect(endOf(await leave(site.browser, { provider }))).toBe("https://idp.example/end_session")
  })

  it("is the only one that has an end, where nobody knows", async () => {
    const site = open({ adapter: undefined })
    site.idps.idp.faults = withoutEnd
    await signInAt(site)
    const address = await leave(site.browser)
    expect([endOf(address), hintIn(address)]).toEqual(["https://other.example/end_session", null])
  })

  it("is none, where it may be one of several", async () => {
    const site = open({ adapter: undefined })
    await signInAt(site)
    expect(await leave(site.browser)).toBe(bye)
    expect(site.log.types()).toEqual([])
  })

  it("is known to the store under token sessions, too", async () => {
    const site = open({ session: { strategy: "jwt" } })
    await signInAt(site, "other")
    expect(endOf(await leave(site.browser))).toBe("https://other.example/end_session")
  })

  it("is not asked of a store that has no list of accounts", async () => {
    const { listAccountsByUserId: _none, ...adapter } = MemoryAdapter()
    const site = open({ adapter })
    await signInAt(site)
    expect(await leave(site.browser)).toBe(bye)
    expect(site.log.types()).toEqual([])
  })

  it("may be none of ours, for somebody who signed in by a form", async () => {
    const site = open({ session: { strategy: "jwt" } })
    await enter(site.browser)
    expect(await leave(site.browser)).toBe(bye)
  })
})

describe("signing out here works", () => {
  it("without an end at the provider", async () => {
    const site = open()
    site.idps.idp.faults = withoutEnd
    await signInAt(site)
    expect(await leave(site.browser)).toBe(bye)
    expect(await site.browser.session()).toBeNull()
    expect(site.log.types()).toEqual([])
  })

  it.each(["javascript:alert(1)", "http://idp.example/end_session", "nonsense", 7, null])(
    "with an end at %j",
    async (end_session_endpoint) => {
      const site = open()
      site.idps.idp.faults = { discovery: (document) => ({ ...document, end_session_endpoint }) }
      await signInAt(site)
      expect(await leave(site.browser)).toBe(bye)
      expect(await site.browser.session()).toBeNull()
      expect(site.log.types()).toEqual(["SignOutError"])
    },
  )

  it("while the provider is out of reach", async () => {
    const site = open()
    await signInAt(site)
    for (const id of ["idp", "other"] as const) {
      site.idps[id].faults = { discovery: () => Promise.reject(new TypeError("fetch failed")) }
    }
    // Longer than any document is used.
    advanceClock(25 * 60 * 60)
    expect(await leave(site.browser)).toBe(bye)
    expect(await site.browser.session()).toBeNull()
    expect(site.log.types()).toEqual(["SignOutError"])
  })

  it("while the store cannot say who it is", async () => {
    const watched = watchedAdapter()
    const site = open({ adapter: watched.adapter, timeouts: { adapter: 0.05 } })
    await signInAt(site)
    watched.faults.set("listAccountsByUserId", () => Promise.reject(outage))
    expect(await leave(site.browser)).toBe(bye)
    expect(await site.browser.session()).toBeNull()
    expect(site.log.types()).toEqual(["SignOutError"])
  })
})

describe("the address of the end", () => {
  it("keeps its own query, and says who asks and where to return", async () => {
    const site = open()
    site.idps.idp.faults = {
      discovery: (document) => ({ ...document, end_session_endpoint: "https://idp.example/end_session?p=1" }),
    }
    await signInAt(site)
    const address = new URL(await leave(site.browser))
    expect([...address.searchParams.keys()].sort()).toEqual(
      ["p", "client_id", "id_token_hint", "post_logout_redirect_uri", "state"].sort(),
    )
    expect(address.searchParams.get("client_id")).toBe(clientId)
    expect(address.searchParams.get("post_logout_redirect_uri")).toBe("https://app.example/auth/callback/idp/logout")
  })

  it("returns to what the client metadata say first", async () => {
    const post_logout_redirect_uris = ["https://app.example/left", "https://app.example/else"]
    const site = open({ provider: { client: { post_logout_redirect_uris } } })
    await signInAt(site)
    const { searchParams } = new URL(await leave(site.browser))
    expect(searchParams.get("post_logout_redirect_uri")).toBe("https://app.example/left")
  })

  it("leaves out an ID token that is too long for an address", async () => {
    const site = open()
    site.idps.idp.person = { sub: "ada", name: "Ada Lovelace", groups: "g".repeat(5000) }
    await signInAt(site)
    const address = await leave(site.browser)
    expect([endOf(address), hintIn(address)]).toEqual(["https://idp.example/end_session", null])
  })
})

describe("GET callback/:provider/logout", () => {
  it("leads to where the person wanted to go, as the redirect callback now says", async () => {
    const site = open()
    await signInAt(site)
    const answer = await back(site.browser, await leave(site.browser))
    expect([answer.status, locationOf(answer), answer.headers.getSetCookie()]).toEqual([302, bye, []])
  })

  it("works in a browser that keeps no cookies, and after the session is long gone", async () => {
    const site = open()
    await signInAt(site)
    const address = await leave(site.browser)
    expect(locationOf(await back(site.another(), address))).toBe(bye)
  })

  it("leads to the front page where the callback URL was foreign", async () => {
    const site = open()
    await signInAt(site)
    const address = await leave(site.browser, { callbackUrl: "https://evil.example/" })
    expect(locationOf(await back(site.browser, address))).toBe("https://app.example")
  })

  it("takes no state of another provider, nor an old one, nor that of a sign-in", async () => {
    const site = open()
    await signInAt(site)
    const address = await leave(site.browser)
    const signIn = (await site.browser.start("idp")).href
    expect(locationOf(await back(site.browser, address, "other"))).toBe("https://app.example")
    expect(locationOf(await back(site.browser, address, "unknown"))).toBe("https://app.example")
    expect(locationOf(await back(site.browser, signIn))).toBe("https://app.example")
    advanceClock(60 * 60 + 16)
    expect(locationOf(await back(site.browser, address))).toBe("https://app.example")
    expect(site.log.types()).toEqual([])
  })

  it("does not start or complete a sign-in", async () => {
    const site = open()
    const answer = site.idps.idp.approve(await site.browser.start("idp"))
    const reply = await site.browser.get(`callback/idp/logout${answer.search}`)
    expect(locationOf(reply)).toBe("https://app.example")
    expect(await site.browser.session()).toBeNull()
    // The flow is not spent: it belongs to another path.
    await site.browser.get(answer.href)
    expect(await site.browser.session()).not.toBeNull()
  })

  it.each(["HEAD", "PUT", "DELETE", "PATCH"])("is not answered to %s", async (method) => {
    const { browser } = open()
    const answer = await browser.send(method, "callback/idp/logout")
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"])
    expect(answer.headers.getSetCookie()).toEqual([])
  })
})

describe("POST callback/:provider/logout", () => {
  it.each(["idp", "plain", "credentials", "unknown", "__proto__"])("is not there for %s", async (provider) => {
    const { browser } = open()
    const answer = await browser.post(`callback/${provider}/logout`, { logout_token: "x" })
    expect([answer.status, await answer.text(), answer.headers.getSetCookie()]).toEqual([404, "", []])
  })
})

describe("GET signout", () => {
  const saysFederated = /name="(?:federated|provider)"|signs you out|signed out/

  it("says that the provider's session ends, too, and asks for that", async () => {
    const { browser } = open()
    const html = await (await browser.get("signout?federated=true&provider=idp")).text()
    expect(html).toContain("This also signs you out at Idp.")
    expect(html).toContain('name="federated" value="true"')
    expect(html).toContain('name="provider" value="idp"')
  })

  const queries = ["federated=1", "federated=1&provider=nobody", "federated=1&provider=plain"]

  it.each(queries)("names no provider for %s where it may be one of several", async (query) => {
    const { browser } = open()
    const html = await (await browser.get(`signout?${query}`)).text()
    expect(html).toContain("You will also be signed out of the account you signed in with, where that is possible.")
    expect(html).not.toContain("This also signs you out")
    expect(html).toContain('name="federated" value="true"')
    expect(html).not.toContain('name="provider"')
  })

  it.each(queries)("names the only OpenID provider for %s, and leaves the choice to the sign-out", async (query) => {
    const { browser } = openSite((idp) => [oidcAt(idp), oauthAt(idp, { id: "plain" }), byName()])
    const html = await (await browser.get(`signout?${query}`)).text()
    expect(html).toContain("This also signs you out at Idp.")
    expect(html).toContain('name="federated" value="true"')
    expect(html).not.toContain('name="provider"')
  })

  it.each(queries)("promises nothing for %s where there is no OpenID provider", async (query) => {
    const { browser } = openSite((idp) => [oauthAt(idp, { id: "plain" }), byName()])
    const answer = await browser.get(`signout?${query}`)
    const html = await answer.text()
    expect(html).toContain('<button id="submitButton" type="submit">Sign out</button>')
    expect(html).not.toMatch(saysFederated)
    expect(answer.headers.get("content-security-policy")).toContain("form-action 'self';")
  })

  it("lets the form lead to the provider", async () => {
    const { browser } = open()
    const policyOf = async (path: string) => (await browser.get(path)).headers.get("content-security-policy")
    expect(await policyOf("signout?federated=true")).toContain("form-action 'self' https: http:;")
    expect(await policyOf("signout")).toContain("form-action 'self';")
  })

  it("says nothing of it otherwise", async () => {
    const { browser } = open()
    for (const query of ["", "?provider=idp", "?federated=false"]) {
      const html = await (await browser.get(`signout${query}`)).text()
      expect(html).not.toMatch(saysFederated)
    }
  })

  it("tells a page of the application's own", async () => {
    const { browser } = open({ pages: { signOut: "/leave" } })
    const to = async (path: string) => locationOf(await browser.get(path))
    expect(await to("signout?federated=true&provider=idp")).toBe(
      "https://app.example/leave?federated=true&provider=idp",
    )
    expect(await to("signout?federated=true")).toBe("https://app.example/leave?federated=true")
    expect(await to("signout?provider=idp")).toBe("https://app.example/leave")
  })
})
