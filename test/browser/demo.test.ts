import { afterAll, afterEach, describe, expect, it, jest } from "@jest/globals"
import type { BrowserContextOptions } from "playwright-core"
import { startOpenIDProvider } from "../../src/testing/index.js"
import { everyPage } from "./every-page.js"
import { readFacts, readFaintTexts } from "./page-facts.js"
import { startDemo } from "./running-demo.js"
import { goToProvider, signInThroughProvider, signInWithPassword } from "./steps.js"
import { launchBrowser, openVisitor, type Visitor } from "./visitor.js"

const [browser, demo] = await Promise.all([launchBrowser(), startDemo()])
afterAll(async () => {
  await Promise.all([browser.close(), demo.close()])
})

// Refused sign-ins are logged, and they are what these tests are about. Anything else in the log is a fault.
const expectedLine = /CredentialsSignin|OAuthCallbackError|\[auth\]\[(cause|details)\]|^\s*at /
const log = jest.spyOn(console, "error").mockImplementation(() => undefined)
const visitors: Visitor[] = []
async function visit(options?: BrowserContextOptions): Promise<Visitor> {
  const visitor = await openVisitor(browser, options)
  visitors.push(visitor)
  return visitor
}

afterEach(async () => {
  for (const { context, complaints, foreignRequests } of visitors.splice(0)) {
    await context.close()
    expect(complaints).toEqual([])
    expect(foreignRequests).toEqual([])
  }
  const logged = log.mock.calls.splice(0).map(String)
  expect(logged.filter((line) => !expectedLine.test(line))).toEqual([])
})

describe("the local OpenID provider", () => {
  it("signs somebody in, who then has a name, a picture and an account page, and can sign out", async () => {
    const { page } = await visit()
    await page.goto(demo.origin)
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click()
    await signInThroughProvider(page, "Ada Lovelace")

    await page.waitForURL(`${demo.origin}/`)
    await page.getByRole("heading", { name: "Hello, Ada Lovelace" }).waitFor()
    const picture = page.getByRole("img", { name: "Picture of Ada Lovelace" })
    expect(
      await picture.evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0),
    ).toBe(true)

    await page.getByRole("link", { name: "Your account" }).click()
    await page.getByText("ada@example.com").waitFor()

    await page.getByRole("link", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("heading", { name: "You are not signed in" }).waitFor()
    expect(page.url()).toBe(`${demo.origin}/`)
    await page.goto(`${demo.origin}/account`)
    await page.getByRole("button", { name: "Sign in with Local OpenID" }).waitFor()
  })

  it("brings somebody back to the page they asked for, with its query", async () => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/account?tab=1`)
    expect(new URL(page.url()).pathname).toBe("/auth/signin")
    await signInThroughProvider(page, "Grace Hopper")
    await page.waitForURL(`${demo.origin}/account?tab=1`)
    await page.getByText("grace@example.com").waitFor()
  })

  it("returns somebody who cancels to the sign-in page, which says so kindly", async () => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/auth/signin`)
    await goToProvider(page)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.waitForURL(/\/auth\/signin\?/)
    const message = await page.getByRole("alert").innerText()
    expect(message).toMatch(/\w+ \w+.*\./)
    expect(message).not.toMatch(/OAuth|Callback|access_denied/)
    await page.getByRole("button", { name: "Sign in with Local OpenID" }).waitFor()
  })

  it("finishes the sign-ins that somebody started in two tabs", async () => {
    const { context, page: first } = await visit()
    const second = await context.newPage()
    for (const [page, path] of [
      [first, "/account?first"],
      [second, "/account?second"],
    ] as const) {
      await page.goto(demo.origin + path)
      await goToProvider(page)
    }
    await first.getByRole("button", { name: "Ada Lovelace" }).click()
    await first.waitForURL(`${demo.origin}/account?first`)
    await second.getByRole("button", { name: "Ada Lovelace" }).click()
    await second.waitForURL(`${demo.origin}/account?second`)
    await second.getByText("ada@example.com").waitFor()
  })
})

