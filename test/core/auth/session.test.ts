import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { CallbacksOptions, EventCallbacks } from "../../../src/core/index.js"
import { setCookiesOf } from "../../support/core-browser.js"
import { advanceClock, freezeClock, nowInSeconds, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople, sessionCookie } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type JwtCallback = NonNullable<CallbacksOptions["jwt"]>
type SessionCallback = NonNullable<CallbacksOptions["session"]>
type SessionEvent = NonNullable<EventCallbacks["session"]>

const claims = {
  name: "ann",
  email: "ann@example.com",
  picture: null,
  sub: "42",
  iat: expect.any(Number),
  exp: expect.any(Number),
  jti: expect.any(String),
}

describe("GET session", () => {
  it("is null without a session", async () => {
    const { browser } = openPeople()

    const response = await browser.get("session")

    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "application/json",
      "null",
    ])
  })

  it("is the user and the expiry, and no more", async () => {
    const { browser } = openPeople()
    await enter(browser)

    expect(await (await browser.get("session")).text()).toBe(
      '{"user":{"name":"ann","email":"ann@example.com","image":null},"expires":"2026-03-31T12:00:00.000Z"}',
    )
  })

  it("prolongs the session on every read", async () => {
    const { browser } = openPeople({ session: { maxAge: 3600, updateAge: 1800 } })
    await enter(browser)
    advanceClock(10)

    const response = await browser.get("session")

    expect(await response.json()).toMatchObject({ expires: "2026-03-01T13:00:10.000Z" })
    const [cookie] = setCookiesOf(response)
    expect(cookie?.name).toBe(sessionCookie)
    expect(cookie?.attributes.get("expires")).toBe("Sun, 01 Mar 2026 13:00:10 GMT")
  })

  it("is null once the session has expired, and the cookie goes", async () => {
    const { browser } = openPeople({ session: { maxAge: 3600 } })
    await enter(browser)
    const token = browser.jar.get(sessionCookie) ?? ""
    advanceClock(3600 + 16)
    browser.jar.set(sessionCookie, token)

    const response = await browser.get("session")

    expect(await response.json()).toBeNull()
    expect(setCookiesOf(response)).toMatchObject([{ name: sessionCookie, isRemoval: true }])
  })

  it("lasts as long as it is read in time", async () => {
    const { browser } = openPeople({ session: { maxAge: 3600 } })
    await enter(browser)
    for (let hour = 0; hour < 5; hour++) {
      advanceClock(3000)
      await browser.get("session")
    }

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})

describe("the callbacks of a read", () => {
  it("get what the contract says, and nothing else", async () => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const session = jest.fn<SessionCallback>((params) => params.session)
    const onSession = jest.fn<SessionEvent>()
    const { browser } = openPeople({ callbacks: { jwt, session }, events: { session: onSession } })
    await enter(browser)
    jwt.mockClear()

    await browser.get("session")

    const view = {
      user: { name: "ann", email: "ann@example.com", image: null },
      expires: "2026-03-31T12:00:00.000Z",
    }
    expect(jwt.mock.calls).toEqual([[{ token: claims }]])
    expect(Object.keys(jwt.mock.calls[0]?.[0] ?? {})).toEqual(["token"])
    expect(session.mock.calls).toEqual([[{ session: view, token: claims }]])
    expect(onSession.mock.calls).toEqual([[{ session: view, token: claims }]])
  })

  it("change the token, and what is shown of it", async () => {
    const { browser } = openPeople({
      callbacks: {
        jwt: async ({ token }) => ({ ...token, visits: Number(token["visits"] ?? 0) + 1 }),
        session: async ({ session, token }) => ({ ...session, visits: token["visits"] }),
      },
    })
    await enter(browser)

    const visits = [await browser.get("session"), await browser.get("session")].map(async (response) => {
      return ((await response.json()) as { visits: number }).visits
    })

    expect(await Promise.all(visits)).toEqual([2, 3])
  })

  it("the event is told of the session that was shown", async () => {
    const onSession = jest.fn<SessionEvent>()
    const { browser } = openPeople({
      callbacks: { session: ({ session }) => ({ ...session, role: "admin" }) },
      events: { session: onSession },
    })
    await enter(browser)

    await browser.get("session")

    expect(onSession.mock.calls[0]?.[0].session).toMatchObject({ role: "admin" })
  })

  it("end the session when the jwt callback returns null", async () => {
    let revoked = false
    const onSession = jest.fn<SessionEvent>()
    const { browser } = openPeople({
      callbacks: { jwt: ({ token }) => (revoked ? null : token) },
      events: { session: onSession },
    })
    await enter(browser)
    revoked = true

    const response = await browser.get("session")

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(setCookiesOf(response)).toMatchObject([{ name: sessionCookie, isRemoval: true }])
    expect(onSession).not.toHaveBeenCalled()
  })

  it("are not asked without a session", async () => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const session = jest.fn<SessionCallback>((params) => params.session)
    const { browser } = openPeople({ callbacks: { jwt, session } })

    await browser.get("session")

    expect(jwt).not.toHaveBeenCalled()
    expect(session).not.toHaveBeenCalled()
  })

  it("an event that throws is logged, and changes nothing", async () => {
    const { browser, log } = openPeople({
      events: {
        session: () => {
          throw new Error("analytics down")
        },
      },
    })
    await enter(browser)

    expect(await (await browser.get("session")).json()).toMatchObject({ user: { name: "ann" } })
    expect(log.types()).toEqual(["EventError"])
  })
})

describe("the claims of a token", () => {
  it("say when it was issued and when it expires", async () => {
    const jwt = jest.fn<JwtCallback>(({ token }) => token)
    const { browser } = openPeople({ callbacks: { jwt }, session: { maxAge: 3600 } })
    await enter(browser)

    await browser.get("session")

    expect(jwt.mock.calls.at(-1)?.[0].token).toMatchObject({ iat: nowInSeconds(), exp: nowInSeconds() + 3600 })
  })
})
