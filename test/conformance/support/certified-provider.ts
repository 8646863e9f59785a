/** `oidc-provider` with the features and clients that a test is about, and a person who says yes to everything. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { TLSSocket } from "node:tls"
import type { Provider } from "oidc-provider"
import { loadOidcProvider } from "../../../src/testing/load-oidc-provider.js"
import { CookieJar, locationOf } from "../../support/core-browser.js"
import type { Certificates } from "./certificates.js"

type Json = Readonly<Record<string, unknown>>

export const clientId = "client of the tests"
export const clientSecret = "a secret: 100% of $pecial+characters & more than 32 of them"
export const redirectUri = "https://app.example/auth/callback/idp"

const signingKey = {
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  alg: "RS256",
  use: "sig",
}

export interface CertifiedProviderOptions {
  /** What differs from a confidential client. */
  readonly client?: Json
  readonly features?: Json
  /** Has endpoints for clients with a certificate at an address of their own (RFC 8705, section 5). */
  readonly certificates?: Certificates
  readonly configuration?: Json
}

/** A request that reached the provider. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  /** Whether it came with a certificate that the provider knows. */
  readonly hasCertificate: boolean
  readonly headers: IncomingMessage["headers"]
  readonly status: () => number
}

export interface CertifiedProvider {
  readonly issuer: string
  readonly requests: readonly SeenRequest[]
  /** Requests for a path, in order. */
  seen(path: string): readonly SeenRequest[]
  /** Follows an authorization URL until the browser is sent back to the application. */
  approve(url: URL): Promise<URL>
  close(): Promise<void>
}

export async function startCertifiedProvider(options: CertifiedProviderOptions = {}): Promise<CertifiedProvider> {
  const { Provider: OidcProvider } = await loadOidcProvider()
  const { certificates } = options
  const plain = createServer()
  const issuer = `http://${await listen(plain)}`
  const secure =
    certificates && createTlsServer({ ...certificates.server, requestCert: true, rejectUnauthorized: false })
  const aliases = secure && `https://${await listen(secure)}`
  const configuration = configurationOf(options, aliases)
  const provider = new OidcProvider(issuer, configuration as unknown as ConstructorParameters<typeof OidcProvider>[1])
  const requests: SeenRequest[] = []
  const answer = answerWith(provider, requests)
  const servers = secure ? [plain, secure] : [plain]
  for (const server of servers) server.on("request", (...exchange) => void answer(...exchange))
  return {
    issuer,
    requests,
    seen: (path) => requests.filter((request) => request.path === path),
    approve,
    close: async () => {
      await Promise.all(servers.map(close))
    },
  }
}

function configurationOf({ client, features, configuration }: CertifiedProviderOptions, aliases?: string): Json {
  return {
    adapter: memoryAdapter({
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      ...client,
    }),
    clientAuthMethods: [
      "client_secret_basic",
      "client_secret_post",
      "client_secret_jwt",
      "private_key_jwt",
      "none",
      ...(aliases === undefined ? [] : ["tls_client_auth", "self_signed_tls_client_auth"]),
    ],
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    conformIdTokenClaims: false,
    clientBasedCORS: () => false,
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false }, ...features },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, name: "Ada Lovelace" }) }),
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    jwks: { keys: [signingKey] },
    renderError: (context: { body: unknown }, out: Json) => (context.body = out),
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
    ...(aliases === undefined
      ? {}
      : {
          discovery: {
            mtls_endpoint_aliases: {
              token_endpoint: `${aliases}/token`,
              userinfo_endpoint: `${aliases}/me`,
              pushed_authorization_request_endpoint: `${aliases}/request`,
            },
          },
        }),
    ...configuration,
  }
}

function answerWith(provider: Provider, requests: SeenRequest[]) {
  const protocol = provider.callback()
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "GET", url = "/", headers, socket } = request
    const [path = "/", query = ""] = url.split("?")
    const hasCertificate = (socket as Partial<TLSSocket>).authorized === true
    requests.push({ method, path, query, headers, hasCertificate, status: () => response.statusCode })
    if (!path.startsWith("/interaction/")) return protocol(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: "ada", clientId })
    grant.addOIDCScope(String(params["scope"]))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: "ada" }, consent })
  }
}

/** @throws Error when the provider shows a page instead. */
async function approve(start: URL): Promise<URL> {
  const jar = new CookieJar()
  let url = start
  while (url.origin !== new URL(redirectUri).origin) {
    const response = await fetch(url, { redirect: "manual", headers: { cookie: jar.header() } })
    if (response.status >= 400) throw new Error(`the provider refused: ${await response.text()}`)
    jar.store(response, url)
    url = new URL(locationOf(response), url)
  }
  return url
}

interface StoredRecord {
  readonly uid?: string
  readonly grantId?: string
  readonly consumed?: number
}

/** Clients of the configuration would be copied to another realm than Jest's, where no object is plain. */
function memoryAdapter(client: Json) {
  const records = new Map<string, StoredRecord>([[`Client${clientId}`, client]])
  return (kind: string) => ({
    upsert: async (id: string, record: StoredRecord) => void records.set(kind + id, record),
    find: async (id: string) => records.get(kind + id),
    findByUid: async (uid: string) =>
      [...records].find(([key, record]) => key.startsWith(kind) && record.uid === uid)?.[1],
    findByUserCode: async () => undefined,
    consume: async (id: string) =>
      void records.set(kind + id, { ...records.get(kind + id), consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id: string) => void records.delete(kind + id),
    revokeByGrantId: async () => undefined,
  })
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not a TCP port")
  return `127.0.0.1:${address.port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
