import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { configOf, openBrowser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { oauthAt, oidcAt } from "../../support/core-flow.js"
import { byName, openPeople } from "../../support/core-people.js"
import { FaultyProvider } from "../../../src/testing/faulty-provider.js"
import Credentials from "../../../src/providers/credentials.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

describe("the sign-in page", () => {
  it("has a form per provider, in the order of the configuration", async () => {
    const idp = new FaultyProvider()
    const providers = [oidcAt(idp, { id: "one" }), byName(), oauthAt(idp, { id: "two" })]
    const browser = openBrowser(configOf({ providers }))

    const html = await (await browser.get("signin")).text()

    expect([...html.matchAll(/<form action="([^"]+)" method="POST"/g)].map(([, action]) => action)).toEqual([
      "https://app.example/auth/signin/one",
      "https://app.example/auth/callback/credentials",
      "https://app.example/auth/signin/two",
    ])
    expect(html.split(`value="${await browser.csrfToken()}"`)).toHaveLength(4)
  })

  it("has no form for credentials without fields", async () => {
    const browser = openBrowser(configOf({ providers: [Credentials({ authorize: () => null })] }))

    expect(await (await browser.get("signin")).text()).not.toContain("<form")
  })

  it("asks no provider for anything", async () => {
    const idp = new FaultyProvider()
    const browser = openBrowser(configOf({ providers: [oidcAt(idp)] }))

    await browser.get("signin")

    expect(idp.requests).toEqual([])
  })
})

describe("A-009: the query of the sign-in page", () => {
  it("changes neither the token nor the providers nor the target", async () => {
    const { browser } = openPeople()
    const csrfToken = await browser.csrfToken()

    const response = await browser.get(
      "signin?csrfToken=AAA&callbackUrl=https://evil.example&providers=x&theme=y&email=<b>&title=z",
    )
    const html = await response.text()

    expect(response.status).toBe(200)
    expect(html).toContain(`name="csrfToken" value="${csrfToken}"`)
    expect(html).toContain('name="callbackUrl" value="https://app.example"')
    expect(html).toContain("Sign in with Credentials")
    for (const text of ["AAA", "evil.example", "<b>", "&lt;b&gt;"]) expect(html).not.toContain(text)
  })
})

const odd = ["constructor", "__proto__", "toString", "<script>alert(1)</script>", "Default", "", "CONFIGURATION"]

describe("A-010: the code of an error", () => {
  it.each([
    ["Configuration", 500],
    ["AccessDenied", 403],
    ["Verification", 403],
    ...odd.map((code) => [code, 200] as const),
  ])("decides the status of the error page: %s", async (code, status) => {
    const { browser } = openPeople()

    const response = await browser.get(`error?error=${encodeURIComponent(code)}`)

    expect(response.status).toBe(status)
  })

  it.each(odd)("that is unknown gives the page of any error: %s", async (code) => {
    const { browser } = openPeople()

    const [one, other] = await Promise.all(
      [`error?error=${encodeURIComponent(code)}`, "error"].map(async (path) => (await browser.get(path)).text()),
    )

    const withoutNonce = (html: string | undefined) => html?.replace(/nonce="\w+"/, "")
    expect(withoutNonce(one)).toBe(withoutNonce(other))
  })

  it.each(odd.filter((code) => code !== ""))(
    "that is unknown gives a general text on the sign-in page: %s",
    async (code) => {
      const { browser } = openPeople()

      const html = await (await browser.get(`signin?error=${encodeURIComponent(code)}`)).text()

      expect(html).toContain("The sign-in did not work.")
      expect(html).not.toContain("<script")
    },
  )

  it.each(["verify-request?provider=<script>", "signout?error=<script>"])("is not echoed: %s", async (path) => {
    const { browser } = openPeople()

    expect(await (await browser.get(path)).text()).not.toContain("script")
  })
})
