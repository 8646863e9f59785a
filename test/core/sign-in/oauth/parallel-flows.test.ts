import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { locationOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { checkCookies, oauthAt, oidcAt, openSite } from "../../../support/core-flow.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("two tabs of one browser", () => {
  it.each([
    ["in the order in which they started", [0, 1]],
    ["the other way round", [1, 0]],
  ])("both finish, each where it was to lead: %s", async (_, order) => {
    const { browser, idp } = openSite()
    const callbacks = [
      idp.approve(await browser.start("idp", { callbackUrl: "/first" })),
      idp.approve(await browser.start("idp", { callbackUrl: "/second" })),
    ]

    const targets = []
    for (const index of order) targets[index] = locationOf(await browser.get(callbacks[index]?.href ?? ""))

    expect(targets).toEqual(["https://app.example/first", "https://app.example/second"])
    expect(idp.count("token")).toBe(2)
    expect(checkCookies(browser)).toEqual([])
  })

  it("both finish with different providers", async () => {
    const { browser, idp } = openSite((own) => [oidcAt(own, { id: "one" }), oauthAt(own, { id: "two" })])
    const one = idp.approve(await browser.start("one", { callbackUrl: "/one" }))
    const two = idp.approve(await browser.start("two", { callbackUrl: "/two" }))

    expect(locationOf(await browser.get(one.href))).toBe("https://app.example/one")
    expect(locationOf(await browser.get(two.href))).toBe("https://app.example/two")
  })

  it("do not hurt each other when one is cancelled", async () => {
    const { browser, idp } = openSite()
    const cancelled = idp.refuse(await browser.start("idp"))
    const approved = idp.approve(await browser.start("idp", { callbackUrl: "/account" }))

    await browser.get(cancelled.href)

    expect(checkCookies(browser)).toHaveLength(3)
    expect(locationOf(await browser.get(approved.href))).toBe("https://app.example/account")
  })

  it("have cookies of the same names but for a suffix per flow", async () => {
    const { browser } = openSite()
    await browser.start("idp")
    await browser.start("idp")

    const suffixes = new Set(checkCookies(browser).map((name) => name.split(".").at(-1)))
    expect(checkCookies(browser)).toHaveLength(6)
    expect(suffixes.size).toBe(2)
  })
})
