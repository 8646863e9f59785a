import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { errorOf, setCookiesOf, type Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const cookieName = "__Host-authjs.csrf-token"
const missing = "302 /auth/signin?error=MissingCSRF"
const guarded = ["signin", "signin/credentials", "signin/nope", "signout", "callback/credentials"]
const named = ["signin", "signin/credentials", "signout", "callback/credentials"]

describe("A-012: a POST without the token", () => {
  it.each(named)("leads to the sign-in page: %s", async (path) => {
    const { browser, log } = openPeople()
    await enter(browser)

    expect(errorOf(await browser.post(path, { name: "eve" }))).toBe(missing)
    expect(log.types()).toEqual(["MissingCSRF"])
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it("leads to the application's own sign-in page", async () => {
    const { browser } = openPeople({ pages: { signIn: "/login" } })

    expect(errorOf(await browser.post("signout"))).toBe("302 /login?error=MissingCSRF")
  })

  it("gets 400 and null for the session", async () => {
    const { browser } = openPeople()
    await enter(browser)

    const response = await browser.postJson("session", { data: { name: "eve" } })

    expect([response.status, await response.text()]).toEqual([400, "null"])
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})

describe("A-013: a token that is wrong", () => {
  const changeLast = (token: string) => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0")
  const wrong: readonly (readonly [name: string, change: (token: string) => string])[] = [
    ["empty", () => ""],
    ["too short", () => "x"],
    ["changed in its last character", changeLast],
    ["in capitals", (token) => token.toUpperCase()],
    ["followed by something", (token) => `${token}|`],
    ["preceded by a blank", (token) => ` ${token}`],
    ["the whole cookie", (token) => `${token}|${"0".repeat(64)}`],
    ["of 60 KB", () => "a".repeat(60_000)],
  ]

  it.each(wrong)("is refused: %s", async (_, change) => {
    const { browser } = openPeople()

    expect(errorOf(await browser.post("signout", { csrfToken: change(await browser.csrfToken()) }))).toBe(missing)
  })

  it.each([
    ["of three parts", "a|b|c"],
    ["without a hash", "a".repeat(64)],
    ["with a hash of zeros", `${"a".repeat(64)}|${"0".repeat(64)}`],
    ["made with another secret", "a".repeat(64) + "|903c1490e042a075338b0e597cd889260f671063edb09ab070d2634e8277cf9c"],
    ["empty", ""],
  ])("in its cookie is refused, and replaced: %s", async (_, cookie) => {
    const { browser } = openPeople()
    await browser.csrfToken()
    browser.jar.set(cookieName, encodeURIComponent(cookie))

    const response = await browser.post("signout", { csrfToken: "a".repeat(64) })

    expect(errorOf(response)).toBe(missing)
    expect(setCookiesOf(response).map(({ name }) => name)).toContain(cookieName)
  })

  it("of another browser is refused", async () => {
    const { browser, another } = openPeople()
    const foreign = await another().csrfToken()
    await browser.csrfToken()

    expect(errorOf(await browser.post("signout", { csrfToken: foreign }))).toBe(missing)
  })
})

describe("A-019: when the secret is changed", () => {
  const withSecret = (browser: Browser, secret: string | readonly string[]) => {
    const next = openPeople({ secret }).browser
    for (const name of browser.jar.names()) next.jar.set(name, browser.jar.get(name) ?? "")
    return next
  }

  it("the old token is good as long as the old secret is listed", async () => {
    const { browser } = openPeople({ secret: "the old secret" })
    const csrfToken = await browser.csrfToken()

    const rotated = withSecret(browser, ["the new secret", "the old secret"])

    expect((await rotated.post("signout", { csrfToken })).headers.get("location")).toBe("https://app.example")
  })

  it("it is refused afterwards, and replaced by a good one", async () => {
    const { browser } = openPeople({ secret: "the old secret" })
    const csrfToken = await browser.csrfToken()

    const rotated = withSecret(browser, ["the new secret"])

    expect(errorOf(await rotated.post("signout", { csrfToken }))).toBe(missing)
    expect((await rotated.submit("signout")).headers.get("location")).toBe("https://app.example")
  })
})

describe("A-020: the token", () => {
  const post = (browser: Browser, fields: readonly (readonly [string, string])[], path = "signout") =>
    browser.post(path, new URLSearchParams(fields.map(([name, value]) => [name, value])))

  it("may not be given twice", async () => {
    const { browser } = openPeople()
    const token = await browser.csrfToken()

    expect(
      errorOf(
        await post(browser, [
          ["csrfToken", token],
          ["csrfToken", token],
        ]),
      ),
    ).toBe(missing)
  })

  it("may not be a list", async () => {
    const { browser } = openPeople()

    expect(errorOf(await post(browser, [["csrfToken[]", await browser.csrfToken()]]))).toBe(missing)
    expect(errorOf(await browser.postJson("signout", { csrfToken: [await browser.csrfToken()] }))).toBe(missing)
  })

  it("does not count in the query", async () => {
    const { browser } = openPeople()

    expect(errorOf(await browser.post(`signout?csrfToken=${await browser.csrfToken()}`))).toBe(missing)
  })
})

describe("a POST with the token", () => {
  it.each(guarded)("is let through: %s", async (path) => {
    const { browser } = openPeople()

    expect(errorOf(await browser.submit(path, { name: "ann" }))).not.toContain("MissingCSRF")
  })

  it("may be JSON", async () => {
    const { browser } = openPeople()
    const csrfToken = await browser.csrfToken()

    await browser.postJson("callback/credentials", { csrfToken, name: "ann" })

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it("keeps its cookie, so that other tabs can use theirs", async () => {
    const { browser } = openPeople()
    const csrfToken = await browser.csrfToken()

    await browser.post("callback/credentials", { csrfToken, name: "ann" })

    expect(await browser.csrfToken()).toBe(csrfToken)
  })
})
