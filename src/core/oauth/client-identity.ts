/** What a client says of itself, and how it proves it (RFC 6749, section 2.3). */
import {
  clockTolerance,
  ClientSecretJwt,
  ClientSecretPost,
  None,
  PrivateKeyJwt,
  type ClientAuth,
  type ClientMetadata,
} from "openid-client"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration } from "../errors.js"

/** Endpoints that the configuration itself names. */
export function endpoints({ authorization, token, userinfo }: OAuthProvider): Readonly<Record<string, string>> {
  const addresses = {
    authorization_endpoint: authorization.url?.href,
    token_endpoint: token.url?.href,
    userinfo_endpoint: userinfo.url?.href,
  }
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([name, href]) => (href === undefined ? [] : [[name, href]])),
  )
}

/** @throws InvalidConfiguration when the provider lacks what it takes. */
export function clientIdentity(
  provider: OAuthProvider,
): [clientId: string, metadata: Partial<ClientMetadata>, auth: ClientAuth] {
  const { id, clientId, clientSecret, client } = provider
  if (!clientId) {
    const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_ID`
    throw new InvalidConfiguration(
      `The provider "${id}" has no clientId: set it, or the environment variable ${variable}`,
    )
  }
  const metadata = { ...client, client_id: clientId, client_secret: clientSecret }
  return [clientId, { ...metadata, [clockTolerance]: provider.clockTolerance }, clientAuthentication(provider)]
}

function clientAuthentication({ id, clientSecret, client, token }: OAuthProvider): ClientAuth {
  const method = client.token_endpoint_auth_method ?? (clientSecret ? "client_secret_basic" : "none")
  switch (method) {
    case "client_secret_basic":
      return basicAuthentication(clientSecret ?? "")
    case "client_secret_post":
      return ClientSecretPost(clientSecret)
    case "client_secret_jwt":
      return ClientSecretJwt(clientSecret)
    case "private_key_jwt":
      if (!token.clientPrivateKey) throw new InvalidConfiguration(`The provider "${id}" has no token.clientPrivateKey`)
      return PrivateKeyJwt(token.clientPrivateKey)
    case "none":
      return None()
    default:
      throw new InvalidConfiguration(`The provider "${id}" has an unknown token_endpoint_auth_method`)
  }
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
