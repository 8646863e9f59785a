import { createServer, type IncomingMessage, type Server } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { Configuration, Provider } from "oidc-provider"
import { loadOidcProvider, type OidcProviderModule } from "./load-oidc-provider.js"
import { close, isLoopbackUri, listen, refuseProduction } from "./local-server.js"
import { defaultAccounts, type OpenIDAccount, type OpenIDLogin } from "./openid-accounts.js"
import { addClient, completeClient, credentialsOf, mainClient, type ClientMetadata } from "./openid-clients.js"
import { configure, generateSigningKey } from "./openid-configuration.js"
import { answerInteraction, interactionPath, type InteractionDesk } from "./openid-interaction.js"
import { endSessions, finishAtOnce, takeConfirmation } from "./openid-logout.js"
import type { OpenIDClient, OpenIDCredentials, OpenIDLogout, OpenIDTls } from "./openid-options.js"
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
  /**
   * Whether a browser that has signed in once does so again without a page, until it signs out here: a single sign-on.
   * Default `false`: each sign-in starts afresh.
   */
  readonly remembersBrowser?: boolean
  /** Seconds. Default 3600. */
  readonly accessTokenLifetime?: number
  /** Gives a refresh token at each sign-in, whatever the scope and the prompt. Default `false`. */
  readonly issueRefreshTokens?: boolean
  /**
   * `true`: a refresh token is good once, each refresh gives another one, and whoever uses an old one again ends them all.
   * `false`: it stays the same. Default: as `oidc-provider` decides, which is seldom a new one.
   */
  readonly rotateRefreshTokens?: boolean
  /**
   * Where logout tokens for the client are posted when a session ends (OpenID Connect Back-Channel Logout 1.0). ID tokens
   * carry a `sid` then. Default: nowhere.
   */
  readonly backchannelLogoutUri?: string
  /** Further clients. Default none. */
  readonly clients?: readonly OpenIDClient[]
  /** Speaks https, and asks clients for a certificate (RFC 8705). Default: plain http. */
  readonly tls?: OpenIDTls
}

/** One request that reached the provider. `path` comes without the query, which may carry codes and tokens. */
export interface OpenIDProviderRequest {
  readonly method: string
  readonly path: string
}

/** A token request, and whether tokens were given. */
export interface OpenIDGrant {
  readonly grantType: string
  readonly ok: boolean
}

export interface OpenIDProvider {
  /** For the `issuer` option of an `oidc` provider. */
  readonly issuer: string
  readonly clientId: string
  /** Another one at each start. The client authenticates with `client_secret_basic`. */
  readonly clientSecret: string
  /** Those of the option `clients`, in its order. */
  readonly clients: readonly OpenIDCredentials[]
  /** Every request so far, oldest first; it grows as requests come in. */
  readonly requests: readonly OpenIDProviderRequest[]
  /** Every token request that was answered so far, oldest first. */
  readonly grants: readonly OpenIDGrant[]
  /** Every logout token that was sent so far, oldest first. */
  readonly logouts: readonly OpenIDLogout[]
  /** Ends the sessions that a person has at the provider, and resolves when the applications were told. */
  endSessions(sub: string): Promise<void>
  /** Stops listening and closes every connection at once. */
  close(): Promise<void>
}

/**
 * Starts an OpenID provider on this machine, for tests and development: `oidc-provider`, certified, with one client whose
 * redirect URIs, after a logout too, may be anything on a loopback host. It keeps everything in memory and needs no
 * network. ID tokens are signed with RS256 and carry the claims of the scopes asked for, as userinfo does; scope
 * `offline_access` with `prompt=consent` gives refresh tokens. It takes pushed authorization requests, signed request
 * objects and DPoP proofs from whoever sends them.
 * @throws Error when `NODE_ENV` is `production`, `accounts` is empty, the package `oidc-provider` is missing, the port is taken,
 *   or `oidc-provider` refuses an option, such as the metadata of a client.
 */
