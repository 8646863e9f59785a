import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { AccessDenied, AuthError, CredentialsSignin, SignInError, type ErrorType } from "../../../src/core/errors.js"
import { errorOf, locationOf, setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { byName, enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

class Locked extends CredentialsSignin {
  override code = "locked"
}

/** Classes as `@auth/core` has them: nothing in common with ours but their members. */
class ForeignAuthError extends Error {
  static type = "AuthError"
  static kind = "error"
  readonly type: string
  readonly kind: string
  constructor(message?: string) {
    super(message)
    this.type = (this.constructor as typeof ForeignAuthError).type
    this.kind = (this.constructor as typeof ForeignAuthError).kind
  }
}
class ForeignCredentialsSignin extends ForeignAuthError {
  static override type = "CredentialsSignin"
  static override kind = "signIn"
  code = "credentials"
}
class ForeignLocked extends ForeignCredentialsSignin {
  override code = "foreign_locked"
}
class ForeignAccessDenied extends ForeignAuthError {
  static override type = "AccessDenied"
}

/** What happens when `authorize` throws. */
async function whenThrown(thrown: unknown, pages = {}) {
  const { browser, log } = openPeople({
    pages,
    providers: [
      byName(() => {
        throw thrown
      }),
    ],
  })
  return { response: await enter(browser), log, browser }
}

describe("an error that a client may know", () => {
  it.each<[string, Error, string]>([
    ["CredentialsSignin", new CredentialsSignin(), "302 /auth/signin?error=CredentialsSignin&code=credentials"],
    ["a class of one's own", new Locked("too many attempts"), "302 /auth/signin?error=CredentialsSignin&code=locked"],
    ["AccessDenied", new AccessDenied("no"), "302 /auth/error?error=AccessDenied"],
    [
      "CredentialsSignin of @auth/core",
      new ForeignCredentialsSignin(),
      "302 /auth/signin?error=CredentialsSignin&code=credentials",
    ],
    ["a class built on that", new ForeignLocked(), "302 /auth/signin?error=CredentialsSignin&code=foreign_locked"],
    ["AccessDenied of @auth/core", new ForeignAccessDenied(), "302 /auth/error?error=AccessDenied"],
  ])("is named in the redirect: %s", async (_, thrown, expected) => {
    const { response, log } = await whenThrown(thrown)

    expect(errorOf(response)).toBe(expected)
    expect(log.errors).toEqual([thrown])
  })

  it("is encoded, whatever its code holds", async () => {
    const odd = Object.assign(new CredentialsSignin(), { code: "a&error=b#c\r\nx" })

    const { response } = await whenThrown(odd)

    expect(locationOf(response)).toBe(
      "https://app.example/auth/signin?error=CredentialsSignin&code=a%26error%3Db%23c%0D%0Ax",
    )
  })
})

describe("an error that a client may not know", () => {
  it.each<[string, unknown]>([
    ["any error", new Error("db down: host=10.0.0.7")],
    ["text", "db down: host=10.0.0.7"],
    ["nothing", undefined],
    ["a plain AuthError", new AuthError("db down: host=10.0.0.7")],
    ["a plain AuthError of @auth/core", new ForeignAuthError("db down: host=10.0.0.7")],
    ["something that looks like one but for its type", Object.assign(new Error("x"), { type: "constructor" })],
    ["something that is no error", { type: "CredentialsSignin", code: "x" }],
  ])("is called Configuration: %s", async (_, thrown) => {
    const { response, log } = await whenThrown(thrown)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(JSON.stringify([...response.headers])).not.toContain("10.0.0.7")
    expect(await response.text()).toBe("")
    expect(log.errors).toHaveLength(1)
  })

  it("keeps the original as the cause, for the log", async () => {
    const original = new Error("db down")

    const { log } = await whenThrown(original)

    expect(log.types()).toEqual(["CallbackRouteError"])
    expect(log.errors[0]?.cause).toEqual({ err: original, provider: "credentials" })
  })
})

describe("a class of an application's own, with a type of its own", () => {
  class Banned extends SignInError {
    static override type = "Banned" as ErrorType
  }

  it("can be thrown, and is called Configuration", async () => {
    const { response } = await whenThrown(new Banned())

    expect(new URL(locationOf(response)).search).toBe("?error=Configuration")
  })

  it("has a status, which middleware reads", () => {
    expect(new Banned().status).toBe(500)
  })

  it("passes unchanged when the signIn callback throws it", async () => {
    const { browser, log } = openPeople({
      callbacks: {
        signIn: () => {
          throw new Banned()
        },
      },
    })

    const response = await enter(browser)

    expect(new URL(locationOf(response)).searchParams.get("error")).toBe("Configuration")
    expect(log.errors[0]).toBeInstanceOf(Banned)
  })
})

describe("the page of an error", () => {
  it.each([
    ["/login", "https://app.example/login?error=CredentialsSignin&code=credentials"],
    ["/login?theme=dark", "https://app.example/login?theme=dark&error=CredentialsSignin&code=credentials"],
    ["/login#form", "https://app.example/login?error=CredentialsSignin&code=credentials#form"],
    ["https://www.example/login?a=1", "https://www.example/login?a=1&error=CredentialsSignin&code=credentials"],
    ["login", "https://app.example/login?error=CredentialsSignin&code=credentials"],
  ])("may be pages.signIn = %s", async (signIn, expected) => {
    const { response } = await whenThrown(new CredentialsSignin(), { signIn })

    expect(locationOf(response)).toBe(expected)
  })

  it.each([
    ["/oops", "https://app.example/oops?error=Configuration"],
    ["/oops?a=1", "https://app.example/oops?a=1&error=Configuration"],
    ["https://www.example/oops", "https://www.example/oops?error=Configuration"],
  ])("may be pages.error = %s", async (error, expected) => {
    const { response } = await whenThrown(new Error("down"), { error })

    expect(locationOf(response)).toBe(expected)
  })

  it("is the built-in one when an own page is the empty string", async () => {
    const { response } = await whenThrown(new CredentialsSignin(), { signIn: "", error: "" })

    expect(errorOf(response)).toBe("302 /auth/signin?error=CredentialsSignin&code=credentials")
  })
})

describe("an error redirect", () => {
  it("has no body and no content type", async () => {
    const { response } = await whenThrown(new Error("down"))

    expect(await response.text()).toBe("")
    expect(response.headers.get("content-type")).toBeNull()
  })

  it("leaves an existing session alone", async () => {
    const { browser } = openPeople({
      providers: [byName(({ name }) => (name === "ann" ? { id: "1", name: "ann" } : null))],
    })
    await enter(browser)

    const response = await enter(browser, { name: "bob" })

    expect(setCookiesOf(response)).toEqual([])
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})
