/** Sign-ins of the tests at the local provider: openid-client is the application, a browser goes between. */
import { afterEach, jest } from "@jest/globals"
import * as client from "openid-client"
import { startOpenIDProvider, type OpenIDProvider, type OpenIDProviderOptions } from "../../src/testing/index.js"
import { openBrowser } from "./open-browser.js"

export const redirectUri = "http://localhost:4999/auth/callback/local"

/** Starts providers, each of which is closed after the test. For the top of a test file. */
export function providers(): (options?: OpenIDProviderOptions) => Promise<OpenIDProvider> {
  // Loading oidc-provider and making RSA keys take seconds on a busy machine.
  jest.setTimeout(30_000)
  const running: OpenIDProvider[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((provider) => provider.close()))
  })
  return async (options) => {
    const provider = await startOpenIDProvider(options)
    running.push(provider)
    return provider
  }
}

export interface Flow {
  readonly config: client.Configuration
  readonly verifier: string
  readonly address: URL
}

type Parameters = Readonly<Record<string, string>>

export function discover(
  { issuer, clientId, clientSecret }: Pick<OpenIDProvider, "issuer"> & { clientId: string; clientSecret?: string },
  authenticate = client.ClientSecretBasic(clientSecret),
  metadata: Partial<client.ClientMetadata> = {},
  send?: client.CustomFetch,
): Promise<client.Configuration> {
  const options = { execute: [client.allowInsecureRequests], ...(send ? { [client.customFetch]: send } : {}) }
  return client.discovery(new URL(issuer), clientId, metadata, authenticate, options)
}

/** What an authorization request of `config` asks for. */
export async function parametersOf(verifier: string, more: Parameters = {}): Promise<Record<string, string>> {
  return {
    redirect_uri: redirectUri,
    scope: "openid profile email",
    state: "state",
    nonce: "nonce",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...more,
  }
}

export async function begin(provider: OpenIDProvider, parameters: Parameters = {}): Promise<Flow> {
  const config = await discover(provider)
  const verifier = client.randomPKCECodeVerifier()
  return { config, verifier, address: client.buildAuthorizationUrl(config, await parametersOf(verifier, parameters)) }
}

export function complete(
  { config, verifier }: Pick<Flow, "config" | "verifier">,
  url: URL,
  options: client.DPoPOptions = {},
): ReturnType<typeof client.authorizationCodeGrant> {
  const checks = { pkceCodeVerifier: verifier, expectedNonce: "nonce", expectedState: "state" }
  return client.authorizationCodeGrant(config, url, checks, undefined, options)
}

/** A whole sign-in, in a browser of its own unless one is given. */
export async function signIn(provider: OpenIDProvider, parameters: Parameters = {}, visit = openBrowser(redirectUri)) {
  const flow = await begin(provider, parameters)
  const tokens = await complete(flow, (await visit(flow.address)).url)
  return { ...flow, tokens }
}
