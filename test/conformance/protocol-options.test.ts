/** Options of the protocol against a certified provider: what it accepts of us, and what it refuses without them. */
import { afterEach, describe, expect, it } from "@jest/globals"
import { exportJWK, generateKeyPair, type CryptoKey, type JWK } from "jose"
import { Agent, fetch as undiciFetch } from "undici"
import type { CallbacksOptions } from "../../src/core/index.js"
import { customFetch } from "../../src/core/symbols.js"
import type { Account } from "../../src/core/types.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { configOf, errorOf, openBrowser, testPorts, type Browser } from "../support/core-browser.js"
import { captureLog, type Log } from "../support/core-log.js"
import { makeCertificates, type KeyAndCertificate } from "./support/certificates.js"
import {
  clientId,
  clientSecret,
  startCertifiedProvider,
  type CertifiedProvider,
  type CertifiedProviderOptions,
} from "./support/certified-provider.js"

interface Site {
  readonly idp: CertifiedProvider
  readonly browser: Browser
  readonly log: Log
  account(): Account | null | undefined
}

const running: CertifiedProvider[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((idp) => idp.close()))
})

async function open(provider: Partial<OIDCConfig>, options: CertifiedProviderOptions = {}): Promise<Site> {
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

async function signIn({ browser, idp }: Site): Promise<URL> {
  const url = await browser.start("idp")
  await browser.get((await idp.approve(url)).href)
  return url
}

async function expectSignedIn(site: Site): Promise<void> {
  expect(site.log.types()).toEqual([])
  expect(await site.browser.session()).toMatchObject({ user: { name: "Ada Lovelace" } })
}

async function publicJwk(key: CryptoKey, kid: string): Promise<JWK> {
  return { ...(await exportJWK(key)), kid, use: "sig" }
}

const ecKeys = () => generateKeyPair("ES256", { extractable: true })

describe("client authentication", () => {
  it.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"])("%s", async (method) => {
    const client = { token_endpoint_auth_method: method }
    const site = await open({ clientSecret, client }, { client })

    await signIn(site)

    await expectSignedIn(site)
    const [request] = site.idp.seen("/token")
    expect(request?.headers.authorization?.startsWith("Basic ")).toBe(method === "client_secret_basic" || undefined)
  })

  it.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"])(
    "%s with another secret signs nobody in",
    async (method) => {
      const client = { token_endpoint_auth_method: method }
      const site = await open({ clientSecret: clientSecret.replace("100", "101"), client }, { client })

      await signIn(site)

      expect(await site.browser.session()).toBeNull()
      expect(site.log.text()).toContain("the provider refused")
    },
  )

  it("none", async () => {
    const site = await open({}, { client: { token_endpoint_auth_method: "none", client_secret: undefined } })

    await signIn(site)

    await expectSignedIn(site)
  })

  it.each<[string, (key: CryptoKey) => CryptoKey | { readonly key: CryptoKey; readonly kid: string }]>([
    ["a key", (key) => key],
    ["a key with its id", (key) => ({ key, kid: "k1" })],
  ])("private_key_jwt with %s", async (_, asOption) => {
    const { privateKey, publicKey } = await ecKeys()
    const client = { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_signing_alg: "ES256" }
    const jwks = { keys: [await publicJwk(publicKey, "k1")] }
    const site = await open(
      { client, token: { clientPrivateKey: asOption(privateKey) } },
      { client: { ...client, client_secret: undefined, jwks } },
    )

    await signIn(site)

    await expectSignedIn(site)
  })

  it("private_key_jwt with another key signs nobody in", async () => {
    const client = { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_signing_alg: "ES256" }
    const jwks = { keys: [await publicJwk((await ecKeys()).publicKey, "k1")] }
    const site = await open(
      { client, token: { clientPrivateKey: { key: (await ecKeys()).privateKey, kid: "k1" } } },
      { client: { ...client, client_secret: undefined, jwks } },
    )

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.log.text()).toContain("the provider refused")
  })
})

