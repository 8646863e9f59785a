/** Sign-ins as real browsers have them: with tabs, buttons pressed twice, cookies lost, and pages fetched in advance. */
import { afterAll, afterEach, describe, expect, it, jest } from "@jest/globals"
import type { Page } from "playwright-core"
import { startDemo } from "./running-demo.js"
import { startPair } from "./running-pair.js"
import { goToProvider, signInThroughProvider } from "./steps.js"
import { launchBrowser, openVisitor, type Visitor } from "./visitor.js"

const [browser, demo, pair] = await Promise.all([launchBrowser(), startDemo(), startPair()])
afterAll(async () => {
  await Promise.all([browser.close(), demo.close(), pair.close()])
})

const log = jest.spyOn(console, "error").mockImplementation(() => undefined)
const visitors: Visitor[] = []
async function visit(): Promise<Visitor> {
  const visitor = await openVisitor(browser)
  visitors.push(visitor)
  return visitor
}

afterEach(async () => {
  for (const { context, complaints, foreignRequests } of visitors.splice(0)) {
    await context.close()
    expect(complaints).toEqual([])
    expect(foreignRequests).toEqual([])
  }
  // Nothing of what follows is an error to anybody.
  expect(log.mock.calls.splice(0).map(String)).toEqual([])
})

/** Addresses of the callback that a page has been at. */
function callbacksOf(page: Page): readonly string[] {
  const seen: string[] = []
  page.on("request", (request) => {
    if (request.url().includes("/auth/callback/")) seen.push(request.url())
  })
  return seen
}

describe("cookies that are lost at the provider's page", () => {
  it("cost one more round, after which one is where one wanted to be", async () => {
    const { context, page } = await visit()
    const callbacks = callbacksOf(page)
    await page.goto(`${demo.origin}/account?tab=1`)
    await goToProvider(page)
    await context.clearCookies({ name: /authjs/ })
    const first = page.url()
    await page.getByRole("button", { name: "Ada Lovelace" }).click()
    // The provider asks anew, as nothing of the first round was used.
    await page.waitForURL(({ href }) => href !== first && href.startsWith(demo.issuer))
    await page.getByRole("button", { name: "Ada Lovelace" }).click()

    await page.waitForURL(`${demo.origin}/account?tab=1`)
    await page.getByText("ada@example.com").waitFor()
    expect(callbacks).toHaveLength(2)
  })
})

describe("the back button after a sign-in", () => {
  it("leads back to the application, and nowhere to an error", async () => {
    const { page } = await visit()
    const callbacks = callbacksOf(page)
    await page.goto(`${demo.origin}/account?tab=1`)
    await signInThroughProvider(page, "Ada Lovelace")
    await page.waitForURL(`${demo.origin}/account?tab=1`)

    await page.goto(callbacks[0] ?? "")
    expect(page.url()).toBe(`${demo.origin}/account?tab=1`)
    // Past the provider's page, to the page with the button.
    await page.goBack()
    while (new URL(page.url()).pathname !== "/auth/signin") await page.goBack()
    await signInThroughProvider(page, "Ada Lovelace")
    await page.waitForURL(`${demo.origin}/account?tab=1`)
    await page.getByText("ada@example.com").waitFor()
  })
})

describe("a button that is pressed twice", () => {
  it("signs in all the same: that of the sign-in page", async () => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/account?tab=1`)
    await page.getByRole("button", { name: "Sign in with Local OpenID" }).dblclick({ noWaitAfter: true })
    await page.getByRole("button", { name: "Ada Lovelace" }).click()

    await page.waitForURL(`${demo.origin}/account?tab=1`)
    await page.getByText("ada@example.com").waitFor()
  })

  it("signs in all the same: that of the provider's page", async () => {
    const { page } = await visit()
    await page.goto(`${pair.origin}/account`)
    await page.getByRole("button", { name: "Sign in with Plain" }).click()
    await page.getByRole("button", { name: "I am Ada" }).dblclick({ noWaitAfter: true })

    await page.waitForURL(`${pair.origin}/account`)
    await page.getByRole("heading", { name: "Account of Ada Lovelace" }).waitFor()
  })
})

describe("a provider of another site that posts its answer", () => {
  it("signs in with cookies that do not come with such a post", async () => {
    const { context, page } = await visit()
    await page.goto(`${pair.origin}/account`)
    const before = pair.callbacks.length
    await page.getByRole("button", { name: "Sign in with Posting" }).click()
    await page.waitForURL(`${pair.issuer}/**`)
    const sameSite = (await context.cookies(pair.origin)).map((cookie) => cookie.sameSite)
    await page.getByRole("button", { name: "I am Ada" }).click()

    await page.waitForURL(`${pair.origin}/account`)
    await page.getByRole("heading", { name: "Account of Ada Lovelace" }).waitFor()
    expect(new Set(sameSite)).toEqual(new Set(["Lax"]))
    expect(pair.callbacks.slice(before)).toEqual([
      { method: "POST", purpose: undefined, hasCookies: false, status: 303 },
      { method: "GET", purpose: undefined, hasCookies: true, status: 302 },
    ])
  })
})

describe("a callback that is fetched in advance", () => {
  it.each([
    ["prefetch", `{"prefetch":[{"source":"list","urls":["URL"],"eagerness":"immediate"}]}`],
    ["prerender", `{"prerender":[{"source":"list","urls":["URL"],"eagerness":"immediate"}]}`],
  ])("completes nothing, and the visit that follows does: %s", async (_, rules) => {
    const { context, page } = await visit()
    await page.goto(`${pair.origin}/account`)
    await page.getByRole("button", { name: "Sign in with Plain" }).click()
    await page.waitForURL(`${pair.issuer}/**`)
    const callback = pair.idp.approve(page.url()).href
    await page.goto(pair.origin)
    const tokens = pair.idp.count("token")
    const fetched = pair.nextCallback()

    await page.evaluate(
      (text) => {
        const script = document.createElement("script")
        script.type = "speculationrules"
        script.textContent = text
        document.head.append(script)
      },
      rules.replace("URL", callback),
    )

    expect(await fetched).toMatchObject({ purpose: expect.stringContaining("prefetch"), status: 503 })
    expect(pair.idp.count("token")).toBe(tokens)
    expect((await context.cookies()).filter(({ name }) => name.includes("session-token"))).toEqual([])

    await page.goto(callback)
    await page.getByRole("heading", { name: "Account of Ada Lovelace" }).waitFor()
    expect(page.url()).toBe(`${pair.origin}/account`)
  })
})
