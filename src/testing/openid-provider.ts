import { generateKeyPair, randomBytes } from "node:crypto"
import { createServer, type Server } from "node:http"
import { promisify } from "node:util"
import type { Configuration } from "oidc-provider"
import { loadOidcProvider } from "./load-oidc-provider.js"
import { claimsByScope, defaultAccounts, readClaims, type OpenIDAccount, type OpenIDLogin } from "./openid-accounts.js"
import { answerInteraction, interactionPath, type InteractionDesk } from "./openid-interaction.js"
import { renderProblem } from "./openid-pages.js"
import { createOpenIDStore } from "./openid-store.js"

export interface OpenIDProviderOptions {
  /** TCP port on 127.0.0.1. Default 0: any free one. */
  readonly port?: number
  /** Who can sign in, at least one. Default Ada Lovelace (`sub` "ada") and Grace Hopper (`sub` "grace"). */
  readonly accounts?: readonly OpenIDAccount[]
  /**
   * `automatic` signs in the account whose `sub` or `email` equals `login_hint`, otherwise the first one, and shows no
   * page. `page` asks who to be, and offers to cancel: the application then gets `access_denied`. Default `automatic`.
   */
  readonly login?: OpenIDLogin
}

/** One request that reached the provider. `path` comes without the query, which may carry codes and tokens. */
export interface OpenIDProviderRequest {
  readonly method: string
  readonly path: string
}

export interface OpenIDProvider {
  /** For the `issuer` option of an `oidc` provider. */
  readonly issuer: string
  readonly clientId: string
  /** Another one at each start. The client authenticates with `client_secret_basic`. */
  readonly clientSecret: string
  /** Every request so far, oldest first; it grows as requests come in. */
  readonly requests: readonly OpenIDProviderRequest[]
  /** Stops listening and closes every connection at once. */
  close(): Promise<void>
}

/**
 * Starts an OpenID provider on this machine, for tests and development: `oidc-provider`, certified, with one client whose
 * redirect URI may be anything on a loopback host. It keeps everything in memory, needs no network, and remembers no
 * browser: each sign-in starts afresh. ID tokens are signed with RS256 and carry the claims of the scopes asked for, as
 * userinfo does; scope `offline_access` with `prompt=consent` gives refresh tokens.
 * @throws Error when `NODE_ENV` is `production`, `accounts` is empty, the package `oidc-provider` is missing, or the port is taken.
 */
export async function startOpenIDProvider(options: OpenIDProviderOptions = {}): Promise<OpenIDProvider> {
  if (process.env.NODE_ENV === "production") {
    throw new Error("The local OpenID provider signs in anybody, so it does not start with NODE_ENV=production")
  }
  const { accounts = defaultAccounts, login = "automatic", port = 0 } = options
  if (accounts.length === 0) throw new Error("accounts must name at least one account that can sign in, got none")

  const { Provider } = await loadOidcProvider()
  const client = { clientId: "latchkey-local", clientSecret: randomBytes(32).toString("base64url") }
  const signingKey = await generateSigningKey()
  const server = createServer()
  const issuer = await listen(server, port)
  const provider = new Provider(issuer, configure({ accounts, ...client, signingKey }))
  provider.Client.prototype.redirectUriAllowed = isLoopbackUri
  const requests = serve(server, { provider, accounts, login })

  return { issuer, ...client, requests, close: () => close(server) }
}

interface Setup {
  readonly accounts: readonly OpenIDAccount[]
  readonly clientId: string
  readonly clientSecret: string
  readonly signingKey: object
}

function configure({ accounts, clientId, clientSecret, signingKey }: Setup): Configuration {
  return {
    adapter: createOpenIDStore(),
    claims: claimsByScope(accounts),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ["authorization_code", "refresh_token"],
        // At least one is required; which ones really count, isLoopbackUri says.
        redirect_uris: ["http://localhost/callback"],
      },
    ],
    clientBasedCORS: () => false,
    // Applications that never call userinfo need the claims too.
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    findAccount: (_context, sub) => findAccount(accounts, sub),
    interactions: { url: (_context, { uid }) => `${interactionPath}${uid}` },
    jwks: { keys: [signingKey] },
    renderError: (context, { error, error_description }) => {
      const page = renderProblem(
        "This request cannot be answered",
        error_description ? `${error}: ${error_description}` : error,
      )
      for (const [name, value] of Object.entries(page.headers)) context.set(name, value)
      context.body = page.html
    },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: 60,
      Grant: day,
      IdToken: hour,
      Interaction: hour,
      RefreshToken: day,
      Session: day,
    },
  }
}

const hour = 60 * 60
const day = 24 * hour

function findAccount(accounts: readonly OpenIDAccount[], sub: string): ReturnType<Configuration["findAccount"]> {
  const account = accounts.find((candidate) => candidate.sub === sub)
  return account && { accountId: sub, claims: async () => readClaims(account) }
}

async function generateSigningKey(): Promise<object> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  return { ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }
}

/** Whether `uri` leads to this machine, over http or https (RFC 8252, section 7.3, and `localhost` in any form). */
function isLoopbackUri(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { hash, hostname, protocol } = new URL(uri)
  const isWeb = protocol === "http:" || protocol === "https:"
  return isWeb && hash === "" && /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const address = server.address()
  if (address === null || typeof address === "string")
    throw new Error(`Expected to listen on a TCP port, got ${address}`)
  return `http://127.0.0.1:${address.port}`
}

function serve(server: Server, desk: InteractionDesk): readonly OpenIDProviderRequest[] {
  const requests: OpenIDProviderRequest[] = []
  const answerProtocol = desk.provider.callback()
  server.on("request", (request, response) => {
    const { method = "GET", url = "/" } = request
    const [path = "/"] = url.split("?")
    requests.push({ method, path })
    void (path.startsWith(interactionPath)
      ? answerInteraction(desk, request, response)
      : answerProtocol(request, response))
  })
  return requests
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
