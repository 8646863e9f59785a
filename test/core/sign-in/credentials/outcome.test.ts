import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { CredentialsSignin } from "../../../../src/core/errors.js"
import type { CallbacksOptions, EventCallbacks } from "../../../../src/core/index.js"
import type { User } from "../../../../src/core/types.js"
import { errorOf, locationOf } from "../../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../../support/core-clock.js"
import { expectNoSession, expectRefused } from "../../../support/core-flow.js"
import { byName, enter, openPeople } from "../../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function openReturning(user: unknown) {
  const allow = jest.fn<NonNullable<CallbacksOptions["signIn"]>>(() => true)
  const jwt = jest.fn<NonNullable<CallbacksOptions["jwt"]>>(({ token }) => token)
  const announced = jest.fn<NonNullable<EventCallbacks["signIn"]>>()
  const people = openPeople({
    providers: [byName(() => user as User)],
    callbacks: { signIn: allow, jwt },
    events: { signIn: announced },
  })
  return { ...people, allow, jwt, announced }
}

describe("a user from authorize", () => {
  it("is signed in, and the browser goes where it wanted", async () => {
    const { browser } = openPeople()

    const response = await enter(browser, { callbackUrl: "/account" })

    expect([response.status, locationOf(response)]).toEqual([302, "https://app.example/account"])
    expect(await browser.session()).toEqual({
      user: { name: "ann", email: "ann@example.com", image: null },
      expires: "2026-03-31T12:00:00.000Z",
    })
  })

  it("reaches the callbacks and the event as the contract says", async () => {
    const given = { id: "7", name: "Ann", email: "Ann@Example.com", image: "/ann.png", role: "admin" }
    const { browser, allow, jwt, announced } = openReturning(given)
    const csrfToken = await browser.csrfToken()

    await browser.post("callback/credentials", { csrfToken, name: "ann" })

    const account = { providerAccountId: "7", type: "credentials", provider: "credentials" }
    expect(allow.mock.calls).toEqual([[{ user: given, account, credentials: { csrfToken, name: "ann" } }]])
    expect(Object.keys(allow.mock.calls[0]?.[0] ?? {}).sort()).toEqual(["account", "credentials", "user"])
    expect(jwt.mock.calls).toEqual([
      [
        {
          token: { name: "Ann", email: "Ann@Example.com", picture: "/ann.png", sub: "7" },
          user: given,
          account,
          isNewUser: false,
          trigger: "signIn",
        },
      ],
    ])
    expect(announced.mock.calls).toEqual([[{ user: given, account }]])
  })

  it.each([
    [{ id: 7 }, "7"],
    [{ id: "7" }, "7"],
    [{ id: 0 }, "0"],
    [{}, expect.stringMatching(uuid)],
    [{ id: undefined }, expect.stringMatching(uuid)],
    [{ id: null }, expect.stringMatching(uuid)],
  ])("has a text as id: %j", async (user, id) => {
    const { browser, allow, jwt } = openReturning(user)

    await enter(browser)

    const [{ user: seen, account }] = allow.mock.calls[0] ?? [{ user: {} }]
    expect(seen.id).toEqual(id)
    expect(account?.providerAccountId).toBe(seen.id)
    expect(jwt.mock.calls[0]?.[0].token.sub).toBe(seen.id)
  })

  it("is a new session, whoever was signed in before", async () => {
    const { browser } = openPeople()
    await enter(browser, { name: "ann" })
    await enter(browser, { name: "bob" })

    expect(await browser.session()).toMatchObject({ user: { name: "bob" } })
  })

  it("never leads to pages.newUser", async () => {
    const { browser } = openPeople({ pages: { newUser: "/welcome" } })

    expect(locationOf(await enter(browser))).toBe("https://app.example")
  })
})

describe("A-118: nobody from authorize", () => {
  it.each([
    ["null", null],
    ["undefined", undefined],
    ["false", false],
    ["an empty text", ""],
    ["0", 0],
  ])("is a refusal: %s", async (_, user) => {
    const { browser, allow, log } = openReturning(user)

    const response = await enter(browser)

    expect(errorOf(response)).toBe("302 /auth/signin?error=CredentialsSignin&code=credentials")
    expect(log.types()).toEqual(["CredentialsSignin"])
    expect(allow).not.toHaveBeenCalled()
    await expectNoSession(browser, response)
  })

  it.each([
    ["a list", []],
    ["true", true],
    ["text", "ann"],
    ["a number", 7],
  ])("is a fault of the server when it is no user either: %s", async (_, user) => {
    const { browser, log } = openReturning(user)

    await expectRefused(browser, await enter(browser), ["Configuration"])
    expect(log.types()).toEqual(["CallbackRouteError"])
  })

  it("looks the same whether a password was wrong or the person unknown", async () => {
    class NoSuchUser extends CredentialsSignin {}
    const { browser } = openPeople({
      providers: [
        byName(({ name }) => {
          if (name === "ann") return null
          throw new NoSuchUser("no such user: bob")
        }),
      ],
    })

    expect(errorOf(await enter(browser, { name: "ann" }))).toBe(errorOf(await enter(browser, { name: "bob" })))
  })

  it("comes with the code that was thrown", async () => {
    class TooMany extends CredentialsSignin {
      override code = "too_many"
    }
    const { browser } = openPeople({
      providers: [
        byName(async () => {
          throw new TooMany()
        }),
      ],
    })

    expect(errorOf(await enter(browser))).toBe("302 /auth/signin?error=CredentialsSignin&code=too_many")
  })

  it("does not tell what broke", async () => {
    const { browser, log } = openPeople({
      providers: [
        byName(() => {
          throw new Error("db down: host=10.0.0.7")
        }),
      ],
    })

    const response = await enter(browser)

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(log.types()).toEqual(["CallbackRouteError"])
    expect(await (await browser.follow(response)).text()).not.toContain("10.0.0.7")
  })
})
