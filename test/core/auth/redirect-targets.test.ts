import { afterEach, beforeEach, describe, expect, it } from "@jest/globals"
import { locationOf, type Browser } from "../../support/core-browser.js"
import { freezeClock, releaseClock } from "../../support/core-clock.js"
import { openSite, signIn } from "../../support/core-flow.js"
import { enter, openPeople } from "../../support/core-people.js"

beforeEach(() => freezeClock())
afterEach(releaseClock)

/** R1: foreign absolute addresses. */
const foreign = [
  "https://evil.example",
  "http://evil.example",
  "https://evil.example:443/",
  "https://evil.example/https://app.example",
  "https://evil.example?https://app.example",
  "https://evil.example\\.app.example",
  "//evil.example",
  "https:evil.example",
  "https:/evil.example",
  "https:\\\\evil.example",
  "HTTPS://EVIL.EXAMPLE",
]

/** R2: paths that a browser would read as another host. */
const tricks = [
  "//evil.example",
  "///evil.example",
  "////evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "\\\\evil.example",
  "/\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/%09/evil.example",
  "/%5cevil.example",
  "/%2f%2fevil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/x/..//evil.example",
  "/;//evil.example",
  "//evil.example%00.app.example",
  "/〱evil.example",
  "//evil。example",
]

/** R3: credentials in front of the host. */
const userinfo = [
  "https://app.example@evil.example",
  "https://app.example\\@evil.example",
  "https://u:p@app.example/x",
  "https://evil.example#@app.example",
]

/** R4: other schemes. */
const schemes = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///x",
  "blob:https://app.example/id",
  "filesystem:https://app.example/t/x",
  "about:blank",
  "view-source:https://app.example",
  "ws://app.example",
  "app:/x",
  "intent://x",
]

/** R5: origins that are nearly ours. */
const lookalikes = [
  "https://app.example.evil.example",
  "https://evilapp.example",
  "https://app.example:8443",
  "http://app.example",
  "https://app.example./x",
  "https://app．example.evil/x",
]

const refused = [...new Set([...foreign, ...userinfo, ...schemes, ...lookalikes])]

/** Checks what every `Location` must be: our origin, and nothing that a browser could read otherwise. */
function expectOurs(location: string): void {
  expect(location).not.toMatch(/[\u0000-\u0020\\]/)
  const { origin, pathname, username, password } = new URL(location)
  expect({ origin, username, password }).toEqual({ origin: "https://app.example", username: "", password: "" })
  expect(pathname).toMatch(/^\/(?![/\\])/)
}

async function callbackCookie(browser: Browser): Promise<string> {
  return decodeURIComponent(browser.jar.get("__Secure-authjs.callback-url") ?? "")
}

describe("A-001, A-003, A-004, A-005: a target elsewhere becomes our own address", () => {
  it.each(refused)("after a sign-out: %j", async (callbackUrl) => {
    const { browser } = openPeople()

    expect(locationOf(await browser.submit("signout", { callbackUrl }))).toBe("https://app.example")
    expect(await callbackCookie(browser)).toBe("https://app.example")
  })

  it.each(refused)("A-011: when a client wants it in JSON: %j", async (callbackUrl) => {
    const { browser } = openPeople()

    const response = await browser.submit("signout", { callbackUrl }, { "x-auth-return-redirect": "1" })

    expect(await response.json()).toEqual({ url: "https://app.example" })
  })

  it.each(refused)("on the sign-in page: %j", async (callbackUrl) => {
    const { browser } = openPeople()

    const html = await (await browser.get(`signin?callbackUrl=${encodeURIComponent(callbackUrl)}`)).text()

    expect(html).toContain('name="callbackUrl" value="https://app.example"')
    expect(html).not.toContain("evil")
  })

  it.each(refused)("after a sign-in with credentials: %j", async (callbackUrl) => {
    const { browser } = openPeople()

    expect(locationOf(await enter(browser, { callbackUrl }))).toBe("https://app.example")
  })

  it.each(["https://evil.example", "//evil.example", "javascript:alert(1)", "https://u:p@app.example/x"])(
    "after a sign-in with a provider: %j",
    async (callbackUrl) => {
      const site = openSite()

      const response = await signIn(site, { callbackUrl })

      expect(locationOf(response)).toBe("https://app.example")
      expect(await site.browser.session()).not.toBeNull()
    },
  )
})

describe("A-002: a path that is a trick stays on our origin, in canonical form", () => {
  it.each(tricks)("in a body: %j", async (callbackUrl) => {
    const { browser } = openPeople()

    expectOurs(locationOf(await browser.submit("signout", { callbackUrl })))
  })

  it.each(tricks)("in a query: %j", async (callbackUrl) => {
    const { browser } = openPeople()
    const csrfToken = await browser.csrfToken()

    const response = await browser.post(`signout?callbackUrl=${encodeURIComponent(callbackUrl)}`, { csrfToken })

    expectOurs(locationOf(response))
  })
})

describe("A-005: our own origin passes in canonical form", () => {
  it.each([
    ["https://APP.EXAMPLE/x", "https://app.example/x"],
    ["https://app.example:443/x", "https://app.example/x"],
    ["https://app.example", "https://app.example"],
    ["/", "https://app.example/"],
    ["/x?a=1#b", "https://app.example/x?a=1#b"],
    ["/a b", "https://app.example/a%20b"],
    ["/x\u2028", "https://app.example/x%E2%80%A8"],
    ["/a/../b", "https://app.example/b"],
  ])("%j", async (callbackUrl, expected) => {
    const { browser } = openPeople()

    expect(locationOf(await browser.submit("signout", { callbackUrl }))).toBe(expected)
  })
})

describe("A-006: nothing gets into a header that does not belong there", () => {
  it.each(["/ok\r\nset-cookie: a=b", "/ok%0d%0aset-cookie:%20a=b", "/ok\0", "/ok\n", "/x\u2028y"])(
    "%j",
    async (callbackUrl) => {
      const { browser } = openPeople()

      const response = await browser.submit("signout", { callbackUrl })

      expect(response.status).toBe(302)
      expectOurs(locationOf(response))
      expect(response.headers.getSetCookie().join("\n")).not.toMatch(/(^|\n)a=b/)
    },
  )

  it("and a path of a megabyte is too much", async () => {
    const { browser } = openPeople()

    expect((await browser.submit("signout", { callbackUrl: `/${"a".repeat(1_000_000)}` })).status).toBe(413)
  })

  it("and a target that grows beyond 2 048 characters when it is encoded is none", async () => {
    const { browser } = openPeople()

    const response = await browser.submit("signout", { callbackUrl: `/${"€".repeat(2000)}` })

    expect(locationOf(response).length).toBeLessThanOrEqual(2048)
  })
})
