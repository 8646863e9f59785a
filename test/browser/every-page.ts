import type { Page } from "playwright-core"
import type { RunningDemo } from "./running-demo.js"
import { goToProvider, signInThroughProvider, signInWithPassword } from "./steps.js"

type Open = (page: Page, demo: RunningDemo) => Promise<unknown>

/** Every page a visitor can meet, built-in ones and the demo's, by file name; each opened by a visitor without cookies. */
export const everyPage: Readonly<Record<string, Open>> = {
  home: (page, { origin }) => page.goto(origin),
  signin: (page, { origin }) => page.goto(`${origin}/auth/signin`),
  "signin-required": (page, { origin }) => page.goto(`${origin}/account`),
  "signin-wrong-password": async (page, { origin }) => {
    await page.goto(`${origin}/auth/signin`)
    await signInWithPassword(page, "ada", "wrong")
    await page.waitForURL(/error=/)
  },
  "signin-cancelled": async (page, { origin }) => {
    await page.goto(`${origin}/auth/signin`)
    await goToProvider(page)
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.waitForURL(/error=/)
  },
  provider: async (page, { origin }) => {
    await page.goto(`${origin}/auth/signin`)
    await goToProvider(page)
  },
  "provider-ended": (page, { issuer }) => page.goto(`${issuer}/interaction/unknown`),
  "provider-refused": (page, { issuer }) => page.goto(`${issuer}/auth?client_id=unknown`),
  "provider-signout": async (page, { origin, issuer }) => {
    await page.goto(`${origin}/auth/signin`)
    await signInThroughProvider(page, "Ada Lovelace")
    await page.waitForURL(`${origin}/`)
    await page.goto(`${issuer}/session/end`)
  },
  "provider-signed-out": (page, { issuer }) => page.goto(`${issuer}/session/end`),
  "home-signed-in": (page, demo) => openAs("grace", "compiler", "/", page, demo),
  account: (page, demo) => openAs("grace", "compiler", "/account", page, demo),
  admin: (page, demo) => openAs("ada", "engine", "/admin", page, demo),
  "admin-refused": (page, demo) => openAs("grace", "compiler", "/admin", page, demo),
  signout: (page, demo) => openAs("ada", "engine", "/auth/signout", page, demo),
  "signout-federated": (page, demo) =>
    openAs("ada", "engine", "/auth/signout?federated=true&provider=local", page, demo),
  "not-found": (page, { origin }) => page.goto(`${origin}/nowhere`),
  "verify-request": (page, { origin }) => page.goto(`${origin}/auth/verify-request`),
  error: (page, { origin }) => page.goto(`${origin}/auth/error`),
  "error-configuration": (page, { origin }) => page.goto(`${origin}/auth/error?error=Configuration`),
  "error-access-denied": (page, { origin }) => page.goto(`${origin}/auth/error?error=AccessDenied`),
  "error-verification": (page, { origin }) => page.goto(`${origin}/auth/error?error=Verification`),
}

async function openAs(
  username: string,
  password: string,
  path: string,
  page: Page,
  { origin }: RunningDemo,
): Promise<void> {
  await page.goto(`${origin}/auth/signin?callbackUrl=${encodeURIComponent("/")}`)
  await signInWithPassword(page, username, password)
  await page.waitForURL(`${origin}/`)
  await page.goto(origin + path)
}
