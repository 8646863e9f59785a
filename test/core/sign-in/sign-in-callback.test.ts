import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { CredentialsSignin, OAuthAccountNotLinked } from "../../../src/core/errors.js"
import type { AuthConfig, CallbacksOptions, EventCallbacks } from "../../../src/core/index.js"
import { errorOf, locationOf, type Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { expectNoSession, oauthAt, oidcAt, openSite, signIn } from "../../support/core-flow.js"
import type { Log } from "../../support/core-log.js"
import { enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

interface Attempt {
  readonly response: Response
  readonly browser: Browser
  readonly log: Log
}

const kinds: readonly (readonly [kind: string, attempt: (given: Partial<AuthConfig>) => Promise<Attempt>])[] = [
  [
    "credentials",
    async (given) => {
      const { browser, log } = openPeople(given)
      return { browser, log, response: await enter(browser) }
    },
  ],
  [
    "oauth",
    async (given) => {
      const site = openSite(oauthAt, given)
      return { ...site, response: await signIn(site) }
    },
  ],
  [
    "oidc",
    async (given) => {
      const site = openSite(oidcAt, given)
      return { ...site, response: await signIn(site) }
    },
  ],
]

describe.each(kinds)("A-060: the signIn callback, for %s", (_, attempt) => {
  it.each([
    ["true", true],
    ["a promise of true", Promise.resolve(true)],
    ["an object", {}],
  ])("lets somebody in: %s", async (_name, answer) => {
    const { browser } = await attempt({ callbacks: { signIn: () => answer as boolean } })

    expect(await browser.session()).not.toBeNull()
  })

  it.each([
    ["false", false],
    ["nothing", undefined],
    ["null", null],
    ["an empty text", ""],
    ["a promise of false", Promise.resolve(false)],
  ])("refuses: %s", async (_name, answer) => {
    const announced = jest.fn<NonNullable<EventCallbacks["signIn"]>>()
    const jwt = jest.fn<NonNullable<CallbacksOptions["jwt"]>>(({ token }) => token)
    const { browser, log, response } = await attempt({
      callbacks: { signIn: () => answer as boolean, jwt },
      events: { signIn: announced },
    })

    expect(errorOf(response)).toBe("302 /auth/error?error=AccessDenied")
    expect(log.types()).toEqual(["AccessDenied"])
    expect(announced).not.toHaveBeenCalled()
    expect(jwt).not.toHaveBeenCalled()
    await expectNoSession(browser, response)
  })

  it("refuses by throwing, with the message for the log alone", async () => {
    const original = new Error("on the block list")
    const { browser, log, response } = await attempt({
      callbacks: {
        signIn: () => {
          throw original
        },
      },
    })

    expect(errorOf(response)).toBe("302 /auth/error?error=AccessDenied")
    expect(log.errors[0]).toMatchObject({
      type: "AccessDenied",
      message: "on the block list",
      cause: { err: original },
    })
    await expectNoSession(browser, response)
  })

  it.each([
    ["CredentialsSignin", new CredentialsSignin(), "302 /auth/signin?error=CredentialsSignin&code=credentials"],
    ["OAuthAccountNotLinked", new OAuthAccountNotLinked(), "302 /auth/signin?error=OAuthAccountNotLinked"],
    [
      "one of @auth/core",
      Object.assign(new Error("no"), { type: "Verification", kind: "error" }),
      "302 /auth/error?error=Verification",
    ],
  ])("passes an AuthError through: %s", async (_name, error, expected) => {
    const { browser, log, response } = await attempt({
      callbacks: {
        signIn: async () => {
          throw error
        },
      },
    })

    expect(errorOf(response)).toBe(expected)
    expect(log.errors).toEqual([error])
    await expectNoSession(browser, response)
  })

  it.each([
    ["/pending", "https://app.example/pending"],
    ["https://app.example/pending?a=1", "https://app.example/pending?a=1"],
    ["https://evil.example", "https://app.example"],
    ["//evil.example", "https://app.example"],
    ["javascript:alert(1)", "https://app.example"],
    ["/\\evil.example", "https://app.example"],
  ])("sends somebody elsewhere, signed out: %s", async (answer, expected) => {
    const { browser, response } = await attempt({ callbacks: { signIn: () => answer } })

    expect([response.status, locationOf(response)]).toEqual([302, expected])
    await expectNoSession(browser, response)
  })

  it("sends somebody where the redirect callback says", async () => {
    const redirect = jest.fn<NonNullable<CallbacksOptions["redirect"]>>(({ url, baseUrl }) =>
      url === "https://ok.example/pending" ? url : baseUrl,
    )
    const { response } = await attempt({ callbacks: { signIn: () => "https://ok.example/pending", redirect } })

    expect(locationOf(response)).toBe("https://ok.example/pending")
    expect(redirect).toHaveBeenLastCalledWith({ url: "https://ok.example/pending", baseUrl: "https://app.example" })
  })
})

describe("the signIn event", () => {
  it.each(kinds)("that throws is logged, and changes nothing: %s", async (_, attempt) => {
    const { browser, log } = await attempt({
      events: {
        signIn: async () => {
          throw new Error("analytics down")
        },
      },
    })

    expect(log.types()).toEqual(["EventError"])
    expect(await browser.session()).not.toBeNull()
  })

  it.each(kinds)("is waited for: %s", async (_, attempt) => {
    const order: string[] = []
    await attempt({
      callbacks: { jwt: ({ token, trigger }) => (order.push(`jwt ${trigger}`), token) },
      events: {
        signIn: async () => {
          await Promise.resolve()
          order.push("event")
        },
      },
    })
    order.push("answer")

    expect(order).toEqual(["jwt signIn", "event", "answer"])
  })
})
