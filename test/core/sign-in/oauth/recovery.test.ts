/** A browser that comes back without the cookies of its flow. */
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions } from "../../../../src/core/index.js"
import { errorOf, locationOf, setCookiesOf, type Browser } from "../../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../../support/core-clock.js"
import { checkCookies, expectRefused, oauthAt, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import type { FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const flowCookies = /\.(?:state|code_verifier|nonce)\./

/** Starts a sign-in, loses its cookies, and comes back. */
async function comeBackWithout(browser: Browser, idp: FaultyProvider, lost = flowCookies, form = {}) {
  const callback = idp.approve(await browser.start("idp", form))
  browser.jar.forget(lost)
  return browser.get(callback.href)
}

describe.each([
  ["oidc", oidcAt],
  ["oauth", oauthAt],
] as const)("a flow whose cookies are lost, for %s", (_, provider) => {
  it("starts again, without completing anything", async () => {
    const { browser, idp, log } = openSite(provider)

    const response = await comeBackWithout(browser, idp)

    expect(response.status).toBe(302)
    expect(locationOf(response)).toMatch(/^https:\/\/idp\.example\/authorize\?/)
    expect(idp.count("token")).toBe(0)
    expect(await browser.session()).toBeNull()
    expect(log.errors).toEqual([])
  })

  it("is a flow like any other the second time, and leads where the first was to", async () => {
    const { browser, idp } = openSite(provider)
    const restarted = await comeBackWithout(browser, idp, flowCookies, { callbackUrl: "/account" })

    const response = await browser.get(idp.approve(locationOf(restarted)).href)

    expect(locationOf(response)).toBe("https://app.example/account")
    expect(await browser.session()).not.toBeNull()
    expect(checkCookies(browser)).toEqual([])
  })

  it("has checks of its own the second time", async () => {
    const { browser, idp } = openSite(provider)
    const first = await browser.start("idp")
    browser.jar.forget(flowCookies)
    const second = new URL(locationOf(await browser.get(idp.approve(first).href)))

    for (const name of ["state", "code_challenge"]) {
      expect(second.searchParams.get(name)).toBeTruthy()
      expect(second.searchParams.get(name)).not.toBe(first.searchParams.get(name))
    }
  })

  it("does not start a third time: the browser refuses cookies", async () => {
    const { browser, idp, log } = openSite(provider)
    const restarted = await comeBackWithout(browser, idp)
    browser.jar.forget(flowCookies)

    const response = await browser.get(idp.approve(locationOf(restarted)).href)

    await expectRefused(browser, response, ["Configuration", "OAuthCallbackError"])
    expect(idp.count("token")).toBe(0)
    expect(log.types()).toEqual(["InvalidCheck"])
  })

  it("starts again also when the state alone is lost", async () => {
    const { browser, idp } = openSite(provider)

    const response = await comeBackWithout(browser, idp, /\.state\./)

    expect(new URL(locationOf(response)).origin).toBe("https://idp.example")
    expect(checkCookies(browser).length).toBeGreaterThan(0)
  })

  it("starts again after hours on the provider's page", async () => {
    const { browser, idp } = openSite(provider)
    const callback = idp.approve(await browser.start("idp"))
    advanceClock(5 * 3600)

    const response = await browser.get(callback.href)

    expect(new URL(locationOf(response)).origin).toBe("https://idp.example")
    expect(idp.count("token")).toBe(0)
  })

  it("leads where it was to, although every cookie is gone", async () => {
    const { browser, idp } = openSite(provider)
    const restarted = await comeBackWithout(browser, idp, /./, { callbackUrl: "/account?tab=1#top" })

    const response = await browser.get(idp.approve(locationOf(restarted)).href)

    expect(locationOf(response)).toBe("https://app.example/account?tab=1#top")
  })

  it("leads where it was to in another browser, too, and there whoever is signed in goes on at once", async () => {
    const site = openSite(provider)
    const other = site.another()
    await signIn({ ...site, browser: other }, { callbackUrl: "/elsewhere" })
    const callback = site.idp.approve(await site.browser.start("idp", { callbackUrl: "/account" }))

    expect(locationOf(await other.get(callback.href))).toBe("https://app.example/account")
  })

  it("leads where it was to, not where another tab wants to go", async () => {
    const { browser, idp } = openSite(provider)
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "/first" }))
    await browser.start("idp", { callbackUrl: "/second" })
    browser.jar.forget(flowCookies)

    const restarted = await browser.get(callback.href)

    expect(locationOf(await browser.get(idp.approve(locationOf(restarted)).href))).toBe("https://app.example/first")
  })

  it("is no matter to somebody who is signed in: they go where they wanted", async () => {
    const site = openSite(provider)
    await signIn(site)
    const tokens = site.idp.count("token")

    const response = await comeBackWithout(site.browser, site.idp, flowCookies, { callbackUrl: "/account" })

    expect(locationOf(response)).toBe("https://app.example/account")
    expect(site.idp.count("token")).toBe(tokens)
  })

  it("is an error when the person had said no", async () => {
    const { browser, idp } = openSite(provider)
    const callback = idp.refuse(await browser.start("idp"))
    browser.jar.forget(flowCookies)

    expect(errorOf(await browser.get(callback.href))).toBe("302 /auth/signin?error=OAuthCallbackError")
  })

  it.each(["code_verifier", "nonce"])("is one whose %s cookie alone is lost", async (check) => {
    const { browser, idp } = openSite(provider)
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "/account" }))
    if (!browser.jar.names().some((name) => name.includes(check))) return
    browser.jar.forget(new RegExp(check))

    const restarted = await browser.get(callback.href)

    expect(idp.count("token")).toBe(0)
    expect(locationOf(await browser.get(idp.approve(locationOf(restarted)).href))).toBe("https://app.example/account")
  })
})