export async function startOpenIDProvider(options: OpenIDProviderOptions = {}): Promise<OpenIDProvider> {
  refuseProduction("The local OpenID provider")
  const { accounts = defaultAccounts, login = "automatic", port = 0, tls } = options
  if (accounts.length === 0) throw new Error("accounts must name at least one account that can sign in, got none")

  const module = await loadOidcProvider()
  const main = mainClient(options.backchannelLogoutUri)
  const others = (options.clients ?? []).map(completeClient)
  const signingKey = await generateSigningKey()
  const store = createOpenIDStore()
  const server = tls ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: false }) : createServer()
  const issuer = `${tls ? "https" : "http"}://${await listen(server, port)}`
  const configuration = configure({
    issuer,
    accounts,
    signingKey,
    store,
    accessTokenLifetime: options.accessTokenLifetime ?? 3600,
    rotateRefreshTokens: options.rotateRefreshTokens,
    issueRefreshTokens: options.issueRefreshTokens === true,
    requestsCertificates: tls !== undefined,
  })
  const provider = await createProvider(module, issuer, configuration, [main, ...others]).catch(
    async (error: unknown) => {
      await close(server)
      throw error
    },
  )
  finishAtOnce(provider, login)
  const logouts = recordLogouts(provider)
  const desk = { provider, accounts, login }

  return {
    issuer,
    clientId: credentialsOf(main).clientId,
    clientSecret: main.client_secret,
    clients: others.map(credentialsOf),
    grants: recordGrants(provider),
    logouts,
    requests: serve(server, desk, options.remembersBrowser === true),
    endSessions: async (sub) => {
      logouts.push(...(await endSessions(provider, store, sub)))
    },
    close: () => close(server),
  }
}

async function createProvider(
  { Provider }: OidcProviderModule,
  issuer: string,
  configuration: Configuration,
  clients: readonly ClientMetadata[],
): Promise<Provider> {
  const provider = new Provider(issuer, configuration)
  provider.Client.prototype.redirectUriAllowed = isLoopbackUri
  provider.Client.prototype.postLogoutRedirectUriAllowed = isLoopbackUri
  for (const client of clients) await addClient(provider, configuration.adapter("Client"), client)
  return provider
}

function recordGrants(provider: Provider): readonly OpenIDGrant[] {
  const grants: OpenIDGrant[] = []
  const record = (grantType: unknown, ok: boolean) => grants.push({ grantType: String(grantType), ok })
  provider.on("grant.success", ({ oidc }) => record(oidc?.params?.grant_type, true))
  provider.on("grant.error", ({ oidc }) => record(oidc?.params?.grant_type, false))
  return grants
}

function recordLogouts(provider: Provider): OpenIDLogout[] {
  const logouts: OpenIDLogout[] = []
  provider.on("backchannel.success", (_context, { clientId }) => logouts.push({ clientId, ok: true }))
  provider.on("backchannel.error", (_context, _error, { clientId }) => logouts.push({ clientId, ok: false }))
  return logouts
}

function serve(server: Server, desk: InteractionDesk, remembersBrowser: boolean): readonly OpenIDProviderRequest[] {
  const requests: OpenIDProviderRequest[] = []
  const answerProtocol = desk.provider.callback()
  server.on("request", (request, response) => {
    const { method = "GET", url = "/" } = request
    const [path = "/"] = url.split("?")
    requests.push({ method, path })
    if (!remembersBrowser && /^\/auth(?:\/|$)/.test(path)) forgetBrowser(request)
    takeConfirmation(request)
    void (path.startsWith(interactionPath)
      ? answerInteraction(desk, request, response)
      : answerProtocol(request, response))
  })
  return requests
}

/** A sign-in then starts afresh, while a logout still finds the session that the last one made. */
function forgetBrowser({ headers }: IncomingMessage): void {
  headers.cookie = headers.cookie?.replaceAll(/(?:^|; *)_session(?:\.sig)?=[^;]*/g, "")
}