describe("mutual TLS (RFC 8705)", () => {
  const clientName = "client.example"
  const features = {
    mTLS: {
      enabled: true,
      tlsClientAuth: true,
      selfSignedTlsClientAuth: true,
      certificateBoundAccessTokens: true,
      getCertificate: ({ req }: TlsContext) => req.socket.getPeerX509Certificate?.(),
      certificateAuthorized: ({ req }: TlsContext) => req.socket.authorized,
      certificateSubjectMatches: ({ req }: TlsContext, _property: string, expected: string) =>
        req.socket.getPeerX509Certificate?.()?.subjectAltName === `DNS:${expected}`,
    },
  }

  interface TlsContext {
    readonly req: {
      readonly socket: {
        readonly authorized?: boolean
        getPeerX509Certificate?(): { readonly subjectAltName: string } | undefined
      }
    }
  }

  function fetchWith(connect: Partial<KeyAndCertificate>): typeof fetch {
    const dispatcher = new Agent({ connect })
    return ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch
  }

  async function openTls(
    method: string,
    certificate: (all: Awaited<ReturnType<typeof makeCertificates>>) => Partial<KeyAndCertificate>,
    more: Partial<OIDCConfig> = {},
  ): Promise<Site> {
    const certificates = await makeCertificates(clientName)
    const { server, selfSigned } = certificates
    const jwks = { keys: [{ ...(await certificateJwk(selfSigned.cert)), use: "sig" }] }
    const self = method.startsWith("self_signed")
    return open(
      { client: { token_endpoint_auth_method: method }, [customFetch]: fetchWith(certificate(certificates)), ...more },
      {
        features,
        certificates: { ...certificates, server: { ...server, ca: self ? selfSigned.cert : server.ca } },
        client: {
          token_endpoint_auth_method: method,
          client_secret: undefined,
          tls_client_certificate_bound_access_tokens: true,
          ...(self ? { jwks } : { tls_client_auth_san_dns: clientName }),
        },
      },
    )
  }

  it("tls_client_auth goes to the endpoints for clients with a certificate", async () => {
    const site = await openTls("tls_client_auth", ({ client }) => client, { idToken: false })

    await signIn(site)

    await expectSignedIn(site)
    for (const path of ["/token", "/me"]) {
      expect(site.idp.seen(path).map(({ hasCertificate }) => hasCertificate)).toEqual([true])
    }
  })

  it("self_signed_tls_client_auth proves the client by the certificate itself", async () => {
    const site = await openTls("self_signed_tls_client_auth", ({ selfSigned }) => selfSigned)

    await signIn(site)

    await expectSignedIn(site)
  })

  it("signs nobody in without the certificate", async () => {
    const site = await openTls("tls_client_auth", ({ client: { ca } }) => ({ ca }))

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.log.text()).toContain("the provider refused")
  })

  it("mutualTls: false stays with the endpoints for everybody, which do not know the client", async () => {
    const site = await openTls("tls_client_auth", ({ client }) => client, { mutualTls: false })

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.idp.seen("/token").map(({ hasCertificate }) => hasCertificate)).toEqual([false])
  })
})

async function certificateJwk(pem: string): Promise<JWK> {
  const { X509Certificate } = await import("node:crypto")
  const { publicKey, raw } = new X509Certificate(pem)
  return { ...(publicKey.export({ format: "jwk" }) as JWK), x5c: [raw.toString("base64")] }
}

describe("pushed authorization requests (RFC 9126)", () => {
  const features = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: false } }
  const required = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } }

  it("leave nothing in the address but a reference", async () => {
    const site = await open({ clientSecret, pushedAuthorization: true }, { features })

    const url = await signIn(site)

    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"])
    expect(site.idp.seen("/request")).toHaveLength(1)
    await expectSignedIn(site)
  })

  it("are used where the provider requires them", async () => {
    const site = await open({ clientSecret }, { features: required })

    await signIn(site)

    expect(site.idp.seen("/request")).toHaveLength(1)
    await expectSignedIn(site)
  })

  it("are not used where nobody asks for them", async () => {
    const site = await open({ clientSecret }, { features })

    await signIn(site)

    expect(site.idp.seen("/request")).toHaveLength(0)
  })

  it("that are refused are a fault of the server, which the address does not tell", async () => {
    const site = await open({ clientSecret: "not the secret of this client", pushedAuthorization: true }, { features })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("the provider refused")
    expect(site.log.text()).not.toContain("not the secret")
    expect(site.browser.jar.names().filter((name) => /state|pkce|nonce/.test(name))).toEqual([])
  })

  it("cannot be had where the provider has no endpoint for them", async () => {
    const off = { pushedAuthorizationRequests: { enabled: false } }
    const site = await open({ clientSecret, pushedAuthorization: true }, { features: off })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("pushed_authorization_request_endpoint")
  })
})