describe("the back button after a sign-in", () => {
  it("leads on, instead of to an error", async () => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "/account" }))
    await browser.get(callback.href)

    const response = await browser.get(callback.href)

    expect(locationOf(response)).toBe("https://app.example/account")
    expect(idp.count("token")).toBe(1)
  })
})

describe("what does not start anything again", () => {
  it.each([
    ["a state of somebody's making", "x"],
    ["a session as state", "session"],
    ["no state", ""],
  ])("%s", async (_, state) => {
    const site = openSite()
    await signIn(site)
    const value = state === "session" ? (site.browser.jar.get("__Secure-authjs.session-token") ?? "") : state
    const victim = site.another()

    await expectRefused(victim, await victim.get(`callback/idp?code=abc&state=${value}`), ["Configuration"])
    expect(checkCookies(victim)).toEqual([])
  })

  it("a state of another deployment, with another secret", async () => {
    const other = openSite(oidcAt, { secret: "the secret of somebody else" })
    const callback = other.idp.approve(await other.browser.start("idp"))
    const { browser } = openSite()

    await expectRefused(browser, await browser.get(callback.href), ["Configuration"])
  })

  it("a state of another provider of ours", async () => {
    const { browser, idp } = openSite((own) => [oidcAt(own, { id: "one" }), oidcAt(own, { id: "two" })])
    const callback = idp.approve(await browser.start("one"))
    callback.pathname = "/auth/callback/two"
    browser.jar.forget(flowCookies)

    await expectRefused(browser, await browser.get(callback.href), ["Configuration"])
    expect(idp.count("token")).toBe(0)
  })
})

describe("a recovery that reads the session", () => {
  it("writes what the read changed into the answer", async () => {
    let rotations = 0
    const jwt: CallbacksOptions["jwt"] = ({ token, trigger }) => (trigger ? token : { ...token, rotation: ++rotations })
    const site = openSite(oidcAt, { callbacks: { jwt } })
    await signIn(site)

    const response = await comeBackWithout(site.browser, site.idp)

    expect(rotations).toBe(1)
    expect(setCookiesOf(response).map(({ name }) => name)).toContain("__Secure-authjs.session-token")
  })

  it("is an error of the server when that fails, never a new sign-in", async () => {
    let reads = false
    const jwt = jest.fn<NonNullable<CallbacksOptions["jwt"]>>(({ token }) => {
      if (reads) throw new Error("db down")
      return token
    })
    const site = openSite(oidcAt, { callbacks: { jwt } })
    await signIn(site)
    reads = true

    const response = await comeBackWithout(site.browser, site.idp)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.browser.jar.names()).toContain("__Secure-authjs.session-token")
  })
})
