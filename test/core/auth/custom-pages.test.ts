import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { locationOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const target = "callbackUrl=https%3A%2F%2Fapp.example"

describe("an own page", () => {
  it.each([
    ["signIn", "/login", "signin", `https://app.example/login?${target}`],
    ["signIn", "/login?a=1", "signin", `https://app.example/login?a=1&${target}`],
    ["signIn", "https://www.example/login", "signin", `https://www.example/login?${target}`],
    ["signIn", "https://www.example/login?a=1", "signin", `https://www.example/login?a=1&${target}`],
    [
      "signIn",
      "/login",
      "signin?error=CredentialsSignin",
      `https://app.example/login?${target}&error=CredentialsSignin`,
    ],
    ["signIn", "/login", "signin?error=x%26y%23z", `https://app.example/login?${target}&error=x%26y%23z`],
    ["signOut", "/bye", "signout?error=x", "https://app.example/bye"],
    ["signOut", "/bye?a=1", "signout", "https://app.example/bye?a=1"],
    ["signOut", "https://www.example/bye", "signout", "https://www.example/bye"],
    ["error", "/oops", "error?error=AccessDenied", "https://app.example/oops?error=AccessDenied"],
    ["error", "/oops?a=1", "error?error=AccessDenied", "https://app.example/oops?a=1&error=AccessDenied"],
    ["error", "https://www.example/oops", "error?error=Verification", "https://www.example/oops?error=Verification"],
    ["error", "/oops", "error?error=x%26admin%3D1%23f", "https://app.example/oops?error=x%26admin%3D1%23f"],
    ["verifyRequest", "/mail", "verify-request", "https://app.example/mail"],
    [
      "verifyRequest",
      "/mail",
      "verify-request?provider=e&type=email",
      "https://app.example/mail?provider=e&type=email",
    ],
    [
      "verifyRequest",
      "/mail?a=1",
      "verify-request?provider=e&type=email",
      "https://app.example/mail?a=1&provider=e&type=email",
    ],
    ["verifyRequest", "https://www.example/mail", "verify-request?provider=e", "https://www.example/mail?provider=e"],
  ])("pages.%s = %s answers %s", async (name, page, path, expected) => {
    const { browser } = openPeople({ pages: { [name]: page } })

    const response = await browser.get(path)

    expect({ status: response.status, to: locationOf(response) }).toEqual({ status: 302, to: expected })
  })

  it("for errors never gets the word undefined", async () => {
    const { browser } = openPeople({ pages: { error: "/oops" } })

    expect(locationOf(await browser.get("error"))).not.toContain("undefined")
  })

  it("for sign-in gets the target that was asked for, validated", async () => {
    const { browser } = openPeople({ pages: { signIn: "/login" } })

    expect(locationOf(await browser.get("signin?callbackUrl=/account"))).toBe(
      "https://app.example/login?callbackUrl=https%3A%2F%2Fapp.example%2Faccount",
    )
    expect(locationOf(await browser.get("signin?callbackUrl=https://evil.example"))).toBe(
      `https://app.example/login?${target}`,
    )
  })

  it("for sign-in is reached by the way of the built-in one after a POST without provider", async () => {
    const { browser } = openPeople({ pages: { signIn: "/login" } })

    const response = await browser.submit("signin")

    expect(locationOf(response)).toBe("https://app.example/auth/signin")
    expect(locationOf(await browser.follow(response))).toBe(`https://app.example/login?${target}`)
  })
})

describe("GET signin/:provider", () => {
  it("keeps the target", async () => {
    const { browser } = openPeople()

    expect(locationOf(await browser.get("signin/credentials?callbackUrl=/account"))).toBe(
      "https://app.example/auth/signin?callbackUrl=https%3A%2F%2Fapp.example%2Faccount",
    )
  })
})
