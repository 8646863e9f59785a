/** A site that notes what a failed sign-in must not do: write, ask the application, or tell it. */
import { expect } from "@jest/globals"
import { MemoryAdapter } from "../../src/adapters/memory.js"
import type { AuthConfig } from "../../src/core/index.js"
import type { OAuthConfig } from "../../src/providers/kinds.js"
import { locationOf } from "./core-browser.js"
import { checkCookies, expectRefused, oauthAt, oidcAt, openSite, signIn, type Site } from "./core-flow.js"
import type { FaultyProvider } from "../../src/testing/faulty-provider.js"

export type Endpoint = "discovery" | "token" | "jwks" | "userinfo"

/** Part of a body that must not get into the log. */
export const marker = "s3cret"

export interface WatchedSite extends Site {
  /** Names of the methods of the adapter that have written. */
  readonly writes: readonly string[]
  /** Names of the events told, and of the callbacks asked. */
  readonly told: readonly string[]
}

/** An adapter, and the names of its methods that have written. */
export function watchedAdapter() {
  const adapter = MemoryAdapter()
  const writes: string[] = []
  for (const name of ["createUser", "linkAccount", "createSession"] as const) {
    const method = adapter[name] as (...given: readonly unknown[]) => never
    adapter[name] = (...given: readonly unknown[]) => {
      writes.push(name)
      return method(...given)
    }
  }
  return { adapter, writes }
}

export function openWatched(
  provider: (idp: FaultyProvider) => OAuthConfig,
  given: Partial<AuthConfig> = {},
): WatchedSite {
  const { adapter, writes } = watchedAdapter()
  const told: string[] = []
  const tell = (name: string) => () => void told.push(name)
  const site = openSite(provider, {
    adapter,
    callbacks: { signIn: () => told.push("signIn callback") > 0 },
    events: { signIn: tell("signIn event"), createUser: tell("createUser event") },
    ...given,
  })
  return { ...site, writes, told }
}

/** Starts a sign-in, and completes it where it does start. */
export async function attempt({ browser, idp }: Site): Promise<Response> {
  const started = await browser.submit("signin/idp")
  const to = new URL(locationOf(started))
  return to.origin === idp.issuer ? browser.get(idp.approve(to).href) : started
}

/** An error page, nobody signed in, nothing written, nobody asked or told, no flow left open, no secret in the log. */
export async function expectFailedCleanly({ browser, writes, told, log, idp }: WatchedSite, response: Response) {
  await expectRefused(browser, response, ["Configuration"])
  expect([...writes, ...told]).toEqual([])
  expect(checkCookies(browser)).toEqual([])
  expect(log.errors).toHaveLength(1)
  for (const secret of [marker, ...idp.secrets]) expect(log.text()).not.toContain(secret)
}

export async function expectItWorksAgain(site: WatchedSite): Promise<void> {
  site.idp.faults = {}
  await signIn(site)
  expect(await site.browser.session()).not.toBeNull()
}

export const oidc = (idp: FaultyProvider) => oidcAt(idp, { idToken: false })
export const oauth = (idp: FaultyProvider) =>
  oauthAt(idp, { profile: ({ sub, email }) => ({ id: String(sub), email }) })

export interface Place {
  readonly endpoint: Endpoint
  readonly kind: "oidc" | "oauth"
  readonly provider: (idp: FaultyProvider) => OAuthConfig
}

export const atToken: Place = { endpoint: "token", kind: "oidc", provider: oidc }
export const places: readonly Place[] = [
  { endpoint: "discovery", kind: "oidc", provider: oidc },
  atToken,
  { endpoint: "token", kind: "oauth", provider: oauth },
  { endpoint: "jwks", kind: "oidc", provider: oidc },
  { endpoint: "userinfo", kind: "oidc", provider: oidc },
  { endpoint: "userinfo", kind: "oauth", provider: oauth },
]

export const json = { "content-type": "application/json" }
