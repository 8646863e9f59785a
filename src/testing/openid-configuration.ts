/** How the local provider sets `oidc-provider` up. */
import { generateKeyPair, randomBytes } from "node:crypto"
import { promisify } from "node:util"
import type { Configuration } from "oidc-provider"
import { claimsByScope, readClaims, type OpenIDAccount } from "./openid-accounts.js"
import { mutualTls } from "./openid-certificates.js"
import type { ClientMetadata } from "./openid-clients.js"
import { interactionPath } from "./openid-interaction.js"
import { logoutPages } from "./openid-logout.js"
import { putPage, renderNotice } from "./openid-pages.js"
import type { OpenIDStore } from "./openid-store.js"

export interface Setup {
  readonly issuer: string
  readonly accounts: readonly OpenIDAccount[]
  readonly clients: readonly ClientMetadata[]
  readonly signingKey: object
  readonly store: OpenIDStore
  /** Seconds. */
  readonly accessTokenLifetime: number
  readonly rotateRefreshTokens: boolean | undefined
  readonly issueRefreshTokens: boolean
  readonly requestsCertificates: boolean
}

const hour = 60 * 60
const day = 24 * hour

export function configure(setup: Setup): Configuration {
  const { accounts, clients, signingKey, store } = setup
  return {
    adapter: store.adapterOf,
    claims: claimsByScope(accounts),
    clients,
    clientBasedCORS: () => false,
    // Applications that never call userinfo need the claims too.
    conformIdTokenClaims: false,
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      requestObjects: { enabled: true },
      rpInitiatedLogout: { enabled: true, ...logoutPages },
      ...(setup.requestsCertificates ? { mTLS: mutualTls } : {}),
    },
    // Its own would not talk to applications on this machine.
    fetch: (address, { method, headers, body, redirect, signal }) =>
      fetch(address, { method, headers, body, redirect, signal }),
    findAccount: (_context, sub) => findAccount(accounts, sub),
    interactions: { url: (_context, { uid }) => `${interactionPath}${uid}` },
    jwks: { keys: [signingKey] },
    renderError: (context, { error, error_description }) => {
      const detail = error_description ? `${error}: ${error_description}` : error
      putPage(context, renderNotice("This request cannot be answered", detail))
    },
    ttl: {
      AccessToken: setup.accessTokenLifetime,
      AuthorizationCode: 60,
      Grant: day,
      IdToken: hour,
      Interaction: hour,
      RefreshToken: day,
      Session: day,
    },
    ...refreshTokenRules(setup),
    ...(setup.requestsCertificates ? { discovery: { mtls_endpoint_aliases: endpointAliases(setup.issuer) } } : {}),
  }
}

/** Where clients with a certificate go (RFC 8705, section 5): here it is where everybody goes. */
function endpointAliases(issuer: string): Readonly<Record<string, string>> {
  return {
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/me`,
    pushed_authorization_request_endpoint: `${issuer}/request`,
  }
}

function refreshTokenRules({ issueRefreshTokens, rotateRefreshTokens }: Setup): Partial<Configuration> {
  return {
    ...(rotateRefreshTokens === undefined ? {} : { rotateRefreshToken: rotateRefreshTokens }),
    ...(issueRefreshTokens
      ? {
          issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
          // Otherwise they would end with the session, as nobody asked for offline_access.
          expiresWithSession: async () => false,
        }
      : {}),
  }
}

function findAccount(accounts: readonly OpenIDAccount[], sub: string): ReturnType<Configuration["findAccount"]> {
  const account = accounts.find((candidate) => candidate.sub === sub)
  return account && { accountId: sub, claims: async () => readClaims(account) }
}

export async function generateSigningKey(): Promise<object> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  return { ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }
}
