/** A browser that fetches a page in advance, which nobody may ever look at. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { checkCookies, oauthAt, oidcAt, openSite, signIn } from "../../support/core-flow.js"
import { enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const speculations: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["a prefetch", { "sec-purpose": "prefetch" }],
  ["a prerender", { "sec-purpose": "prefetch;prerender" }],
  ["a prefetch by way of a proxy", { "sec-purpose": "prefetch;anonymous-client-ip" }],
  ["an old Chromium's prefetch", { purpose: "prefetch" }],
  ["Firefox's prefetch", { "x-moz": "prefetch" }],
  ["Safari's preview", { "x-purpose": "preview" }],
]

function expectDropped(response: Response): void {
  expect({
    status: response.status,
    cookies: setCookiesOf(response),
    location: response.headers.get("location"),
  }).toEqual({ status: 503, cookies: [], location: null })
  expect(response.headers.get("cache-control")).toContain("no-store")
}

describe.each(speculations)("%s", (_, headers) => {
  it.each([
    ["oidc", oidcAt],
    ["oauth", oauthAt],
  ] as const)("of a callback completes nothing, and the visit that follows does: %s", async (_kind, provider) => {
    const { browser, idp, log } = openSite(provider)
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "/account" }))

    expectDropped(await browser.get(callback.href, headers))
    expect(idp.count("token")).toBe(0)
    expect(await browser.session()).toBeNull()
    expect(log.errors).toEqual([])

    expect((await browser.get(callback.href)).headers.get("location")).toBe("https://app.example/account")
    expect(await browser.session()).not.toBeNull()
  })

  it("of a callback without its cookies starts nothing again", async () => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    browser.jar.forget(/./)

    expectDropped(await browser.get(callback.href, headers))
    expect(checkCookies(browser)).toEqual([])
  })

  it("of a callback is not passed on by a redirect proxy", async () => {
    const { browser, idp } = openSite((own) => oidcAt(own, { redirectProxyUrl: "https://stable.example/auth" }))
    const callback = idp.approve(await browser.start("idp"))

    expectDropped(await browser.answer(new Request(callback, { headers })))
  })

  it("of a sign-in starts none", async () => {
    const { browser, idp } = openSite()

    expectDropped(await browser.submit("signin/idp", {}, headers))
    expect(checkCookies(browser)).toEqual([])
    expect(idp.requests).toEqual([])
  })

  it("signs nobody in by credentials, and nobody out", async () => {
    const { browser } = openPeople()

    expectDropped(
      await browser.post("callback/credentials", { csrfToken: await browser.csrfToken(), name: "ann" }, headers),
    )
    expect(await browser.session()).toBeNull()
    await enter(browser)
    expectDropped(await browser.submit("signout", {}, headers))
    expect(await browser.session()).not.toBeNull()
  })

  it("of what changes nothing is answered: the session, and the pages", async () => {
    const site = openSite()
    await signIn(site)

    expect((await site.browser.get("session", headers)).status).toBe(200)
    expect((await site.browser.get("signin", headers)).status).toBe(200)
  })
})

it.each([
  ["a purpose that nobody knows", { "sec-purpose": "prefetching" }],
  ["another purpose of today", { "sec-purpose": "speculation-rules" }],
  ["an empty purpose", { purpose: "" }],
])("%s is no prefetch", async (_, headers) => {
  const { browser, idp } = openSite()
  const callback = idp.approve(await browser.start("idp"))

  await browser.get(callback.href, headers)

  expect(await browser.session()).not.toBeNull()
})
