import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { Auth, type AuthConfig } from "../../../src/core/index.js"
import { locationOf } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

const message = "There was a problem with the server configuration. Check the server logs for more information."

/** Two ways to get it wrong: what is found when the configuration is compiled, and what depends on the request. */
const wrong: readonly (readonly [type: string, given: Partial<AuthConfig>])[] = [
  ["MissingSecret", { secret: undefined }],
  ["UntrustedHost", { trustHost: false }],
]

describe.each(wrong)("%s: %j", (type, given) => {
  it.each([
    ["GET", "session"],
    ["GET", "providers"],
    ["GET", "csrf"],
    ["GET", "callback/credentials"],
    ["POST", "signin/credentials"],
    ["POST", "signout"],
    ["POST", "session"],
    ["POST", "callback/credentials"],
  ])("is a 500 in JSON: %s %s", async (method, path) => {
    const { browser, log } = openPeople(given)

    const response = await browser.send(method, path)

    expect([response.status, await response.text()]).toEqual([500, JSON.stringify({ message })])
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.types()).toEqual([type])
  })

  it.each(["signin", "signout", "error", "verify-request"])("is the error page, with 500: %s", async (path) => {
    const { browser, log } = openPeople(given)

    const response = await browser.get(path)

    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
      status: 500,
      type: "text/html; charset=utf-8",
    })
    expect(await response.text()).toContain("<title>Error</title>")
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.types()).toEqual([type])
  })

  it.each([
    ["/oops", "https://app.example/oops?error=Configuration"],
    ["/oops?a=1", "https://app.example/oops?a=1&error=Configuration"],
    ["https://www.example/oops", "https://www.example/oops?error=Configuration"],
  ])("leads a page to pages.error = %s", async (error, expected) => {
    const { browser } = openPeople({ ...given, pages: { error } })

    const response = await browser.get("signin")

    expect({ status: response.status, to: locationOf(response) }).toEqual({ status: 302, to: expected })
  })

  it.each(["/oops", "/oops/sub", "https://app.example/oops"])(
    "shows the built-in page where the application's own asked for a sign-in itself: %s",
    async (callbackUrl) => {
      const { browser, log } = openPeople({ ...given, pages: { error: "/oops" } })

      const response = await browser.get(`signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)

      expect(response.status).toBe(500)
      expect(log.types()).toEqual([type, "ErrorPageLoop"])
    },
  )
})

describe("a configuration error", () => {
  it("says in the log what was expected", async () => {
    const { browser, log } = openPeople({ secret: "" })

    await browser.get("session")

    expect(log.errors[0]?.message).toBe(
      "Please define a `secret`. Read more at https://errors.authjs.dev#missingsecret",
    )
  })

  it("of the host says which one", async () => {
    const { browser, log } = openPeople({ trustHost: false })

    await browser.get("session?a=1")

    expect(log.errors[0]?.message).toMatch(
      /^Host must be trusted\. URL was: https:\/\/app\.example\/auth\/session\?a=1\. Read more/,
    )
  })

  it("names every problem at once", async () => {
    const { browser, log } = openPeople({ secret: "", basePath: 7 as unknown as string, session: { maxAge: -1 } })

    await browser.answer(new Request("https://app.example/auth/session"))

    const { problems } = log.errors[0]?.cause as { problems: readonly { path: string }[] }
    expect(problems.map(({ path }) => path)).toEqual(["secret", "basePath", "session.maxAge"])
  })

  it("does not make an action of a path that is none", async () => {
    const { browser } = openPeople({ secret: "" })

    const response = await browser.get("foo")

    expect({ status: response.status, text: await response.text() }).toEqual({ status: 400, text: '"Bad request."' })
  })

  it.each([
    ["no providers at all", { providers: undefined as unknown as [] }],
    ["a provider that is nothing", { providers: [null as never] }],
    [
      "a provider that throws",
      {
        providers: [
          () => {
            throw new Error("no client id")
          },
        ],
      },
    ],
  ])("never throws: %s", async (_, given) => {
    const { browser } = openPeople(given)

    const response = await browser.get("session")

    expect([200, 500]).toContain(response.status)
  })
})

describe("a list of trusted hosts", () => {
  it.each([
    [["app.example"], 200],
    [["*.example"], 200],
    [["other.example"], 500],
    [[], 500],
  ])("decides which host is answered: %j", async (trustHost, status) => {
    const { browser } = openPeople({ trustHost })

    expect((await browser.get("session")).status).toBe(status)
  })
})

describe("Auth without trustHost", () => {
  it("refuses, as it reads no environment", async () => {
    const { config, log } = openPeople({ trustHost: undefined })

    expect((await Auth(new Request("https://app.example/auth/session"), config)).status).toBe(500)
    expect(log.types()).toEqual(["UntrustedHost"])
  })
})
