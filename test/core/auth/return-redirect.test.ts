import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { openSite } from "../../support/core-flow.js"
import { byName, enter, openPeople, sessionCookie } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const header = { "x-auth-return-redirect": "1" }

async function told(response: Response) {
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    body: (await response.json()) as unknown,
    location: response.headers.get("location"),
  }
}

describe("with X-Auth-Return-Redirect a redirect", () => {
  it("of a sign-out is told in JSON, with its cookies and its Location", async () => {
    const { browser } = openPeople()
    await enter(browser)

    const response = await browser.submit("signout", { callbackUrl: "/bye" }, header)

    expect(await told(response)).toEqual({
      status: 200,
      type: "application/json",
      body: { url: "https://app.example/bye" },
      location: "https://app.example/bye",
    })
    expect(setCookiesOf(response).map(({ name }) => name)).toEqual(["__Secure-authjs.callback-url", sessionCookie])
  })

  it("to a provider is told in JSON, with the check cookies", async () => {
    const { browser } = openSite()

    const response = await browser.submit("signin/idp", {}, header)
    const { status, body, location } = await told(response)

    expect(status).toBe(200)
    expect(body).toEqual({ url: location })
    expect(location).toMatch(/^https:\/\/idp\.example\/authorize\?/)
    expect(setCookiesOf(response)).toHaveLength(3)
  })

  it("of a sign-in is told in JSON, with the session", async () => {
    const { browser } = openPeople()

    const response = await browser.submit("callback/credentials", { name: "ann", callbackUrl: "/account" }, header)

    expect(await told(response)).toMatchObject({ status: 200, body: { url: "https://app.example/account" } })
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it.each([
    ["MissingCSRF", "signin/credentials", false, "https://app.example/auth/signin?error=MissingCSRF"],
    [
      "CredentialsSignin",
      "callback/credentials",
      true,
      "https://app.example/auth/signin?error=CredentialsSignin&code=credentials",
    ],
    ["Configuration", "signin/nope", true, "https://app.example/auth/error?error=Configuration"],
  ])("of an error is told in JSON, without cookies: %s", async (_, path, withToken, url) => {
    const { browser } = openPeople()
    const token = await browser.csrfToken()

    const response = await browser.post(path, withToken ? { csrfToken: token } : {}, header)

    expect(await told(response)).toMatchObject({ status: 200, type: "application/json", body: { url } })
    expect(setCookiesOf(response)).toEqual([])
  })

  it.each([
    ["/login", "https://app.example/login?callbackUrl=https%3A%2F%2Fapp.example"],
    ["https://www.example/login", "https://www.example/login?callbackUrl=https%3A%2F%2Fapp.example"],
  ])("to a page of the application's own is absolute: %s", async (page, url) => {
    const { browser } = openPeople({ pages: { signIn: page } })

    expect(await told(await browser.get("signin", header))).toMatchObject({ status: 200, body: { url } })
  })

  it("of an error to a page of the application's own is absolute", async () => {
    const { browser } = openPeople({ pages: { signIn: "/login" } })

    expect(await told(await browser.submit("callback/credentials", {}, header))).toMatchObject({
      status: 200,
      body: { url: "https://app.example/login?error=CredentialsSignin&code=credentials" },
    })
  })

  it.each([
    ["signIn", "signin"],
    ["signOut", "signout"],
    ["error", "error"],
    ["verifyRequest", "verify-request"],
  ])("is never a 3xx: pages.%s", async (page, path) => {
    const { browser } = openPeople({ pages: { [page]: "/own" } })

    expect((await browser.get(path, header)).status).toBe(200)
  })

  it("is told when the client prefers JSON as well", async () => {
    const { browser } = openPeople()

    const response = await browser.submit("callback/credentials", {}, { ...header, accept: "application/json" })

    expect(await told(response)).toMatchObject({
      status: 200,
      body: { url: "https://app.example/auth/signin?error=CredentialsSignin&code=credentials" },
    })
  })

  it("does not depend on the header's value", async () => {
    const { browser } = openPeople()

    expect((await browser.submit("signout", {}, { "x-auth-return-redirect": "" })).status).toBe(200)
    expect((await browser.submit("signout", {}, { "x-auth-return-redirect": "false" })).status).toBe(200)
  })

  it("is told where the configuration is at fault", async () => {
    const { browser } = openPeople({ secret: "", pages: { error: "/oops" } })

    expect(await told(await browser.get("signin", header))).toMatchObject({
      status: 200,
      body: { url: "https://app.example/oops?error=Configuration" },
    })
  })
})

describe("a client that prefers JSON", () => {
  it("is told where a POST leads, instead of being sent there", async () => {
    const { browser } = openPeople()

    const response = await browser.submit("callback/credentials", { name: "ann" }, { accept: "application/json" })

    expect(await told(response)).toMatchObject({ status: 200, body: { url: "https://app.example" } })
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it.each([
    ["a wrong password", "callback/credentials", { name: "" }, 401, "CredentialsSignin"],
    ["no CSRF token", "signout", { csrfToken: "" }, 403, "MissingCSRF"],
    ["an unknown provider", "signin/nope", {}, 400, "InvalidProvider"],
  ])("gets the status of an error, and no internal text: %s", async (_, path, form, status, error) => {
    const { browser } = openPeople({
      providers: [byName(({ name }) => (name === "" ? null : { id: "1" }))],
    })

    const response = await browser.submit(path, form, { accept: "application/json" })

    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
      status,
      type: "application/problem+json",
    })
    expect(await response.json()).toEqual({
      title: error,
      status,
      error,
      ...(error === "CredentialsSignin" && { code: "credentials" }),
      message: "The request was refused.",
      reference: expect.stringMatching(/^[0-9a-f]{10}$/),
    })
  })

  it.each(["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "*/*", ""])(
    "is not whoever accepts pages: %s",
    async (accept) => {
      const { browser } = openPeople()

      expect((await browser.submit("callback/credentials", { name: "ann" }, { accept })).status).toBe(302)
    },
  )
})

describe("with X-Auth-Return-Redirect anything else", () => {
  it.each([
    ["GET", "session", 200],
    ["GET", "signin", 200],
    ["GET", "error?error=AccessDenied", 403],
    ["GET", "callback/credentials", 405],
    ["POST", "session", 400],
  ])("is what it is without: %s %s", async (method, path, status) => {
    const { browser } = openPeople()

    const response = await browser.send(method, path, { headers: header })

    expect(response.status).toBe(status)
  })
})
