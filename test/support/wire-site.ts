/** A site with a provider behind real connections, which can fail on the wire, and one that is well. */
import { expect } from "@jest/globals"
import type { ServerResponse } from "node:http"
import { customFetch } from "../../src/core/symbols.js"
import { Browser, openBrowser, testPorts } from "./core-browser.js"
import { checkCookies, expectRefused, oidcAt, openSite, signIn, type Site } from "./core-flow.js"
import { FaultyProvider } from "../../src/testing/faulty-provider.js"
import { watchedAdapter } from "./watched-site.js"
import { answerHonestly, type HonestAnswer, type LocalServers } from "./local-server.js"

export type WireEndpoint = "discovery" | "token" | "jwks" | "userinfo"
export const wireEndpoints: readonly WireEndpoint[] = ["discovery", "token", "jwks", "userinfo"]

/** What the provider does instead of giving the honest answer. */
export type WireFault = (response: ServerResponse, honest: HonestAnswer) => void

export interface WireSite extends Site {
  readonly faults: Map<WireEndpoint, WireFault>
  /** Endpoints that were asked, in order. */
  readonly asked: WireEndpoint[]
  /** Names of the methods of the adapter that have written. */
  readonly writes: string[]
  /** Another provider of the site. */
  readonly well: FaultyProvider
  /** The same browser, in front of the same site, which has little patience. */
  readonly hurried: Browser
}

const pass: WireFault = (response, { status, headers, body }) => void response.writeHead(status, headers).end(body)

/** Seconds. What comes before an answer that hangs must not take longer. */
const patience = 0.25

export async function openWire(servers: LocalServers, protocol = "http:"): Promise<WireSite> {
  const faults = new Map<WireEndpoint, WireFault>()
  const asked: WireEndpoint[] = []
  const port = await servers.listen((request, response) => {
    const endpoint = wireEndpoints.find((name) => request.url?.endsWith(`/${name}`)) ?? "discovery"
    asked.push(endpoint)
    void answerHonestly(idp, request).then((honest) => (faults.get(endpoint) ?? pass)(response, honest))
  })
  const idp = new FaultyProvider(`${protocol}//127.0.0.1:${port}`)
  const well = new FaultyProvider("https://well.example")
  well.person = { sub: "grace", email: "grace@example.com" }

  const { adapter, writes } = watchedAdapter()
  const ports = testPorts({ development: true, fetch: (input, init) => fetch(input, init) })
  const providers = () => [
    oidcAt(idp, { idToken: false }),
    { ...oidcAt(well, { id: "well" }), [customFetch]: well.fetch },
  ]
  const site = openSite(providers, { adapter }, ports, idp)
  const { origin, basePath, jar } = site.browser
  const { answer } = openBrowser({ ...site.config, timeouts: { provider: patience } }, ports)
  return { ...site, faults, asked, writes, well, hurried: new Browser(answer, origin, basePath, jar) }
}

/** An error page, nobody signed in, nothing written, no flow left open, nothing secret in the log. */
export async function expectFailedCleanly({ browser, writes, log, idp }: WireSite, response: Response): Promise<void> {
  await expectRefused(browser, response, ["Configuration"])
  expect(writes).toEqual([])
  expect(checkCookies(browser)).toEqual([])
  expect(log.errors).toHaveLength(1)
  for (const secret of idp.secrets) expect(log.text()).not.toContain(secret)
}

export async function expectOthersWork({ another, well, writes }: WireSite): Promise<void> {
  const browser = another()
  await browser.get(well.approve(await browser.start("well")).href)
  expect(await browser.session()).not.toBeNull()
  expect(writes.splice(0)).toEqual(["createUser", "linkAccount", "createSession"])
}

export async function expectItWorksAgain(site: WireSite): Promise<void> {
  site.faults.clear()
  await signIn(site)
  expect(await site.browser.session()).not.toBeNull()
}
