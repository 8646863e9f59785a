/** A site whose one provider is the certified one. */
import { expect } from "@jest/globals"
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from "jose"
import type { CallbacksOptions } from "../../../src/core/index.js"
import type { Account } from "../../../src/core/types.js"
import type { OIDCConfig } from "../../../src/providers/kinds.js"
import { configOf, openBrowser, testPorts, type Browser } from "../../support/core-browser.js"
import { captureLog, type Log } from "../../support/core-log.js"
import {
  clientId,
  startCertifiedProvider,
  type CertifiedProvider,
  type CertifiedProviderOptions,
} from "./certified-provider.js"

export interface Site {
  readonly idp: CertifiedProvider
  readonly browser: Browser
  readonly log: Log
  account(): Account | null | undefined
}

const running: CertifiedProvider[] = []

/** For `afterEach`. */
export async function closeSites(): Promise<void> {
  await Promise.all(running.splice(0).map((idp) => idp.close()))
}

export async function openCertified(
  provider: Partial<OIDCConfig>,
  options: CertifiedProviderOptions = {},
): Promise<Site> {
  const idp = await startCertifiedProvider(options)
  running.push(idp)
  const log = captureLog()
  const accounts: (Account | null | undefined)[] = []
  const signIn: CallbacksOptions["signIn"] = ({ account }) => accounts.push(account) > 0
  const given: OIDCConfig = { id: "idp", name: "Idp", type: "oidc", issuer: idp.issuer, clientId, ...provider }
  const config = configOf({ providers: [given], callbacks: { signIn }, logger: log.logger })
  const ports = testPorts({ fetch: (input, init) => fetch(input, init), development: true })
  return { idp, log, browser: openBrowser(config, ports), account: () => accounts[0] }
}

export async function signIn({ browser, idp }: Site): Promise<URL> {
  const url = await browser.start("idp")
  await browser.get((await idp.approve(url)).href)
  return url
}

export async function expectSignedIn(site: Site): Promise<void> {
  expect(site.log.types()).toEqual([])
  expect(await site.browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
}

export async function publicJwk(key: CryptoKey, kid: string): Promise<JWK> {
  return { ...(await exportJWK(key)), kid, use: "sig" }
}

export const ecKeys = () => generateKeyPair("ES256", { extractable: true })
