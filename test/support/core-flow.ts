/** Sign-ins of the tests: a site with a provider, and what must be seen when one is refused. */
import { expect } from "@jest/globals"
import type { AuthConfig } from "../../src/core/index.js"
import type { Ports } from "../../src/core/engine/engine.js"
import type { OAuth2Config, OIDCConfig } from "../../src/providers/kinds.js"
import { configOf, locationOf, openBrowser, setCookiesOf, testPorts, type Browser } from "./core-browser.js"
import { captureLog, type Log } from "./core-log.js"
import { clientId, clientSecret, FaultyProvider } from "../../src/testing/faulty-provider.js"

export function oidcAt(idp: FaultyProvider, given: Partial<OIDCConfig> = {}): OIDCConfig {
  return { id: "idp", name: "Idp", type: "oidc", issuer: idp.issuer, clientId, clientSecret, ...given }
}

export function oauthAt(idp: FaultyProvider, given: Partial<OAuth2Config> = {}): OAuth2Config {
  return {
    id: "idp",
    name: "Idp",
    type: "oauth",
    authorization: `${idp.issuer}/authorize`,
    token: `${idp.issuer}/token`,
    userinfo: `${idp.issuer}/userinfo`,
    clientId,
    clientSecret,
    ...given,
  }
}

export interface Site {
  readonly idp: FaultyProvider
  readonly browser: Browser
  readonly log: Log
  readonly config: AuthConfig
  /** Another browser in front of the same site. */
  another(): Browser
}

/** A site whose one provider is the faulty one. */
export function openSite(
  provider: (idp: FaultyProvider) => AuthConfig["providers"][number] | AuthConfig["providers"] = oidcAt,
  given: Partial<AuthConfig> = {},
  ports: Partial<Ports> = {},
  idp = new FaultyProvider(),
): Site {
  const log = captureLog()
  const config = configOf({
    providers: [provider(idp)].flat() as AuthConfig["providers"],
    logger: log.logger,
    ...given,
  })
  const allPorts = testPorts({ fetch: idp.fetch, ...ports })
  const another = () => openBrowser(config, allPorts)
  return { idp, log, config, another, browser: another() }
}

/** A whole sign-in; resolves to the answer of the callback. */
export async function signIn({ browser, idp }: Pick<Site, "browser" | "idp">, form = {}): Promise<Response> {
  const authorizationUrl = await browser.start("idp", form)
  return browser.get(idp.approve(authorizationUrl).href)
}

/** Names of the check cookies of started flows, without their suffix. */
export function checkCookies(browser: Browser): readonly string[] {
  return browser.jar.names().filter((name) => /\.(?:state|code_verifier|nonce)\b/.test(name))
}

/** `ERR{…}` and `NOSESS`: an error redirect to our own page, a closed-set code, nobody signed in. */
export async function expectRefused(
  browser: Browser,
  response: Response,
  codes: readonly string[] = ["OAuthCallbackError", "Configuration"],
): Promise<void> {
  const to = new URL(locationOf(response))
  expect({ status: response.status, origin: to.origin }).toEqual({ status: 302, origin: browser.origin })
  expect(codes).toContain(to.searchParams.get("error"))
  await expectNoSession(browser, response)
}

export async function expectNoSession(browser: Browser, response: Response): Promise<void> {
  const established = setCookiesOf(response).filter(({ name, value }) => name.includes("session-token") && value !== "")
  expect(established).toEqual([])
  expect(await browser.session()).toBeNull()
}
