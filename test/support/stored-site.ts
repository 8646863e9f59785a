/** A site with two providers that keeps its users in an adapter, and what happens there. */
import { expect } from "@jest/globals"
import type { AuthConfig, EventCallbacks } from "../../src/core/index.js"
import type { Ports } from "../../src/core/engine/engine.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { configOf, locationOf, openBrowser, testPorts, type Browser } from "./core-browser.js"
import { oidcAt } from "./core-flow.js"
import { captureLog, type Log } from "./core-log.js"
import { byName } from "./core-people.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { createStored, type Stored, type StoredOptions } from "./stored-adapter.js"

export const sessionCookie = "__Secure-authjs.session-token"

/** The claims of whoever signs in. */
export type Person = Readonly<Record<string, unknown>>

export const ada: Person = { sub: "ada", name: "Ada Lovelace", email: "ada@example.com" }
export const grace: Person = { sub: "grace", name: "Grace Hopper", email: "grace@example.com" }

export type ProviderId = "idp" | "other"
export type Strategy = "database" | "jwt"

/** An event that was told, or a callback that was asked. */
export type Told = readonly [name: keyof EventCallbacks, message: unknown]

export interface StoredSite {
  readonly stored: Stored
  readonly log: Log
  /** Events, in order. */
  readonly told: Told[]
  readonly idps: Readonly<Record<ProviderId, FaultyProvider>>
  readonly config: AuthConfig
  readonly browser: Browser
  /** Another browser in front of the same process. */
  another(): Browser
  /** A browser in front of another process of the same site. */
  elsewhere(): Browser
}

export interface StoredSiteOptions extends Partial<AuthConfig> {
  readonly stored?: StoredOptions | Stored
  readonly strategy?: Strategy
  /** Changes to both providers. */
  readonly provider?: Partial<OIDCConfig>
  /** Whom the credentials provider lets in. Default whoever gives a name, as user 42. */
  readonly authorize?: Parameters<typeof byName>[0]
  /** Whether there is a credentials provider at all. Default `true`. */
  readonly hasCredentials?: boolean
}

export function openStoredSite(options: StoredSiteOptions = {}): StoredSite {
  const { stored: given, strategy, provider, authorize, hasCredentials = true, ...rest } = options
  const stored = given && "adapter" in given ? given : createStored(given)
  const log = captureLog()
  const told: Told[] = []
  const idps = { idp: new FaultyProvider("https://idp.example"), other: new FaultyProvider("https://other.example") }
  const fetch: Ports["fetch"] = (input, init) => {
    const { hostname } = new URL(new Request(input).url)
    return hostname === "other.example" ? idps.other.fetch(input, init) : idps.idp.fetch(input, init)
  }
  const config = configOf({
    adapter: stored.adapter,
    providers: [
      oidcAt(idps.idp, provider),
      oidcAt(idps.other, { id: "other", name: "Other", ...provider }),
      ...(hasCredentials ? [byName(authorize)] : []),
    ],
    logger: log.logger,
    events: eventsInto(told),
    ...rest,
    session: { ...(strategy && { strategy }), ...rest.session },
  })
  const ports = testPorts({ fetch })
  const another = () => openBrowser(config, ports)
  const elsewhere = () => openBrowser({ ...config }, testPorts({ fetch }))
  return { stored, log, told, idps, config, another, elsewhere, browser: another() }
}

function eventsInto(told: Told[]): EventCallbacks {
  const names = ["createUser", "updateUser", "linkAccount", "signIn", "signOut"] as const
  return Object.fromEntries(names.map((name) => [name, (message: unknown) => void told.push([name, message])]))
}

/** Names of the events told. */
export function namesOf(told: readonly Told[]): readonly string[] {
  return told.map(([name]) => name)
}

/** Everybody who has an account has proved their e-mail address. */
export function proveAddresses({ stored }: Pick<StoredSite, "stored">): void {
  for (const user of stored.users) user.emailVerified = new Date(0)
}

/** Starts a sign-in as somebody; resolves to the address that the provider sends the browser back to. */
export async function begin(
  { idps, browser }: Pick<StoredSite, "idps" | "browser">,
  person: Person,
  provider: ProviderId = "idp",
): Promise<string> {
  idps[provider].person = person
  return idps[provider].approve(await browser.start(provider, { callbackUrl: "/account" })).href
}

/** A whole sign-in; resolves to the answer of the callback. */
export async function signInAs(
  site: Pick<StoredSite, "idps" | "browser">,
  person: Person = ada,
  provider: ProviderId = "idp",
): Promise<Response> {
  return site.browser.get(await begin(site, person, provider))
}

/** Forgets what was called, told and logged so far. */
export function forget({ stored, told, log }: StoredSite): void {
  stored.calls.length = 0
  told.length = 0
  // A log is read-only to those who read it.
  ;(log.errors as unknown as Error[]).length = 0
}

/** Whose account it is, by their e-mail address; `undefined` when it is nobody's. */
export function ownerOf({ stored }: Pick<StoredSite, "stored">, provider: string, id: string): string | undefined {
  const account = stored.accounts.find((each) => each.provider === provider && each.providerAccountId === id)
  return stored.users.find((user) => user.id === account?.userId)?.email
}

/** How many records of each kind there are. */
export function countOf({ users, accounts, sessions }: Stored) {
  return { users: users.length, accounts: accounts.length, sessions: sessions.length }
}

export function expectSignedIn(response: Response): void {
  expect({ status: response.status, to: locationOf(response) }).toEqual({
    status: 302,
    to: "https://app.example/account",
  })
}
