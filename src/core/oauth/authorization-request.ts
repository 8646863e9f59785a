/**
 * How an authorization request gets to the provider: in the address (RFC 6749, section 4.1.1), signed (JAR, RFC 9101),
 * and pushed there beforehand (PAR, RFC 9126).
 */
import {
  buildAuthorizationUrl,
  buildAuthorizationUrlWithJAR,
  buildAuthorizationUrlWithPAR,
  modifyAssertion,
  type Configuration,
  type ServerMetadata,
} from "openid-client"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidConfiguration } from "../errors.js"
import { dpopHandleFor } from "./dpop.js"
import { withoutSecrets } from "./safe-error.js"

/**
 * The address to send the browser to.
 * @throws InvalidConfiguration when the provider cannot do what the configuration asks for, or demands what it lacks;
 * Error when it refuses the pushed request.
 */
export async function authorizationUrl(
  client: Configuration,
  provider: OAuthProvider,
  params: Readonly<Record<string, string>>,
): Promise<URL> {
  const metadata = client.serverMetadata()
  const isPushed = isPushedTo(metadata, provider)
  checkAbilities(metadata, provider, isPushed)
  try {
    const handle = await dpopHandleFor(client, provider)
    // Whoever gets hold of the code can redeem it with this key alone (RFC 9449, section 10).
    const bound = handle ? { ...params, dpop_jkt: await handle.calculateThumbprint() } : params
    const url = await inTheAddress(client, provider, bound)
    return isPushed ? await buildAuthorizationUrlWithPAR(client, url.searchParams, { DPoP: handle }) : url
  } catch (error) {
    throw withoutSecrets(error)
  }
}

async function inTheAddress(
  client: Configuration,
  { requestObject }: OAuthProvider,
  params: Readonly<Record<string, string>>,
): Promise<URL> {
  if (!requestObject) return buildAuthorizationUrl(client, params)
  return buildAuthorizationUrlWithJAR(client, params, requestObject, { [modifyAssertion]: withoutSubject })
}

/** With our client id as its subject, a request object could be used to prove that one is us (RFC 9101, section 10.8). */
function withoutSubject(_header: Record<string, unknown>, payload: Record<string, unknown>): void {
  delete payload["sub"]
}

/** The provider may require it of everybody, or of this client (RFC 9126, sections 5 and 6). */
function isPushedTo(metadata: ServerMetadata, { pushedAuthorization, client }: OAuthProvider): boolean {
  const name = "require_pushed_authorization_requests"
  return pushedAuthorization || metadata[name] === true || client[name] === true
}

function checkAbilities(metadata: ServerMetadata, { id, requestObject }: OAuthProvider, isPushed: boolean): void {
  if (isPushed && metadata.pushed_authorization_request_endpoint === undefined) {
    throw new InvalidConfiguration(
      `The provider "${id}" takes no pushed authorization requests: its discovery document has no pushed_authorization_request_endpoint`,
    )
  }
  if (requestObject && !isPushed && metadata.request_parameter_supported === false) {
    throw new InvalidConfiguration(`The provider "${id}" takes no request objects: leave out requestObject`)
  }
  if (!requestObject && metadata.require_signed_request_object === true) {
    throw new InvalidConfiguration(`The provider "${id}" demands signed authorization requests: set requestObject`)
  }
}
