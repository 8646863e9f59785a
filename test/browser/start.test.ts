import { expect, it } from "@jest/globals"
import type { Page } from "playwright-core"
import { findFreePort, spawnDemo, withDatabaseFile } from "./demo-process.js"
import { signInThroughProvider, signInWithPassword } from "./steps.js"
import { launchBrowser, openVisitor } from "./visitor.js"

it("npm start prints the address in one line, needs no settings, and answers there", () =>
  withDatabaseFile(async (database) => {
    const demo = await spawnDemo(await findFreePort(), database)
    try {
      const response = await fetch(`${demo.origin}/`)
      expect(await response.text()).toContain("You are not signed in")
      expect(demo.output).toEqual([`The Latchkey demo runs at ${demo.origin}\n`])
    } finally {
      await demo.kill()
    }
  }))

it.each([
  ["the local OpenID provider", (page: Page) => signInThroughProvider(page, "Ada Lovelace")],
  ["a password", (page: Page) => signInWithPassword(page, "ada", "engine")],
] as const)("somebody who has signed in with %s stays so when the server is killed and started again", (_, signIn) =>
  withDatabaseFile(async (database) => {
    const port = await findFreePort()
    const browser = await launchBrowser()
    const { page } = await openVisitor(browser)
    const first = await spawnDemo(port, database)
    try {
      await page.goto(`${first.origin}/account`)
      await signIn(page)
      await page.getByText("ada@example.com").waitFor()
    } finally {
      await first.kill()
    }
    const second = await spawnDemo(port, database)
    try {
      await page.goto(`${second.origin}/admin`)
      await page.getByRole("heading", { name: "Administration" }).waitFor()
      await page.getByRole("link", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByRole("heading", { name: "You are not signed in" }).waitFor()
    } finally {
      await second.kill()
      await browser.close()
    }
  }),
)
