/** A site with a store, where people come each by a browser of their own. */
import { expect } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { checkCookies, expectRefused, oidcAt, openSite, signIn, type Site } from "./core-flow.js"

export interface KeptSite extends Site {
  readonly adapter: ReturnType<typeof MemoryAdapter>
}

export function openKept(timeouts = {}, given: Partial<OIDCConfig> = {}): KeptSite {
  const adapter = MemoryAdapter()
  return { ...openSite((idp) => oidcAt(idp, given), { adapter, timeouts }), adapter }
}

/** Somebody else signs in, by a browser of their own. */
export async function enter(
  site: KeptSite,
  sub: string,
): Promise<Site & { readonly response: Response; readonly sub: string }> {
  const browser = site.another()
  site.idp.person = { sub, email: `${sub}@example.com` }
  return { ...site, browser, sub, response: await signIn({ ...site, browser }) }
}

export async function expectEntered(
  { adapter }: KeptSite,
  { browser, sub }: Awaited<ReturnType<typeof enter>>,
): Promise<void> {
  expect(await browser.session()).toMatchObject({ user: { email: `${sub}@example.com` } })
  expect(await adapter.getUserByAccount({ provider: "idp", providerAccountId: sub })).not.toBeNull()
}

/** An error page, nobody signed in, nothing stored, no flow left open, nothing secret in the log. */
export async function expectKeptOut(
  { adapter, log, idp }: KeptSite,
  { browser, response, sub }: Awaited<ReturnType<typeof enter>>,
): Promise<void> {
  await expectRefused(browser, response, ["Configuration"])
  expect(await adapter.getUserByEmail(`${sub}@example.com`)).toBeNull()
  expect(checkCookies(browser)).toEqual([])
  for (const secret of idp.secrets) expect(log.text()).not.toContain(secret)
}

export const down = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }))