describe("a provider that cannot be reached", () => {
  it("gives a page with a reference, under which the log has the reason", async () => {
    const gone = await startOpenIDProvider()
    await gone.close()
    const cutOff = await startDemo({ issuer: gone.issuer })
    const { page } = await visit()
    await page.goto(`${cutOff.origin}/auth/signin`)
    await page.getByRole("button", { name: "Sign in with Local OpenID" }).click()
    await page.getByRole("heading", { name: "Something went wrong" }).waitFor()
    const text = await page.getByRole("main").innerText()
    await cutOff.close()

    const reference = /reference (\w+)/.exec(text)?.[1]
    expect(reference).toMatch(/^[0-9a-f]{10}$/)
    const logged = log.mock.calls.splice(0).map(String).join("\n")
    expect(logged).toContain(reference)
    expect(logged).toContain("[auth][cause]")
  })
})

describe("the password form", () => {
  it("signs somebody in", async () => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/account`)
    await signInWithPassword(page, "grace", "compiler")
    await page.waitForURL(`${demo.origin}/account`)
    await page.getByText("grace@example.com").waitFor()
  })

  it.each([
    ["ada", "wrong"],
    ["nobody", "engine"],
  ])("refuses %s with %s kindly, and can be used again", async (username, password) => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/account`)
    await signInWithPassword(page, username, password)
    await page.waitForURL(/\/auth\/signin\?.*error=CredentialsSignin/)
    const message = await page.getByRole("alert").innerText()
    expect(message).toMatch(/check|correct|not/i)
    expect(message).not.toContain("CredentialsSignin")

    await signInWithPassword(page, "ada", "engine")
    await page.waitForURL(`${demo.origin}/account`)
    await page.getByText("ada@example.com").waitFor()
  })
})

describe("the page for administrators", () => {
  it.each([
    ["Grace Hopper", "grace", "compiler", 403],
    ["Ada Lovelace", "ada", "engine", 200],
  ])("knows the role of %s, whichever way they signed in", async (name, username, password, status) => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/auth/signin`)
    await signInThroughProvider(page, name)
    await page.waitForURL(`${demo.origin}/`)
    expect((await page.goto(`${demo.origin}/admin`))?.status()).toBe(status)

    const other = await visit()
    await other.page.goto(`${demo.origin}/auth/signin`)
    await signInWithPassword(other.page, username, password)
    await other.page.waitForURL(`${demo.origin}/`)
    expect((await other.page.goto(`${demo.origin}/admin`))?.status()).toBe(status)
  })

  it("sends somebody who is not signed in to sign in first", async () => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/admin`)
    await signInWithPassword(page, "ada", "engine")
    await page.waitForURL(`${demo.origin}/admin`)
    await page.getByRole("heading", { name: "Administration" }).waitFor()
  })
})

describe("without JavaScript", () => {
  it("signs in through the provider, out, and in with a password", async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    await page.goto(`${demo.origin}/account`)
    await signInThroughProvider(page, "Ada Lovelace")
    await page.waitForURL(`${demo.origin}/account`)
    await page.getByRole("link", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(`${demo.origin}/`)
    await page.goto(`${demo.origin}/account`)
    await signInWithPassword(page, "grace", "compiler")
    await page.waitForURL(`${demo.origin}/account`)
  })
})

describe("with the keyboard alone", () => {
  it("signs in through the provider", async () => {
    const { page } = await visit()
    await page.goto(`${demo.origin}/auth/signin`)
    await focusByTab("Sign in with Local OpenID")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Choose who to be" }).waitFor()
    await focusByTab("Grace Hopper")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Hello, Grace Hopper" }).waitFor()

    async function focusByTab(name: string): Promise<void> {
      const target = page.getByRole("button", { name })
      for (let presses = 0; presses < 12; presses++) {
        if (await target.evaluate((element) => element === document.activeElement)) return
        await page.keyboard.press("Tab")
      }
      throw new Error(`The Tab key did not lead to "${name}"`)
    }
  })
})

describe("every page", () => {
  it.each(Object.keys(everyPage))(
    "%s fits a phone, reads well in light and dark, and names its controls",
    async (name) => {
      const { page } = await visit({ viewport: { width: 360, height: 740 }, reducedMotion: "reduce" })
      await everyPage[name]?.(page, demo)
      expect(await readFacts(page)).toEqual({
        overflow: 0,
        language: "en",
        hasTitle: true,
        headings: 1,
        unnamedInputs: 0,
        lowControls: [],
      })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        expect({ colorScheme, faint: await readFaintTexts(page) }).toEqual({ colorScheme, faint: [] })
      }
    },
  )
})
