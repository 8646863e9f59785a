/** Further clients of the local provider: how they authenticate, and what more they may be made to do. */
import { beforeAll, describe, expect, it } from "@jest/globals"
import { exportJWK, generateKeyPair, type GenerateKeyPairResult } from "jose"
import * as client from "openid-client"
import { Agent, fetch as undiciFetch } from "undici"
import type { OpenIDClient, OpenIDProvider, OpenIDTls } from "../../src/testing/index.js"
import { certify, type Certificate } from "../support/certificates.js"
import { openBrowser } from "./open-browser.js"
import { complete, discover, parametersOf, providers, redirectUri } from "./openid-flow.js"

const start = providers()

interface Signer {
  readonly pair: GenerateKeyPairResult
  readonly jwks: { readonly keys: readonly object[] }
}

async function createSigner(): Promise<Signer> {
  const pair = await generateKeyPair("ES256", { extractable: true })
  return { pair, jwks: { keys: [{ ...(await exportJWK(pair.publicKey)), kid: "own", alg: "ES256", use: "sig" }] } }
}

/** The first of the further clients of a provider, and its secret. */
function firstClient({ issuer, clients: [first] }: OpenIDProvider): {
  issuer: string
  clientId: string
  secret: string
} {
  return { issuer, clientId: first?.clientId ?? "", secret: first?.clientSecret ?? "" }
}

async function signInWith(config: client.Configuration, visit = openBrowser(redirectUri)) {
  const verifier = client.randomPKCECodeVerifier()
  const address = client.buildAuthorizationUrl(config, await parametersOf(verifier))
  return complete({ config, verifier }, (await visit(address)).url)
}

describe("a further client", () => {
  const shared: readonly (readonly [string, (secret: string) => client.ClientAuth])[] = [
    ["client_secret_basic", (secret) => client.ClientSecretBasic(secret)],
    ["client_secret_post", (secret) => client.ClientSecretPost(secret)],
    ["client_secret_jwt", (secret) => client.ClientSecretJwt(secret)],
    ["none", () => client.None()],
  ]

  it.each(shared)("authenticates with %s", async (method, authenticate) => {
    const { secret, ...its } = firstClient(await start({ clients: [{ token_endpoint_auth_method: method }] }))
    const tokens = await signInWith(await discover(its, authenticate(secret)))
    expect(tokens.claims()).toMatchObject({ sub: "ada", aud: its.clientId })
  })

  it("authenticates with private_key_jwt", async () => {
    const { pair, jwks } = await createSigner()
    const clients: OpenIDClient[] = [{ token_endpoint_auth_method: "private_key_jwt", jwks }]
    const { secret, ...its } = firstClient(await start({ clients }))
    expect(secret).toBe("")
    const tokens = await signInWith(await discover(its, client.PrivateKeyJwt({ key: pair.privateKey, kid: "own" })))
    expect(tokens.claims()).toMatchObject({ sub: "ada" })
  })

  it("is refused with another method than its own", async () => {
    const clients = [{ token_endpoint_auth_method: "client_secret_jwt" }]
    const { secret, ...its } = firstClient(await start({ clients }))
    const config = await discover(its, client.ClientSecretPost(secret))
    await expect(signInWith(config)).rejects.toMatchObject({ error: "invalid_client" })
  })

  it("has the id and the secret that it was given", async () => {
    const { clients } = await start({ clients: [{ client_id: "mine", client_secret: "a-secret-of-mine" }, {}] })
    expect(clients).toEqual([
      { clientId: "mine", clientSecret: "a-secret-of-mine" },
      { clientId: "latchkey-local-2", clientSecret: expect.any(String) },
    ])
  })

  it("that cannot be is refused at the start", async () => {
    await expect(start({ clients: [{ token_endpoint_auth_method: "by-handshake" }] })).rejects.toThrow(
      'The client "latchkey-local-1" cannot be: token_endpoint_auth_method must be',
    )
  })

  it("that is there already is refused at the start", async () => {
    await expect(start({ clients: [{ client_id: "latchkey-local" }] })).rejects.toThrow("Two clients")
  })
})

describe("a client that must push its requests (PAR)", () => {
  it("signs in when it does, and only then", async () => {
    const { secret, ...its } = firstClient(await start({ clients: [{ require_pushed_authorization_requests: true }] }))
    const config = await discover(its, client.ClientSecretBasic(secret))
    const verifier = client.randomPKCECodeVerifier()
    const visit = openBrowser(redirectUri)

    const pushed = await client.buildAuthorizationUrlWithPAR(config, await parametersOf(verifier))
    const tokens = await complete({ config, verifier }, (await visit(pushed)).url)

    expect(tokens.claims()).toMatchObject({ sub: "ada" })
    await expect(signInWith(config)).rejects.toMatchObject({ error: "invalid_request" })
  })
})

