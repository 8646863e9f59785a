/** A code that the provider does not take any more: a second click that another process has answered already. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { customFetch } from "../../../../src/core/symbols.js"
import GitHub from "../../../../src/providers/github.js"
import type { OAuthConfig } from "../../../../src/providers/kinds.js"
import { errorOf, locationOf, openBrowser, testPorts, type Browser } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import {
  checkCookies,
  expectRefused,
  oauthAt,
  oidcAt,
  openSite,
  signIn,
  type Site,
} from "../../../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/** The same browser in front of another process of the site: cookies are shared, memory is not. */
function elsewhere({ config, idp, browser }: Site): Browser {
  const other = openBrowser({ ...config }, testPorts({ fetch: idp.fetch }))
  for (const name of browser.jar.names()) other.jar.set(name, browser.jar.get(name) ?? "")
  return other
}

describe.each([
  ["oidc", oidcAt],
  ["oauth", oauthAt],
] as const)("a code that was used in another process, for %s", (_, provider) => {
  /** Both processes get the callback, with the cookies of the flow. */
  async function useTwice(): Promise<{ readonly site: Site; readonly second: Browser; readonly callback: string }> {
    const site = openSite(provider)
    const callback = site.idp.approve(await site.browser.start("idp", { callbackUrl: "/account" })).href
    const second = elsewhere(site)
    await site.browser.get(callback)
    expect(site.idp.count("token")).toBe(1)
    return { site, second, callback }
  }

  it("starts again, and ends where the first was to", async () => {
    const { site, second, callback } = await useTwice()

    const restarted = await second.get(callback)

    expect(locationOf(restarted)).toMatch(/^https:\/\/idp\.example\/authorize\?/)
    expect(await second.session()).toBeNull()
    expect(site.log.errors).toEqual([])
    expect(site.log.debugs.map(([message]) => message)).toContain("the provider does not take the code any more")
    const response = await second.get(site.idp.approve(locationOf(restarted)).href)
    expect(locationOf(response)).toBe("https://app.example/account")
    expect(await second.session()).not.toBeNull()
    expect(checkCookies(second)).toEqual([])
  })

  it("is no matter to somebody who is signed in: they go where they wanted", async () => {
    const { site, second, callback } = await useTwice()
    const session = "__Secure-authjs.session-token"
    second.jar.set(session, site.browser.jar.get(session) ?? "")

    expect(locationOf(await second.get(callback))).toBe("https://app.example/account")
    expect(second.jar.get(session)).toBe(site.browser.jar.get(session))
    expect(site.log.errors).toEqual([])
  })
})

describe("a provider that takes no code", () => {
  const takesNone = { token: () => Response.json({ error: "invalid_grant" }, { status: 400 }) }

  it("is asked twice, and then it is an error that says so", async () => {
    const site = openSite()
    site.idp.faults = takesNone

    const restarted = await signIn(site)
    const response = await site.browser.get(site.idp.approve(locationOf(restarted)).href)

    await expectRefused(site.browser, response, ["Configuration"])
    expect(site.idp.count("token")).toBe(2)
    expect(site.log.types()).toEqual(["CallbackRouteError"])
    expect(site.log.text()).toContain("invalid_grant")
    expect(checkCookies(site.browser)).toEqual([])
  })

  it("has asked for nothing of what the first request asked for, but for the checks", async () => {
    const site = openSite()
    site.idp.faults = takesNone
    const first = await site.browser.start("idp", {}, "?prompt=login")

    const restarted = new URL(locationOf(await site.browser.get(site.idp.approve(first).href)))

    expect(restarted.searchParams.has("prompt")).toBe(false)
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(restarted.searchParams.get(name)).not.toBe(first.searchParams.get(name))
    }
  })

  it.each(["invalid_client", "invalid_request", "unauthorized_client", "server_error"])(
    "for another reason is an error at once: %s",
    async (error) => {
      const site = openSite()
      site.idp.faults = { token: () => Response.json({ error }, { status: 400 }) }

      expect(errorOf(await signIn(site))).toBe("302 /auth/error?error=Configuration")
      expect(site.idp.count("token")).toBe(1)
    },
  )
})

describe("GitHub, which has its own word for it", () => {
  it("is asked again as well", async () => {
    const site = openSite((idp) => {
      const refuse: typeof fetch = async () => Response.json({ error: "bad_verification_code" })
      return GitHub({
        clientId: "client",
        clientSecret: "secret",
        [customFetch]: refuse,
        issuer: idp.issuer,
      }) as OAuthConfig
    })
    const callback = site.idp.approve(await site.browser.start("github"))

    expect(locationOf(await site.browser.get(callback.href))).toMatch(
      /^https:\/\/github\.com\/login\/oauth\/authorize\?/,
    )
    expect(site.log.errors).toEqual([])
  })
})
