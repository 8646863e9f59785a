/** Signing out at the provider, with a provider that remembers browsers. */
import { afterAll, afterEach, describe, expect, it } from "@jest/globals"
import express from "express"
import { createServer } from "node:http"
import type { Page } from "playwright-core"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import { ExpressAuth, requireSession, type AuthConfig } from "../../src/index.js"
import { startOpenIDProvider } from "../../src/testing/index.js"
import { launchBrowser, openVisitor, type Visitor } from "./visitor.js"

const browser = await launchBrowser()
const closing: (() => Promise<void>)[] = []
const visitors: Visitor[] = []
afterEach(async () => {
  for (const { context, complaints, foreignRequests } of visitors.splice(0)) {
    await context.close()
    expect(complaints).toEqual([])
    expect(foreignRequests).toEqual([])
  }
  for (const close of closing.splice(0)) await close()
})
afterAll(() => browser.close())

/** An application, whose front page tells the way in and the two ways out, and its provider. */
async function open(config: Partial<AuthConfig>) {
  const provider = await startOpenIDProvider({ login: "page", remembersBrowser: true })
  const app = express()
  const auth = ExpressAuth({
    secret: "a secret for the browser tests only",
    trustHost: true,
    providers: [{ ...provider, id: "local", name: "Local OpenID", type: "oidc" }],
    ...config,
  })
  app.use("/auth", auth)
  app.get("/favicon.ico", (_req, res) => void res.status(204).end())
  app.get(
    "/account",
    requireSession((req, res) => void res.send(`<h1>Account of ${req.auth.user?.name}</h1>`)),
  )
  app.get("/", (_req, res) => void res.send("<h1>Home</h1>"))
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await Promise.all([new Promise((resolve) => server.close(resolve)), provider.close()])
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("expected a TCP port")
  const visitor = await openVisitor(browser)
  visitors.push(visitor)
  return { provider, origin: `http://localhost:${address.port}`, page: visitor.page }
}

async function goIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/account`)
  await page.getByRole("button", { name: "Sign in with Local OpenID" }).click()
}

const choice = (page: Page) => page.getByRole("heading", { name: "Choose who to be" })
const account = (page: Page) => page.getByRole("heading", { name: "Account of Ada Lovelace" })

async function leave(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole("button", { name: "Sign out" }).click()
}

describe.each<[string, () => Partial<AuthConfig>]>([
  ["sessions in a database", () => ({ adapter: MemoryAdapter() })],
  ["sessions and tokens in cookies", () => ({ session: { providerTokens: true } })],
  ["sessions in cookies, and tokens nowhere", () => ({})],
])("signing out, with %s", (_, config) => {
  it("leaves the provider's session alone, unless it is to end, too", async () => {
    const { page, origin, provider } = await open(config())
    await goIn(page, origin)
    await choice(page).waitFor()
    await page.getByRole("button", { name: "Ada Lovelace" }).click()
    await account(page).waitFor()

    // Here alone: the provider still knows who it is, and asks nothing.
    await leave(page, `${origin}/auth/signout?callbackUrl=%2F`)
    await page.getByRole("heading", { name: "Home" }).waitFor()
    await goIn(page, origin)
    await account(page).waitFor()

    await page.goto(`${origin}/auth/signout?federated=true&callbackUrl=%2F`)
    await page.getByText("This also signs you out").waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    // Without a hint as to who it is, the provider asks.
    if (Object.keys(config()).length === 0) await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(`${origin}/`)
    expect(provider.requests.some(({ path }) => path.startsWith("/session/end"))).toBe(true)

    await goIn(page, origin)
    await choice(page).waitFor()
  })
})
