import { sha256Hex } from "../../../../src/core/crypto/hash.node.js"
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { decode } from "../../../../src/core/jwt.js"
import { configOf, locationOf, openBrowser, secret, setCookiesOf, testPorts } from "../../../support/core-browser.js"
import { advanceClock, freezeClock, nowInSeconds, releaseClock } from "../../../support/core-clock.js"
import { checkCookies, expectRefused, oidcAt, openSite, signIn } from "../../../support/core-flow.js"
import { FaultyProvider } from "../../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("the cookies of a started flow", () => {
  it("are sealed, name their provider, and live for 15 minutes", async () => {
    const { browser } = openSite()
    const { searchParams } = await browser.start("idp")

    const opened = await Promise.all(
      checkCookies(browser).map(async (name) => {
        const salt = name.replace(/\.[0-9a-f]{16}$/, "")
        return decode({ token: browser.jar.get(name) ?? "", secret, salt })
      }),
    )

    const times = { iat: nowInSeconds(), exp: nowInSeconds() + 900 }
    expect(opened).toMatchObject([
      { value: await sha256Hex(searchParams.get("state") ?? ""), provider: "idp", ...times },
      { value: expect.stringMatching(/^[\w-]{43}$/), provider: "idp", ...times },
      { value: searchParams.get("nonce"), provider: "idp", ...times },
    ])
  })

  it("take name and attributes from the configuration", async () => {
    const { browser } = openSite(oidcAt, { cookies: { state: { name: "st", options: { sameSite: "none" } } } })
    await browser.csrfToken()

    const [state] = setCookiesOf(await browser.submit("signin/idp"))

    expect(state?.name).toMatch(/^st\.[0-9a-f]{16}$/)
    expect(state?.attributes.get("samesite")).toBe("None")
  })

  it.each([
    ["of one character", "/"],
    ["of 2 001 characters", `/${"a".repeat(2000)}`],
    ["of 1 982 characters, percent-encoded", `/?${"%C3%A9".repeat(330)}`],
    ["of 2 001 characters beyond ASCII", `/${"é".repeat(2000)}`],
  ])("are never longer than browsers keep, for a target %s", async (_, callbackUrl) => {
    const site = openSite()

    const response = await signIn(site, { callbackUrl })

    expect(new URL(locationOf(response)).origin).toBe("https://app.example")
    expect(await site.browser.session()).not.toBeNull()
  })
})

describe("A-042: each cookie of a flow", () => {
  it("fits into a browser, for the longest target behind a proxy of a long name", async () => {
    const origin = "https://a-preview-of-a-branch-with-a-long-name-1234-team.hosting.example"
    const redirectProxyUrl = "https://the-stable-deployment-of-the-team.example/api/auth"
    const idp = new FaultyProvider()
    const config = configOf({ providers: [oidcAt(idp, { id: "microsoft-entra-id" })], redirectProxyUrl })
    const browser = openBrowser(config, testPorts({ fetch: idp.fetch }), origin)
    const callbackUrl = `/${"a".repeat(2047 - origin.length)}`

    const response = await browser.submit("signin/microsoft-entra-id", { callbackUrl })

    const lengths = setCookiesOf(response).map(({ name, value }) => name.length + value.length)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4096)
  })
})

describe("A-049: the cookies of a flow end with it", () => {
  it("when it is completed", async () => {
    const site = openSite()

    await signIn(site)

    expect(checkCookies(site.browser)).toEqual([])
  })

  it("when the person says no", async () => {
    const { browser, idp } = openSite()

    await browser.get(idp.refuse(await browser.start("idp")).href)

    expect(checkCookies(browser)).toEqual([])
  })

  it("when the answer does not hold", async () => {
    const site = openSite()
    site.idp.faults = { sign: "broken" }

    await expectRefused(site.browser, await signIn(site))

    expect(checkCookies(site.browser)).toEqual([])
  })

  it("when the application refuses", async () => {
    const site = openSite(oidcAt, { callbacks: { signIn: () => false } })

    await signIn(site)

    expect(checkCookies(site.browser)).toEqual([])
  })

  it("when the token endpoint is out of reach", async () => {
    const site = openSite()
    site.idp.faults = { token: () => Promise.reject(new Error("connection reset")) }

    await expectRefused(site.browser, await signIn(site))

    expect(checkCookies(site.browser)).toEqual([])
  })

  it("when 15 minutes have passed", async () => {
    const { browser, idp } = openSite()
    const callback = idp.approve(await browser.start("idp"))
    const names = checkCookies(browser)
    const values = names.map((name) => browser.jar.get(name) ?? "")
    advanceClock(900 + 16)
    names.forEach((name, index) => browser.jar.set(name, values[index] ?? ""))

    await browser.get(callback.href)

    expect(idp.count("token")).toBe(0)
    expect(await browser.session()).toBeNull()
  })
})

describe("cookies of flows that nobody finished", () => {
  it("do not pile up until servers refuse the header", async () => {
    const { browser } = openSite()

    for (let flow = 0; flow < 30; flow++) await browser.start("idp")

    expect(browser.jar.header().length).toBeLessThan(12 * 1024)
  })

  it("give way oldest first", async () => {
    const { browser, idp } = openSite()
    const callbacks = []
    for (let flow = 0; flow < 7; flow++) {
      callbacks.push(idp.approve(await browser.start("idp", { callbackUrl: `/${flow}` })))
      advanceClock(1)
    }
    const kept = new Set(checkCookies(browser).map((name) => name.split(".").at(-1))).size

    const finished = []
    for (const callback of callbacks.slice(-kept)) finished.push(locationOf(await browser.get(callback.href)))

    expect(kept).toBeGreaterThanOrEqual(3)
    expect(finished).toEqual([0, 1, 2, 3, 4, 5, 6].slice(-kept).map((flow) => `https://app.example/${flow}`))
  })

  it("give way oldest first, although all were started in one second", async () => {
    const { browser, idp } = openSite()
    const callbacks = []
    for (let flow = 0; flow < 7; flow++) {
      callbacks.push(idp.approve(await browser.start("idp", { callbackUrl: `/${flow}` })))
    }

    const finished = []
    for (const callback of callbacks.slice(-3)) finished.push(locationOf(await browser.get(callback.href)))

    expect(finished).toEqual(["https://app.example/4", "https://app.example/5", "https://app.example/6"])
  })

  it("leave room for the latest flow, which is completed", async () => {
    const { browser, idp } = openSite()
    for (let flow = 0; flow < 30; flow++) await browser.start("idp")

    await browser.get(idp.approve(await browser.start("idp")).href)

    expect(await browser.session()).not.toBeNull()
  })
})
