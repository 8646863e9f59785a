/** Where a sign-in ends that went astray: the target travels with `state`, and with the flow. */
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import type { CallbacksOptions } from "../../../../src/core/index.js"
import { locationOf } from "../../../support/core-browser.js"
import { advanceClock, freezeClock, releaseClock } from "../../../support/core-clock.js"
import { oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import type { FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const flowCookies = /\.(?:state|code_verifier|nonce)\./

describe("the target in a state", () => {
  it("passes the redirect callback again, as what is allowed may have changed", async () => {
    const closed: string[] = []
    const redirect: CallbacksOptions["redirect"] = ({ url, baseUrl }) => (closed.includes(url) ? baseUrl : url)
    const { browser, idp } = openSite(oidcAt, { callbacks: { redirect } })
    const callback = idp.approve(await browser.start("idp", { callbackUrl: "https://app.example/account" }))
    closed.push("https://app.example/account")
    browser.jar.forget(/./)

    const restarted = await browser.get(callback.href)

    expect(locationOf(await browser.get(idp.approve(locationOf(restarted)).href))).toBe("https://app.example")
  })

  it("may lie elsewhere, where the redirect callback lets it", async () => {
    const redirect: CallbacksOptions["redirect"] = ({ url }) => url
    const site = openSite(oidcAt, { callbacks: { redirect } })
    const callback = site.idp.approve(await site.browser.start("idp", { callbackUrl: "https://shop.example/cart" }))
    const other = site.another()
    await signIn({ ...site, browser: other })

    expect(locationOf(await other.get(callback.href))).toBe("https://shop.example/cart")
  })

  it("cannot be read by whoever sees the address", async () => {
    const { browser } = openSite()

    const authorizationUrl = await browser.start("idp", { callbackUrl: "/a-private-page" })

    expect(authorizationUrl.href).not.toContain("a-private-page")
    expect(Buffer.from(authorizationUrl.searchParams.get("state") ?? "", "base64url").toString()).not.toContain(
      "private",
    )
  })

  it.each([1, 40, 80, 400, 1900])("never makes it longer than X takes: of %i characters", async (length) => {
    const { browser, idp } = openSite()
    const callbackUrl = `/${"a".repeat(length - 1)}`

    const authorizationUrl = await browser.start("idp", { callbackUrl })
    browser.jar.forget(flowCookies)
    const restarted = await browser.get(idp.approve(authorizationUrl).href)

    expect(authorizationUrl.searchParams.get("state")?.length).toBeLessThanOrEqual(500)
    // Where it did not fit, the cookie still has it.
    const response = await browser.get(idp.approve(locationOf(restarted)).href)
    expect(new URL(locationOf(response)).pathname).toBe(callbackUrl)
  })

  it("is there for any path of an ordinary length", async () => {
    const { browser, idp } = openSite()
    const callbackUrl = `/projects/4711/reports/quarterly?from=2026-01-01&to=2026-03-31#summary`
    const callback = idp.approve(await browser.start("idp", { callbackUrl }))
    browser.jar.forget(/./)
    const restarted = await browser.get(callback.href)

    const response = await browser.get(idp.approve(locationOf(restarted)).href)

    expect(locationOf(response)).toBe(`https://app.example${callbackUrl}`)
  })
})

describe("a state of somebody else's sign-in", () => {
  it("leaves nothing behind that later sign-ins would follow", async () => {
    const { browser, another, idp } = openSite()
    const attacker = another()
    const started = await attacker.start("idp", { callbackUrl: "/account/transfer?to=mallory" })
    await browser.get(idp.refuse(started).href)
    const response = await signIn({ browser, idp })
    expect(locationOf(response)).toBe("https://app.example")
  })

  it("starts nothing from within a frame or an image, and nothing on another day", async () => {
    const { browser, another, idp } = openSite()
    const callback = idp.approve(await another().start("idp"))
    for (const dest of ["iframe", "image", "empty"]) {
      const response = await browser.get(callback.href, { "sec-fetch-dest": dest })
      expect(locationOf(response)).toContain("error=")
    }
    expect(locationOf(await browser.get(callback.href, { "sec-fetch-dest": "document" }))).toContain(idp.issuer)
    advanceClock(25 * 60 * 60)
    expect(locationOf(await browser.get(callback.href))).toContain("error=")
  })
})

describe("a sign-in that failed", () => {
  it.each([
    ["because the person said no", (idp: FaultyProvider, url: URL) => idp.refuse(url)],
    ["because the answer does not hold", (idp: FaultyProvider, url: URL) => broken(idp).approve(url)],
  ])("ends at its own target when it is tried again, whatever other tabs want: %s", async (_, answer) => {
    const { browser, idp } = openSite()
    const first = await browser.start("idp", { callbackUrl: "/first" })
    await browser.start("idp", { callbackUrl: "/second" })
    await browser.get(answer(idp, first).href)
    idp.faults = {}

    const response = await signIn({ browser, idp })

    expect(locationOf(response)).toBe("https://app.example/first")
  })

  function broken(idp: FaultyProvider): FaultyProvider {
    idp.faults = { sign: "broken" }
    return idp
  }
})
