import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals"
import { setCookiesOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { enter, openPeople, sessionCookie } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("a session cookie that cannot be opened", () => {
  it.each([
    ["rubbish", "rubbish"],
    ["dots", "....".repeat(25)],
    ["broken percent-encoding", "%E0%A4%A"],
    ["five empty parts", "e30...."],
  ])("means signed out, is logged once, and goes: %s", async (_, value) => {
    const { browser, log } = openPeople()
    await browser.csrfToken()
    browser.jar.set(sessionCookie, value)

    const response = await browser.get("session")

    expect([response.status, await response.json()]).toEqual([200, null])
    expect(log.types()).toEqual(["JWTSessionError"])
    expect(setCookiesOf(response)).toMatchObject([{ name: sessionCookie, isRemoval: true }])
    expect((await browser.get("session")).status).toBe(200)
    expect(log.errors).toHaveLength(1)
  })

  it("that is empty is none, and not worth a line", async () => {
    const { browser, log } = openPeople()
    await browser.csrfToken()
    browser.jar.set(sessionCookie, "")

    expect(await (await browser.get("session")).json()).toBeNull()
    expect(log.errors).toEqual([])
  })

  it("of another application's secret is one", async () => {
    const other = openPeople({ secret: "the secret of somebody else" })
    await enter(other.browser)
    const { browser, log } = openPeople()
    browser.jar.set(sessionCookie, other.browser.jar.get(sessionCookie) ?? "")

    expect(await (await browser.get("session")).json()).toBeNull()
    expect(log.types()).toEqual(["JWTSessionError"])
  })

  it("does not keep anybody from signing in", async () => {
    const { browser } = openPeople()
    browser.jar.set(sessionCookie, "rubbish")

    await enter(browser)

    expect(await browser.session()).toMatchObject({ user: { name: "ann" } })
  })

  it("A-026: that is in many pieces clears no more than there can be", async () => {
    const { browser } = openPeople()
    for (let index = 0; index < 200; index++) browser.jar.set(`${sessionCookie}.${index}`, "a")

    const response = await browser.get("session")

    expect(await response.json()).toBeNull()
    expect(setCookiesOf(response).length).toBeLessThanOrEqual(12)
  })
})

const throwing = (reads: () => boolean) => ({
  jwt: {
    jwt: ({ token }: { token: Record<string, unknown> }) => {
      if (reads()) throw new Error("db down: host=10.0.0.7")
      return token
    },
  },
  session: {
    session: () => {
      throw new Error("db down: host=10.0.0.7")
    },
  },
})

describe.each(["jwt", "session"] as const)("A-076: a %s callback that throws", (name) => {
  async function signedIn() {
    let reads = false
    const event = jest.fn<() => void>()
    const people = openPeople({ callbacks: throwing(() => reads)[name], events: { session: event } })
    await enter(people.browser)
    reads = true
    return { ...people, event }
  }

  it.each(["GET", "POST"])("is an error of the server, never signed out: %s session", async (method) => {
    const { browser, log, event } = await signedIn()
    const csrfToken = await browser.csrfToken()

    const response =
      method === "GET" ? await browser.get("session") : await browser.postJson("session", { csrfToken, data: {} })

    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain("10.0.0.7")
    expect(setCookiesOf(response)).toEqual([])
    expect(log.types()).toEqual(["JWTSessionError"])
    expect(log.errors[0]?.cause).toMatchObject({ err: { message: "db down: host=10.0.0.7" } })
    expect(event).not.toHaveBeenCalled()
  })

  it("says so in JSON with a message, which clients show", async () => {
    const { browser, log } = await signedIn()

    const body = (await (await browser.get("session")).json()) as Record<string, unknown>

    expect(body).toMatchObject({ status: 500, error: "Configuration", message: expect.any(String) })
    expect(body["reference"]).toBe(log.errors[0]?.correlationId)
  })
})

describe("A-076: the jwt callback at sign-in", () => {
  it("returns null: nobody is signed in, and the browser goes on", async () => {
    const { browser } = openPeople({ callbacks: { jwt: () => null } })

    const response = await enter(browser, { callbackUrl: "/account" })

    expect(response.headers.get("location")).toBe("https://app.example/account")
    expect(await browser.session()).toBeNull()
  })

  it("throws: an error page, and nobody is signed in", async () => {
    const { browser, log } = openPeople({
      callbacks: {
        jwt: () => {
          throw new Error("db down")
        },
      },
    })

    const response = await enter(browser)

    expect(response.headers.get("location")).toBe("https://app.example/auth/error?error=Configuration")
    expect(log.types()).toEqual(["CallbackRouteError"])
    expect(await browser.session()).toBeNull()
  })

  it("returns 5 KB: they come back from several cookies", async () => {
    const { browser } = openPeople({
      callbacks: {
        jwt: ({ token }) => ({ ...token, much: "x".repeat(5000) }),
        session: ({ session, token }) => ({ ...session, length: String(token["much"]).length }),
      },
    })

    await enter(browser)

    expect(browser.jar.names().filter((name) => name.startsWith(sessionCookie))).toEqual([
      `${sessionCookie}.0`,
      `${sessionCookie}.1`,
    ])
    expect(await browser.session()).toMatchObject({ length: 5000 })
  })
})
