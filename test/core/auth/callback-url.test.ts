import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions } from "../../../src/core/index.js"
import { locationOf, setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const cookieName = "__Secure-authjs.callback-url"
const cookieOf = (response: Response) => setCookiesOf(response).find(({ name }) => name === cookieName)?.value

describe("the target of a sign-out", () => {
  it.each([
    ["body, query and cookie", { callbackUrl: "/body" }, "?callbackUrl=/query", "/cookie", "/body"],
    ["query and cookie", {}, "?callbackUrl=/query", "/cookie", "/query"],
    ["the cookie", {}, "", "/cookie", "/cookie"],
    ["nothing", {}, "", undefined, ""],
  ])("is the first of %s", async (_, form, query, cookie, expected) => {
    const { browser } = openPeople()
    const csrfToken = await browser.csrfToken()
    if (cookie) browser.jar.set(cookieName, encodeURIComponent(cookie))

    const response = await browser.post(`signout${query}`, { csrfToken, ...form })

    expect(locationOf(response)).toBe(`https://app.example${expected}`)
  })

  it("is remembered in a cookie", async () => {
    const { browser } = openPeople()

    await browser.get("signin?callbackUrl=%2Faccount%3Ftab%3D1")

    expect(browser.jar.get(cookieName)).toBe("https%3A%2F%2Fapp.example%2Faccount%3Ftab%3D1")
    expect(locationOf(await enter(browser))).toBe("https://app.example/account?tab=1")
  })
})

describe("the redirect callback", () => {
  const spy = (result: (url: string) => string) =>
    jest.fn<NonNullable<CallbacksOptions["redirect"]>>(async ({ url }) => result(url))

  it("is asked with the target as it was given, and our origin", async () => {
    const redirect = spy((url) => url)
    const { browser } = openPeople({ callbacks: { redirect } })

    await browser.get("session?callbackUrl=/account%3Fa%3D1%23b")

    expect(redirect.mock.calls).toEqual([[{ url: "/account?a=1#b", baseUrl: "https://app.example" }]])
  })

  it("is not asked where nobody named a target", async () => {
    const redirect = spy(() => "/never")
    const { browser } = openPeople({ callbacks: { redirect } })

    expect(cookieOf(await browser.get("session"))).toBe("https%3A%2F%2Fapp.example")
    expect(redirect).not.toHaveBeenCalled()
  })

  it.each([
    ["another origin that it allows", "https://ok.example/x", "https://ok.example/x"],
    ["a path", "/fixed", "https://app.example/fixed"],
    ["an address of an app", "myapp://home/x", "myapp://home/x"],
  ])("may answer %s", async (_, answer, expected) => {
    const { browser } = openPeople({ callbacks: { redirect: () => answer } })

    const response = await browser.submit("signout", { callbackUrl: "/x" })

    expect(locationOf(response)).toBe(expected)
  })

  it("may answer an address of an app, and the next request works all the same", async () => {
    const { browser } = openPeople({ callbacks: { redirect: () => "myapp://home" } })

    await browser.get("signin?callbackUrl=/x")

    expect((await browser.get("signin")).status).toBe(200)
    expect((await enter(browser)).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it("may be an allow-list", async () => {
    const allowed = new Set(["https://ok.example"])
    const redirect = ({ url, baseUrl }: { url: string; baseUrl: string }) =>
      allowed.has(new URL(url, baseUrl).origin) ? url : baseUrl
    const { another } = openPeople({ callbacks: { redirect } })

    const answers = await Promise.all(
      ["https://ok.example/a", "https://ok.example.evil/a", "https://evil.example"].map((callbackUrl) =>
        another().submit("signout", { callbackUrl }),
      ),
    )

    expect(answers.map(locationOf)).toEqual(["https://ok.example/a", "https://app.example", "https://app.example"])
  })

  it("that throws makes an error page of a page, and a 500 of JSON", async () => {
    const redirect = () => {
      throw new Error("no idea")
    }
    const { browser, log } = openPeople({ callbacks: { redirect } })

    const page = await browser.get("signin?callbackUrl=/x")
    const json = await browser.get("session?callbackUrl=/x")

    expect(locationOf(page)).toBe("https://app.example/auth/error?error=Configuration")
    expect(json.status).toBe(500)
    expect(log.errors).toHaveLength(2)
  })
})

const invalid: readonly (readonly [name: string, value: string])[] = [
  ["nothing", ""],
  ["a relative path", "relative"],
  ["a scheme alone", "https://"],
  ["a scheme without slashes", "https:app.example"],
  ["a query", "?x"],
  ["a fragment", "#x"],
  ["3 000 characters", `/${"a".repeat(3000)}`],
  ["a script", "javascript:alert(1)"],
  ["an app", "app:/x"],
  ["a port that is none", "https://app.example:99999/"],
  ["a line break", "/ok\r\nset-cookie: a=b"],
  ["a null byte", "/ok\0"],
]

describe("A-007: a target that is none is ignored, never an error", () => {
  it.each(invalid)("in a body: %s", async (_, callbackUrl) => {
    const { browser } = openPeople()

    const response = await browser.submit("callback/credentials", { name: "ann", callbackUrl })

    expect({ status: response.status, to: locationOf(response) }).toEqual({ status: 302, to: "https://app.example" })
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it.each(invalid)("in a query: %s", async (_, callbackUrl) => {
    const { browser } = openPeople()

    const response = await browser.get(`signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)

    expect(response.status).toBe(200)
    expect(cookieOf(response)).toBe("https%3A%2F%2Fapp.example")
  })

  it.each(invalid.filter(([, value]) => value !== ""))("A-043: in a cookie, which is reset: %s", async (_, value) => {
    const { browser } = openPeople()
    await browser.csrfToken()
    browser.jar.set(cookieName, encodeURIComponent(value))

    const response = await browser.get("signin")

    expect(response.status).toBe(200)
    expect(cookieOf(response)).toBe("https%3A%2F%2Fapp.example")
  })

  it.each([
    ["an object", { a: 1 }],
    ["a list", ["/a"]],
    ["a number", 1],
    ["null", null],
  ])("in JSON: %s", async (_, callbackUrl) => {
    const { browser } = openPeople()
    const csrfToken = await browser.csrfToken()

    const response = await browser.postJson("callback/credentials", { csrfToken, name: "ann", callbackUrl })

    expect(locationOf(response)).toBe("https://app.example")
  })

  it("given twice in a form is none", async () => {
    const { browser } = openPeople()
    const form = new URLSearchParams({ csrfToken: await browser.csrfToken(), name: "ann" })
    form.append("callbackUrl", "/a")
    form.append("callbackUrl", "//evil.example")

    expect(locationOf(await browser.post("callback/credentials", form))).toBe("https://app.example")
  })

  it("is logged, shortened", async () => {
    const { browser, log } = openPeople()

    await browser.get(`signin?callbackUrl=${"x".repeat(1000)}`)

    expect(log.types()).toEqual(["InvalidCallbackUrl"])
    expect(log.errors[0]?.message.length).toBeLessThan(400)
  })
})
