import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { byName, openPeople } from "../../../support/core-people.js"
import Credentials from "../../../../src/providers/credentials.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type Authorize = NonNullable<Parameters<typeof byName>[0]>

function openWith() {
  const requests: { url: string; method: string; headers: Headers; body: unknown }[] = []
  const authorize = jest.fn<Authorize>(async (_credentials, request) => {
    const { url, method, headers } = request
    requests.push({ url, method, headers, body: await request.json() })
    return null
  })
  return { authorize, requests, ...openPeople({ providers: [byName(authorize)] }) }
}

describe("authorize", () => {
  it("gets the whole form", async () => {
    const { browser, authorize } = openWith()
    const csrfToken = await browser.csrfToken()

    await browser.post("callback/credentials", { csrfToken, callbackUrl: "/account", name: "ann", extra: "1" })

    expect(authorize.mock.calls).toEqual([
      [{ csrfToken, callbackUrl: "/account", name: "ann", extra: "1" }, expect.any(Request)],
    ])
  })

  it("gets a request to the same address, with the body as JSON and the headers of the browser", async () => {
    const { browser, requests } = openWith()
    const csrfToken = await browser.csrfToken()

    await browser.post(
      "callback/credentials?tenant=acme",
      { csrfToken, name: "ann" },
      { "user-agent": "Test/1", "x-forwarded-for": "10.0.0.1" },
    )

    const [request] = requests
    expect(request).toMatchObject({
      url: "https://app.example/auth/callback/credentials?tenant=acme",
      method: "POST",
      body: { csrfToken, name: "ann" },
    })
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Test/1",
      "x-forwarded-for": "10.0.0.1",
      cookie: expect.stringContaining("csrf-token"),
    })
  })

  it("gets JSON as it was sent", async () => {
    const { browser, authorize } = openWith()
    const csrfToken = await browser.csrfToken()

    await browser.postJson("callback/credentials", { csrfToken, name: "ann", remember: true, tags: ["a"] })

    expect(authorize.mock.calls[0]?.[0]).toEqual({ csrfToken, name: "ann", remember: true, tags: ["a"] })
  })

  it("is not asked without the CSRF token", async () => {
    const { browser, authorize } = openWith()

    await browser.post("callback/credentials", { name: "ann" })

    expect(authorize).not.toHaveBeenCalled()
  })

  it.each(["GET", "HEAD", "PUT"])("is not asked by %s", async (method) => {
    const { browser, authorize } = openWith()

    await browser.send(method, `callback/credentials?name=ann&csrfToken=${await browser.csrfToken()}`)

    expect(authorize).not.toHaveBeenCalled()
  })

  it("of one provider is not asked for another one's form", async () => {
    const admin = jest.fn<Authorize>(() => ({ id: "1", name: "root" }))
    const { browser } = openPeople({
      providers: [byName(), Credentials({ id: "admin", name: "Admin", authorize: (...given) => admin(...given) })],
    })

    await browser.submit("callback/credentials", { name: "ann" })

    expect(admin).not.toHaveBeenCalled()
    await browser.submit("callback/admin", { name: "ann" })
    expect(await browser.session()).toMatchObject({ user: { name: "root" } })
  })
})

describe("A-119: what was submitted", () => {
  it.each([
    ["a list", { name: ["ann", "bob"] }],
    ["an object", { name: { $ne: 1 } }],
    ["a number", { name: 1 }],
    ["true", { name: true }],
    ["null", { name: null }],
  ])("is refused before authorize sees it when a declared field is %s", async (_, fields) => {
    const { browser, authorize } = openWith()
    const csrfToken = await browser.csrfToken()

    const response = await browser.postJson("callback/credentials", { csrfToken, ...fields })

    expect(authorize).not.toHaveBeenCalled()
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/signin?error=CredentialsSignin&code=credentials",
    )
  })

  it.each([
    [
      "twice in a form",
      [
        ["name", "ann"],
        ["name", "bob"],
      ],
    ],
    ["as a list in a form", [["name[]", "ann"]]],
    ["as an object in a form", [["name[$ne]", "1"]]],
  ])("is refused when a declared field comes %s", async (_, fields) => {
    const { browser, authorize } = openWith()
    const form = new URLSearchParams([["csrfToken", await browser.csrfToken()], ...fields])

    await browser.post("callback/credentials", form)

    expect(authorize).not.toHaveBeenCalled()
  })

  it("may lack a declared field", async () => {
    const { browser, authorize } = openWith()

    await browser.submit("callback/credentials")

    expect(authorize).toHaveBeenCalledTimes(1)
  })

  it.each([
    ["a null byte", "a\0b"],
    ["73 bytes", "a".repeat(73)],
    ["letters of any script", "пароль 密码 🔑"],
  ])("reaches authorize unchanged with %s", async (_, name) => {
    const { browser, authorize } = openWith()

    await browser.submit("callback/credentials", { name })

    expect(authorize.mock.calls[0]?.[0]).toMatchObject({ name })
  })

  it("is refused when it is a megabyte", async () => {
    const { browser, authorize } = openWith()

    expect((await browser.submit("callback/credentials", { name: "a".repeat(1_000_000) })).status).toBe(413)
    expect(authorize).not.toHaveBeenCalled()
  })
})
