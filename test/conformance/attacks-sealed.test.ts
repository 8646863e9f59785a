/** What is sealed for one purpose serves no other: A-031, by the attack matrix. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { freezeClock, releaseClock } from "../support/core-clock.js"
import { checkCookies, expectNoSession, openSite, signIn } from "../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("A-031: what is sealed for one purpose", () => {
  it.each(["state", "code_verifier", "nonce"])("is no session: the %s cookie", async (check) => {
    const { browser } = openSite()
    const url = await browser.start("idp")
    const value = browser.jar.get(browser.jar.names().find((name) => name.includes(check)) ?? "") ?? ""

    for (const token of [value, url.searchParams.get("state") ?? ""]) {
      browser.jar.set("__Secure-authjs.session-token", token)
      expect(await browser.session()).toBeNull()
    }
  })

  it("is no check: the session", async () => {
    const site = openSite()
    await signIn(site)
    const session = site.browser.jar.get("__Secure-authjs.session-token") ?? ""
    const victim = site.another()
    const callback = site.idp.approve(await victim.start("idp"))
    for (const name of checkCookies(victim)) victim.jar.set(name, session)
    const tokens = site.idp.count("token")

    await expectNoSession(victim, await victim.get(callback.href))
    expect(site.idp.count("token")).toBe(tokens)
  })
})
