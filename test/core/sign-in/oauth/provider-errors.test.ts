/** A provider that says no. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf, locationOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import {
  checkCookies,
  expectNoSession,
  expectRefused,
  oauthAt,
  oidcAt,
  openSite,
  signIn,
} from "../../../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const codes = [
  "access_denied",
  "login_required",
  "consent_required",
  "interaction_required",
  "temporarily_unavailable",
  "server_error",
  "invalid_scope",
  "something_of_their_own",
]

describe.each([
  ["oidc", oidcAt],
  ["oauth", oauthAt],
] as const)("A-077: an error from the provider, for %s", (_, provider) => {
  it.each(codes)("leads to the sign-in page, where one can try again: %s", async (code) => {
    const site = openSite(provider)
    const { browser, idp, log } = site

    const response = await browser.get(idp.refuse(await browser.start("idp"), code).href)

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthCallbackError")
    expect(log.types()).toEqual(["OAuthCallbackError"])
    expect(log.errors[0]?.cause).toMatchObject({ provider: "idp", code })
    expect(idp.count("token")).toBe(0)
    await expectNoSession(browser, response)
    expect(checkCookies(browser)).toEqual([])

    const page = await browser.follow(response)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain("cancelled or could not be completed")
    await signIn(site)
    expect(await browser.session()).not.toBeNull()
  })

  it("leads to the application's own sign-in page", async () => {
    const { browser, idp } = openSite(provider, { pages: { signIn: "/login?theme=dark" } })

    const response = await browser.get(idp.refuse(await browser.start("idp")).href)

    expect(locationOf(response)).toBe("https://app.example/login?theme=dark&error=OAuthCallbackError")
  })

  it("does not end a session that is there", async () => {
    const site = openSite(provider)
    await signIn(site)

    await site.browser.get(site.idp.refuse(await site.browser.start("idp")).href)

    expect(await site.browser.session()).not.toBeNull()
  })

  it("with a state that is not ours is not believed", async () => {
    const { browser } = openSite(provider)

    await expectRefused(browser, await browser.get("callback/idp?error=access_denied&state=x"), ["Configuration"])
  })
})
