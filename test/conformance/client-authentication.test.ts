/** How a client proves itself to a certified provider, and that it is refused without. */
import { afterEach, describe, expect, it } from "@jest/globals"
import type { CryptoKey, JWK } from "jose"
import { Agent, fetch as undiciFetch } from "undici"
import { customFetch } from "../../src/core/symbols.js"
import type { OIDCConfig } from "../../src/providers/kinds.js"
import { makeCertificates, type KeyAndCertificate } from "./support/certificates.js"
import { clientSecret } from "./support/certified-provider.js"
import {
  closeSites,
  ecKeys,
  expectSignedIn,
  openCertified,
  publicJwk,
  signIn,
  type Site,
} from "./support/certified-site.js"

const agents: Agent[] = []
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.destroy()))
  await closeSites()
})

describe("client authentication", () => {
  it.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"])("%s", async (method) => {
    const client = { token_endpoint_auth_method: method }
    const site = await openCertified({ clientSecret, client }, { client })

    await signIn(site)

    await expectSignedIn(site)
    const [request] = site.idp.seen("/token")
    expect(request?.headers.authorization?.startsWith("Basic ")).toBe(method === "client_secret_basic" || undefined)
  })

  it.each(["client_secret_basic", "client_secret_post", "client_secret_jwt"])(
    "%s with another secret signs nobody in",
    async (method) => {
      const client = { token_endpoint_auth_method: method }
      const site = await openCertified({ clientSecret: clientSecret.replace("100", "101"), client }, { client })

      await signIn(site)

      expect(await site.browser.session()).toBeNull()
      expect(site.log.text()).toContain("the provider refused")
    },
  )

  it("none", async () => {
    const site = await openCertified({}, { client: { token_endpoint_auth_method: "none", client_secret: undefined } })

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
    const site = await openCertified(
      { client, token: { clientPrivateKey: asOption(privateKey) } },
      { client: { ...client, client_secret: undefined, jwks } },
    )

    await signIn(site)

    await expectSignedIn(site)
  })

  it("private_key_jwt with another key signs nobody in", async () => {
    const client = { token_endpoint_auth_method: "private_key_jwt", token_endpoint_auth_signing_alg: "ES256" }
    const jwks = { keys: [await publicJwk((await ecKeys()).publicKey, "k1")] }
    const site = await openCertified(
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
    agents.push(dispatcher)
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
    return openCertified(
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