describe("signed authorization requests (RFC 9101)", () => {
  const features = { requestObjects: { enabled: true, requireSignedRequestObject: true } }

  async function openSigned(
    more: Partial<OIDCConfig> = {},
    signer?: CryptoKey,
    extra: CertifiedProviderOptions["features"] = {},
  ): Promise<Site> {
    const { privateKey, publicKey } = await ecKeys()
    return open(
      { clientSecret, requestObject: { key: signer ?? privateKey, kid: "k1" }, ...more },
      {
        features: { ...features, ...extra },
        client: { request_object_signing_alg: "ES256", jwks: { keys: [await publicJwk(publicKey, "k1")] } },
      },
    )
  }

  it("have everything in one signed parameter", async () => {
    const site = await openSigned()

    const url = await signIn(site)

    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request"])
    await expectSignedIn(site)
  })

  it("can be pushed", async () => {
    const site = await openSigned({ pushedAuthorization: true })

    const url = await signIn(site)

    expect([...url.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"])
    expect(site.idp.seen("/request")).toHaveLength(1)
    await expectSignedIn(site)
  })

  it("with another key are refused", async () => {
    const site = await openSigned({}, (await ecKeys()).privateKey)

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.log.text()).toContain("invalid_request_object")
  })

  it("are demanded of a client that does not sign, and it says so", async () => {
    const site = await openSigned({ requestObject: undefined })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("set requestObject")
  })
})

describe("DPoP (RFC 9449)", () => {
  const keyPair = () => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"])
  const client = { dpop_bound_access_tokens: true }
  const demandsNonce = {
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
  }

  it.each([
    ["is bound to the key", {}],
    ["is bound to the key, also where the provider wants its own nonce in the proof", demandsNonce],
  ])("a token %s", async (_, features) => {
    const site = await open({ clientSecret, dpop: keyPair(), idToken: false }, { features, client })

    const url = await signIn(site)

    expect(url.searchParams.get("dpop_jkt")).toMatch(/^[\w-]{43}$/)
    await expectSignedIn(site)
    expect(site.account()).toMatchObject({ token_type: "dpop" })
    expect(site.idp.seen("/me").at(-1)?.headers.authorization).toMatch(/^DPoP /)
  })

  it("remembers the provider's nonce: the next sign-in needs no second try", async () => {
    const site = await open({ clientSecret, dpop: keyPair(), idToken: false }, { features: demandsNonce, client })
    await signIn(site)
    const before = site.idp.seen("/token").length

    await signIn(site)

    expect(before).toBe(2)
    expect(site.idp.seen("/token").length).toBe(3)
  })

  it("binds a pushed request, too", async () => {
    const site = await open(
      { clientSecret, dpop: await keyPair(), pushedAuthorization: true },
      { features: demandsNonce, client },
    )

    await signIn(site)

    expect(site.idp.seen("/request").at(-1)?.headers["dpop"]).toMatch(/^ey/)
    await expectSignedIn(site)
  })

  it("is demanded of a client without a key, which signs nobody in", async () => {
    const site = await open({ clientSecret }, { client })

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
  })

  it("is refused when the provider binds nothing", async () => {
    const features = { dPoP: { enabled: false } }
    const site = await open({ clientSecret, dpop: keyPair() }, { features })

    await signIn(site)

    expect(await site.browser.session()).toBeNull()
    expect(site.log.text()).toContain("has not bound the token")
  })

  it("with a key that cannot be had is an error when it is used", async () => {
    const site = await open({ clientSecret, dpop: keyPair().then(() => Promise.reject(new Error("no vault"))) })

    const response = await site.browser.submit("signin/idp")

    expect(errorOf(response)).toBe("302 /auth/error?error=Configuration")
    expect(site.log.text()).toContain("no vault")
  })
})
