import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { configOf, openBrowser, testPorts } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oauthAt } from "../../support/core-flow.js"
import { captureLog } from "../../support/core-log.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

function open(basePath: string | undefined) {
  const idp = new FaultyProvider()
  const log = captureLog()
  const providers = ["github", "auth0"].map((id) => oauthAt(idp, { id, name: id }))
  const browser = openBrowser(
    configOf({ providers, basePath, logger: log.logger }),
    testPorts({ fetch: idp.fetch }),
    "https://app.example",
    "",
  )
  return { browser, log }
}

describe("a path that is no action", () => {
  it.each([
    ["/auth", "/auuth/signin"],
    ["/auth", "/api/auth/signin"],
    ["/auth", "/auth/auth/signin/github"],
    ["/api/auth", "/api/auth/signinn"],
    ["/api/auth", "/api/auth/signinn/github"],
    ["/api/auth", "/api/auth/signin/github/github"],
    ["/api/auth", "/api/auth/signin/api/auth/signin/github"],
    ["/auth", "/auth"],
    ["/auth", "/auth/"],
    ["/auth", "/authsession"],
    ["/auth", "/AUTH/session"],
    ["/auth", "/auth/SESSION"],
    ["/auth", "/auth/%73ession"],
    ["/auth", "/auth/session;a=b"],
    ["/auth", "//auth/session"],
    ["/auth", "/auth/session/github"],
    ["/auth", "/auth/constructor"],
    ["/auth", "/auth/__proto__"],
    ["/a.th", "/auth/session"],
  ])("gets 400 below %s: %s", async (basePath, path) => {
    const { browser, log } = open(basePath)

    const response = await browser.get(`https://app.example${path}`)

    expect({
      status: response.status,
      type: response.headers.get("content-type"),
      text: await response.text(),
    }).toEqual({ status: 400, type: "application/json", text: '"Bad request."' })
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.types()).toEqual(["UnknownAction"])
    expect(log.errors[0]?.message).toMatch(/^Cannot parse action at /)
  })

  it("is named in the log", async () => {
    const { browser, log } = open("/auth")

    await browser.get("https://app.example/auth/foo?secret=1")

    expect(log.errors[0]?.message).toMatch(/^Cannot parse action at \/auth\/foo\./)
  })

  it("gets 400 for a POST, too", async () => {
    const { browser } = open("/auth")

    expect((await browser.post("https://app.example/auth/foo")).status).toBe(400)
  })
})

describe("a path that is an action", () => {
  it.each([
    ["/api/auth", "/api/auth/signin/github", "github"],
    ["/api/auth", "/api/auth/signin/github/", "github"],
    ["/auth", "/auth/signin/auth0///", "auth0"],
    [undefined, "/auth/signin/auth0", "auth0"],
    ["auth/", "/auth/signin/auth0", "auth0"],
    ["/", "/signin/auth0", "auth0"],
  ])("may name a provider, below %s: %s", async (basePath, path, provider) => {
    const { browser } = open(basePath)
    const base = path.replace(/\/+signin.*/, "")
    const { csrfToken } = (await (await browser.get(`https://app.example${base}/csrf`)).json()) as { csrfToken: string }

    const response = await browser.post(`https://app.example${path}`, { csrfToken })

    const to = new URL(response.headers.get("location") ?? "")
    expect(to.origin).toBe("https://idp.example")
    expect(to.searchParams.get("redirect_uri")).toBe(`https://app.example${base}/callback/${provider}`)
  })

  it.each(["/auth/signin/undefined", "/auth/signin/", "/auth/signin///"])(
    "shows the sign-in page when it names none: %s",
    async (path) => {
      const { browser } = open("/auth")

      const response = await browser.get(`https://app.example${path}`)

      expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
        status: 200,
        type: "text/html; charset=utf-8",
      })
    },
  )

  it.each(["%67ithub", "GITHUB", "github%20"])("compares provider ids as they are: %s", async (id) => {
    const { browser } = open("/auth")

    const response = await browser.get(`https://app.example/auth/signin/${id}`)

    expect(response.headers.get("location")).toBe("https://app.example/auth/error?error=Configuration")
  })
})
