/** What a client says of itself, and how it proves it (RFC 6749, section 2.3). */
import {
  clockTolerance,
  ClientSecretJwt,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
  TlsClientAuth,
  type ClientAuth,
  type ClientMetadata,
  type Configuration,
  type ServerMetadata,
} from "openid-client"
import { definedOnly } from "../config/merge.js"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration } from "../errors.js"

type Addresses = Readonly<Record<string, string>>

/** Endpoints that the configuration itself names. */
export function endpoints({ authorization, token, userinfo }: OAuthProvider): Addresses {
  return definedOnly({
    authorization_endpoint: authorization.url?.href,
    token_endpoint: token.url?.href,
    userinfo_endpoint: userinfo.url?.href,
  })
}

/** What the configuration changes of the endpoints in `metadata`: it names its own, or adds parameters. */
export function endpointsOver(metadata: ServerMetadata, provider: OAuthProvider): Partial<ServerMetadata> {
  const own = { ...withParameters(metadata, provider), ...endpoints(provider) }
  const { mtls_endpoint_aliases: aliases } = metadata
  if (!aliases || Object.keys(own).length === 0) return own
  const ownAliases = { ...withParameters(aliases, provider), ...endpoints(provider) }
  return { ...own, mtls_endpoint_aliases: { ...aliases, ...ownAliases } }
}

function withParameters(
  { token_endpoint, userinfo_endpoint }: Pick<ServerMetadata, "token_endpoint" | "userinfo_endpoint">,
  { token, userinfo }: OAuthProvider,
): Addresses {
  const extend = (address: string | undefined, params: Addresses) => {
    if (address === undefined || Object.keys(params).length === 0) return undefined
    const url = new URL(address)
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
    return url.href
  }
  return definedOnly({
    token_endpoint: extend(token_endpoint, token.params),
    userinfo_endpoint: extend(userinfo_endpoint, userinfo.params),
  })
}

/** Where profiles are, if the configuration or the issuer has an address for them. */
export function userinfoAddress(client: Configuration, { mutualTls }: OAuthProvider): string | undefined {
  const { userinfo_endpoint, mtls_endpoint_aliases: aliases } = client.serverMetadata()
  return (mutualTls ? aliases?.userinfo_endpoint : undefined) ?? userinfo_endpoint
}

/** @throws InvalidConfiguration when the provider lacks what it takes. */
export function clientIdentity(
  provider: OAuthProvider,
): [clientId: string, metadata: Partial<ClientMetadata>, auth: ClientAuth] {
  const { id, clientId, clientSecret } = provider
  if (!clientId) {
    const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_ID`
    throw new InvalidConfiguration(
      `The provider "${id}" has no clientId: set it, or the environment variable ${variable}`,
    )
  }
  const metadata = {
    ...plainMetadata(provider),
    client_id: clientId,
    client_secret: clientSecret,
    use_mtls_endpoint_aliases: provider.mutualTls,
    [clockTolerance]: provider.clockTolerance,
  }
  return [clientId, metadata, clientAuthentication(provider)]
}

/** openid-client copies the metadata, which cannot be done with everything that an application may keep there. */
function plainMetadata({ client }: OAuthProvider): Readonly<Record<string, string | number | boolean>> {
  return Object.fromEntries(
    Object.entries(client).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, value]] : [],
    ),
  )
}

function clientAuthentication({ id, clientSecret, client, token }: OAuthProvider): ClientAuth {
  const method = client.token_endpoint_auth_method ?? (clientSecret ? "client_secret_basic" : "none")
  switch (method) {
    case "client_secret_basic":
      return basicAuthentication(clientSecret ?? "")
    case "client_secret_post":
      return ClientSecretPost(requireSecret(id, clientSecret))
    case "client_secret_jwt":
      return ClientSecretJwt(requireSecret(id, clientSecret))
    case "private_key_jwt":
      if (!token.clientPrivateKey)
        throw new InvalidConfiguration(
          `The provider "${id}" has no token.clientPrivateKey, which private_key_jwt signs with`,
        )
      return PrivateKeyJwt(token.clientPrivateKey)
    case "tls_client_auth":
    case "self_signed_tls_client_auth":
      return TlsClientAuth()
    case "none":
      return None()
    default:
      throw new InvalidConfiguration(
        `The provider "${id}" has an unknown token_endpoint_auth_method: it may be client_secret_basic, client_secret_post, client_secret_jwt, private_key_jwt, tls_client_auth, self_signed_tls_client_auth or none`,
      )
  }
}

function requireSecret(id: string, clientSecret: string | undefined): string {
  if (!clientSecret) throw new InvalidConfiguration(`The provider "${id}" has no clientSecret to prove itself with`)
  return clientSecret
}

/**
 * `client_secret_basic` (RFC 6749, section 2.3.1), with `-_.!~*'()` left as they are: servers that do not decode what
 * they get refuse ids and secrets in which openid-client has escaped them.
 */
function basicAuthentication(clientSecret: string): ClientAuth {
  const encode = (part: string) => encodeURIComponent(part).replaceAll("%20", "+")
  return (_server, { client_id }, _body, headers) => {
    headers.set("authorization", `Basic ${btoa(`${encode(client_id)}:${encode(clientSecret)}`)}`)
  }
}