describe("a client that must sign its requests (JAR)", () => {
  it("signs in when it does, and only then", async () => {
    const { pair, jwks } = await createSigner()
    const clients: OpenIDClient[] = [{ jwks, require_signed_request_object: true, request_object_signing_alg: "ES256" }]
    const { secret, ...its } = firstClient(await start({ clients }))
    const config = await discover(its, client.ClientSecretBasic(secret))
    const verifier = client.randomPKCECodeVerifier()
    const visit = openBrowser(redirectUri)

    const key = { key: pair.privateKey, kid: "own" }
    const signed = await client.buildAuthorizationUrlWithJAR(config, await parametersOf(verifier), key)
    const tokens = await complete({ config, verifier }, (await visit(signed)).url)

    expect(tokens.claims()).toMatchObject({ sub: "ada" })
    await expect(signInWith(config)).rejects.toMatchObject({ error: "invalid_request" })
  })
})

describe("a client whose tokens are bound to a key (DPoP)", () => {
  it("signs in when it proves that it has the key, and only then", async () => {
    const { secret, ...its } = firstClient(await start({ clients: [{ dpop_bound_access_tokens: true }] }))
    const config = await discover(its, client.ClientSecretBasic(secret))
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"))
    const verifier = client.randomPKCECodeVerifier()
    const address = client.buildAuthorizationUrl(config, await parametersOf(verifier))

    const tokens = await complete({ config, verifier }, (await openBrowser(redirectUri)(address)).url, { DPoP })

    expect(tokens.token_type).toBe("dpop")
    const profile = await client.fetchUserInfo(config, tokens.access_token, "ada", { DPoP })
    expect(profile).toMatchObject({ name: "Ada Lovelace" })
    await expect(signInWith(config)).rejects.toMatchObject({ error: "invalid_grant" })
  })
})

describe("a client with a certificate (mutual TLS)", () => {
  const made: {
    tls: OpenIDTls
    ca: string
    good: Certificate
    foreign: Certificate
    jwks: { keys: object[] }
  }[] = []

  beforeAll(async () => {
    const authority = await certify({ subject: "CN=Authority of the tests" })
    const server = await certify({ subject: "CN=idp", names: [{ type: "ip", value: "127.0.0.1" }], by: authority })
    const app = { subject: "CN=app, O=Tests", names: [{ type: "dns" as const, value: "app.example" }] }
    const [good, foreign] = [await certify({ ...app, by: authority }), await certify(app)]
    const x5c = [foreign.cert.replace(/-----[A-Z ]+-----|\s/g, "")]
    const jwk = { ...(await exportJWK(foreign.pair.publicKey)), x5c }
    made.push({
      tls: { key: server.key, cert: server.cert, ca: authority.cert },
      ca: authority.cert,
      good,
      foreign,
      jwks: { keys: [jwk] },
    })
  })

  function given() {
    const [first] = made
    if (!first) throw new Error("nothing was made")
    return first
  }

  /** A `fetch` that trusts the provider, and shows a certificate if there is one. */
  function fetchWith(certificate?: Certificate): typeof fetch {
    const dispatcher = new Agent({ connect: { ca: given().ca, key: certificate?.key, cert: certificate?.cert } })
    return ((input: string, init: object) => undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch
  }

  async function signInBy(metadata: OpenIDClient, certificate: Certificate | undefined) {
    const { secret, ...its } = firstClient(await start({ tls: given().tls, clients: [metadata] }))
    expect(secret).toBe("")
    const send = fetchWith(certificate)
    const config = await discover(
      its,
      client.TlsClientAuth(),
      { use_mtls_endpoint_aliases: true },
      send as client.CustomFetch,
    )
    return signInWith(config, openBrowser(redirectUri, fetchWith()))
  }

  const byName = (name: object) => ({ token_endpoint_auth_method: "tls_client_auth", ...name })

  it.each([{ tls_client_auth_san_dns: "app.example" }, { tls_client_auth_subject_dn: "O=Tests,CN=app" }])(
    "authenticates with it, by %j",
    async (name) => {
      expect((await signInBy(byName(name), given().good)).claims()).toMatchObject({ sub: "ada" })
    },
  )

  it("authenticates with one that it signed itself", async () => {
    const metadata = { token_endpoint_auth_method: "self_signed_tls_client_auth", jwks: given().jwks }
    expect((await signInBy(metadata, given().foreign)).claims()).toMatchObject({ sub: "ada" })
  })

  it("is refused with one of another name", async () => {
    const attempt = signInBy(byName({ tls_client_auth_san_dns: "other.example" }), given().good)
    await expect(attempt).rejects.toMatchObject({ error: "invalid_client" })
  })

  it("is refused with one that nobody vouches for", async () => {
    const attempt = signInBy(byName({ tls_client_auth_san_dns: "app.example" }), given().foreign)
    await expect(attempt).rejects.toMatchObject({ error: "invalid_client" })
  })

  it("is refused without one", async () => {
    const attempt = signInBy(byName({ tls_client_auth_san_dns: "app.example" }), undefined)
    await expect(attempt).rejects.toMatchObject({ error: "invalid_client" })
  })
})
