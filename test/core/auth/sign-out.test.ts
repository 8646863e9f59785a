import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import type { EventCallbacks } from "../../../src/core/index.js"
import { locationOf, setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople, sessionCookie } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

type SignOutEvent = NonNullable<EventCallbacks["signOut"]>

describe("POST signout", () => {
  it("ends the session, tells the application, and leads on", async () => {
    const signOut = jest.fn<SignOutEvent>()
    const { browser } = openPeople({ events: { signOut } })
    await enter(browser)

    const response = await browser.submit("signout", { callbackUrl: "/bye" })

    expect([response.status, locationOf(response)]).toEqual([302, "https://app.example/bye"])
    expect(await browser.session()).toBeNull()
    expect(signOut.mock.calls).toEqual([[{ token: expect.objectContaining({ name: "ann", sub: "42" }) }]])
  })

  it("tells nobody where there was no session", async () => {
    const signOut = jest.fn<SignOutEvent>()
    const { browser } = openPeople({ events: { signOut } })

    expect(locationOf(await browser.submit("signout"))).toBe("https://app.example")
    expect(signOut).not.toHaveBeenCalled()
  })

  it("removes a session that cannot be opened, and logs that", async () => {
    const signOut = jest.fn<SignOutEvent>()
    const { browser, log } = openPeople({ events: { signOut } })
    browser.jar.set(sessionCookie, "rubbish")

    const response = await browser.submit("signout")

    expect(locationOf(response)).toBe("https://app.example")
    expect(setCookiesOf(response)).toMatchObject([{ name: sessionCookie, isRemoval: true }])
    expect(log.types()).toEqual(["SignOutError"])
    expect(signOut).not.toHaveBeenCalled()
  })

  it("removes every piece of a session", async () => {
    const { browser } = openPeople({ callbacks: { jwt: ({ token }) => ({ ...token, much: "x".repeat(9000) }) } })
    await enter(browser)
    expect(browser.jar.names().filter((name) => name.startsWith(sessionCookie))).toHaveLength(4)

    await browser.submit("signout")

    expect(browser.jar.names().filter((name) => name.startsWith(sessionCookie))).toEqual([])
  })

  it("works although the event throws", async () => {
    const { browser, log } = openPeople({
      events: {
        signOut: async () => {
          throw new Error("analytics down")
        },
      },
    })
    await enter(browser)

    await browser.submit("signout")

    expect(await browser.session()).toBeNull()
    expect(log.types()).toEqual(["EventError"])
  })

  it("is not asked of the signIn or jwt callback", async () => {
    const jwt = jest.fn(({ token }: { token: Record<string, unknown> }) => token)
    const { browser } = openPeople({ callbacks: { jwt } })
    await enter(browser)
    jwt.mockClear()

    await browser.submit("signout")

    expect(jwt).not.toHaveBeenCalled()
  })
})

describe("GET signout", () => {
  it("asks, with a form that ends the session", async () => {
    const { browser } = openPeople()
    await enter(browser)

    const html = await (await browser.get("signout?callbackUrl=/bye")).text()

    expect(html).toContain('action="https://app.example/auth/signout"')
    expect(html).toContain("<title>Sign Out</title>")
    expect(html).toContain(`name="csrfToken" value="${await browser.csrfToken()}"`)
    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })
})
