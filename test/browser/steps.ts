import type { Page } from "playwright-core"

/** Signs in on the sign-in page that `page` shows, as somebody whom the local provider knows. */
export async function signInThroughProvider(page: Page, name: string): Promise<void> {
  await goToProvider(page)
  await page.getByRole("button", { name }).click()
}

/** Goes from the sign-in page to the page of the local provider. */
export async function goToProvider(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign in with Local OpenID" }).click()
  await page.getByRole("heading", { name: "Choose who to be" }).waitFor()
}

/** Fills in and sends the password form of the sign-in page that `page` shows. */
export async function signInWithPassword(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("Name").fill(username)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in with Password" }).click()
}
