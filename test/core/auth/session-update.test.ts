import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions } from "../../../src/core/index.js"
import { setCookiesOf, type Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople, sessionCookie } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type JwtCallback = NonNullable<CallbacksOptions["jwt"]>
type SessionCallback = NonNullable<CallbacksOptions["session"]>

async function update(browser: Browser, data: unknown): Promise<Response> {
  return browser.postJson("session", { csrfToken: await browser.csrfToken(), data })
}

describe("POST session", () => {
  it.each([
    ["an object", { name: "bob", nested: { list: [1, null] } }],
    ["text", "text"],
    ["a list", [1, 2]],
    ["null", null],
    ["nothing", undefined],
  ])("hands %s to the jwt callback as it is, as an update", async (_, data) => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const session = jest.fn<SessionCallback>((params) => params.session)
    const { browser } = openPeople({ callbacks: { jwt, session } })
    await enter(browser)
    jwt.mockClear()

    await update(browser, data)

    expect(jwt.mock.calls).toEqual([
      [{ token: expect.objectContaining({ name: "ann" }), session: data, trigger: "update" }],
    ])
    expect(Object.keys(session.mock.calls[0]?.[0] ?? {}).sort()).toEqual(["session", "token"])
  })

  it("answers with the updated session, and keeps it", async () => {
    const { browser } = openPeople({
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: (session as { name: string }).name } : token,
      },
    })
    await enter(browser)

    const response = await update(browser, { name: "Ann B." })

    expect([response.status, await response.json()]).toEqual([
      200,
      {
        user: { name: "Ann B.", email: "ann@example.com", image: null },
        expires: "2026-03-31T12:00:00.000Z",
      },
    ])
    expect(await browser.session()).toMatchObject({ user: { name: "Ann B." } })
  })

  it("takes a form as well", async () => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const { browser } = openPeople({ callbacks: { jwt } })
    await enter(browser)

    await browser.submit("session", { "data[name]": "bob" })

    expect(jwt.mock.calls.at(-1)?.[0]).toMatchObject({ session: { name: "bob" }, trigger: "update" })
  })

  it("is null without a session", async () => {
    const { browser } = openPeople()

    const response = await update(browser, { name: "eve" })

    expect([response.status, await response.json()]).toEqual([200, null])
  })

  it("ends the session when the jwt callback returns null", async () => {
    const { browser } = openPeople({
      callbacks: { jwt: ({ token, trigger }) => (trigger === "update" ? null : token) },
    })
    await enter(browser)

    const response = await update(browser, {})

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(setCookiesOf(response)).toMatchObject([{ name: sessionCookie, isRemoval: true }])
  })
})

describe("A-036: what a client sends", () => {
  it.each([
    ["claims", { sub: "u2", exp: 9e9, iat: 1, userId: "u2", user: { id: "u2", role: "admin", email: "x" } }],
    ["text", "sub"],
    ["a list", ["sub"]],
  ])("changes nothing by default: %s", async (_, data) => {
    const { browser } = openPeople()
    await enter(browser)
    const before = await browser.session()

    const response = await update(browser, data)

    expect(await response.json()).toEqual(before)
    expect(await browser.session()).toEqual(before)
  })

  it("can never set the times and the id of a token, whatever the jwt callback lets through", async () => {
    const jwt = jest.fn<JwtCallback>(({ token, session }) => ({ ...token, ...(session as object | undefined) }))
    const { browser } = openPeople({ callbacks: { jwt }, session: { maxAge: 3600 } })
    await enter(browser)

    await update(browser, { exp: 9e9, iat: 1, jti: "mine" })
    await browser.get("session")

    const { token } = jwt.mock.calls.at(-1)?.[0] ?? {}
    expect(token).toMatchObject({ iat: Date.now() / 1000, exp: Date.now() / 1000 + 3600 })
    expect(token?.jti).not.toBe("mine")
  })

  it("may not be larger than a body may be", async () => {
    const { browser } = openPeople()
    await enter(browser)

    expect((await update(browser, "a".repeat(1_000_000))).status).toBe(413)
  })
})
