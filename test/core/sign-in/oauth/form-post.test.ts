/** Providers that send the browser back with a POST (OAuth 2.0 Form Post Response Mode). */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf, locationOf, setCookiesOf, type Browser } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import type { Profile } from "../../../../src/core/types.js"
import { expectRefused, oidcAt, openSite } from "../../../support/core-flow.js"
import type { FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const formPost = (idp: FaultyProvider) =>
  oidcAt(idp, { authorization: { params: { scope: "openid", response_mode: "form_post" } } })

/** What a browser does with a form from another site: it leaves its `SameSite=Lax` cookies at home. */
function postFromElsewhere(browser: Browser, callback: URL, more: Readonly<Record<string, string>> = {}) {
  const { origin, pathname, searchParams } = callback
  return browser.answer(
    new Request(origin + pathname, {
      method: "POST",
      body: new URLSearchParams([...searchParams, ...Object.entries(more)]),
    }),
  )
}

describe("A-073: an answer that is posted", () => {
  it("is asked for again by GET, to which the browser brings its cookies", async () => {
    const { browser, idp } = openSite(formPost)
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "/account" }))

    const posted = await postFromElsewhere(browser, callback)

    expect([posted.status, locationOf(posted)]).toEqual([303, callback.href])
    expect(idp.count("token")).toBe(0)
    expect(locationOf(await browser.get(locationOf(posted)))).toBe("https://app.example/account")
    expect(await browser.session()).not.toBeNull()
  })

  it("leaves the tokens of open forms alone", async () => {
    const { browser, idp } = openSite(formPost)
    const csrfToken = await browser.csrfToken()
    const posted = await postFromElsewhere(browser, idp.approve(await browser.start("idp")))
    browser.jar.store(posted, { protocol: "https:" })
    await browser.get(locationOf(posted))

    const response = await browser.post("signout", { csrfToken })

    expect(locationOf(response)).toBe("https://app.example")
  })

  it("of a state that is not ours is refused", async () => {
    const { browser, idp } = openSite(formPost)
    const callback = idp.approve(await browser.start("idp"))
    callback.searchParams.set("state", "x")

    await expectRefused(browser, await browser.get(locationOf(await postFromElsewhere(browser, callback))))
    expect(idp.count("token")).toBe(0)
  })

  it("carries nothing along that is no part of an answer", async () => {
    const { browser, idp } = openSite(formPost)
    const callback = idp.approve(await browser.start("idp"))

    const posted = await postFromElsewhere(browser, callback, { callbackUrl: "//evil.example", x: "1" })

    expect([...new URL(locationOf(posted)).searchParams.keys()]).toEqual(["code", "state"])
    expect(setCookiesOf(posted).filter(({ value }) => value.includes("evil"))).toEqual([])
  })

  it("with an ID token beside the code is refused", async () => {
    const { browser, idp } = openSite(formPost)
    const posted = await postFromElsewhere(browser, idp.approve(await browser.start("idp")), { id_token: "x.y.z" })

    const response = posted.status === 303 ? await browser.get(locationOf(posted)) : posted

    await expectRefused(browser, response)
    expect(idp.count("token")).toBe(0)
  })

  it("A-059: with tokens beside the code does not bring them into an address", async () => {
    const { browser, idp } = openSite(formPost)
    const callback = idp.approve(await browser.start("idp"))

    const posted = await postFromElsewhere(browser, callback, { id_token: "x.y.z", access_token: "an-access-token" })

    expect(posted.headers.get("location") ?? "").not.toMatch(/x\.y\.z|an-access-token/)
  })

  it("without any cookie of a flow completes nothing", async () => {
    const { browser, idp, another } = openSite(formPost)
    const callback = idp.approve(await browser.start("idp"))
    const victim = another()

    const response = await victim.get(locationOf(await postFromElsewhere(victim, callback)))

    expect(new URL(locationOf(response)).origin).toBe("https://idp.example")
    expect(idp.count("token")).toBe(0)
    expect(await victim.session()).toBeNull()
  })

  it("as JSON is refused: browsers post forms", async () => {
    const { browser, idp } = openSite(formPost)
    const { origin, pathname, searchParams } = idp.approve(await browser.start("idp"))

    await expectRefused(browser, await browser.postJson(origin + pathname, Object.fromEntries(searchParams)))
    expect(idp.count("token")).toBe(0)
  })

  it("is not read where no post was asked for", async () => {
    const { browser, idp } = openSite()

    await expectRefused(browser, await postFromElsewhere(browser, idp.approve(await browser.start("idp"))))
    expect(idp.count("token")).toBe(0)
  })

  it("leaves the session of whoever is signed in alone, though its cookie did not come with it", async () => {
    const site = openSite(formPost)
    await site.browser.get(
      locationOf(await postFromElsewhere(site.browser, site.idp.approve(await site.browser.start("idp")))),
    )
    const session = site.browser.jar.get("__Secure-authjs.session-token")

    const posted = await postFromElsewhere(site.browser, site.idp.approve(await site.browser.start("idp")))
    site.browser.jar.store(posted, { protocol: "https:" })

    expect(session).toBeDefined()
    expect(site.browser.jar.get("__Secure-authjs.session-token")).toBe(session)
  })

  it("with two codes is refused", async () => {
    const { browser, idp } = openSite(formPost)
    const posted = await postFromElsewhere(browser, idp.approve(await browser.start("idp")), { code: "other" })

    await expectRefused(browser, await browser.get(locationOf(posted)))
    expect(idp.count("token")).toBe(0)
  })

  it("oidcc-client-test-form-post-error: of an error leads to the sign-in page", async () => {
    const { browser, idp } = openSite(formPost)
    const callback = idp.refuse(await browser.start("idp"), "login_required")

    const response = await browser.get(locationOf(await postFromElsewhere(browser, callback)))

    expect(errorOf(response)).toBe("302 /auth/signin?error=OAuthCallbackError")
  })

  it("gives the name that Apple tells once to profile()", async () => {
    const users: unknown[] = []
    const { browser, idp } = openSite((own) => ({
      ...formPost(own),
      profile: ({ user, sub }: Profile) => (users.push(user), { id: sub ?? "" }),
    }))
    const user = { name: { firstName: "Ada" } }

    for (const value of [JSON.stringify(user), "no JSON", undefined]) {
      const callback = idp.approve(await browser.start("idp"))
      const posted = await postFromElsewhere(browser, callback, value === undefined ? {} : { user: value })
      await browser.get(locationOf(posted))
    }

    expect(users).toEqual([user, undefined, undefined])
  })
})
