/** What the userinfo endpoint says of somebody (OpenID Connect Core, section 5.3). */
import { jwtVerify, type JWTPayload } from "jose"
import { fetchProtectedResource, type Configuration } from "openid-client"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import type { Profile, TokenSet } from "../types.js"
import { userinfoAddress } from "./client-identity.js"
import { dpopHandleFor } from "./dpop.js"
import { issuerKeys } from "./issuer-keys.js"
import { issuerFor } from "./tenant-issuer.js"

const jwtType = "application/jwt"

/**
 * The claims about `sub`: JSON, or a JWT signed by `client.userinfo_signed_response_alg` where that is configured.
 * @throws Error when they are of another form, about another person, or not the issuer's for this client.
 */
export async function fetchUserinfo(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  { access_token = "" }: TokenSet,
  sub: unknown,
): Promise<Profile> {
  const url = userinfoAddress(client, provider)
  if (url === undefined) throw new Error(`the issuer of "${provider.id}" has no userinfo endpoint`)
  const alg = provider.client.userinfo_signed_response_alg
  const DPoP = await dpopHandleFor(client, provider)
  const headers = new Headers({ accept: alg === undefined ? "application/json" : jwtType })
  const response = await fetchProtectedResource(client, access_token, new URL(url), "GET", null, headers, { DPoP })
  if (response.status !== 200) throw new Error(`the userinfo endpoint of "${provider.id}" answered ${response.status}`)
  // What is plain may come under any type, what is signed under its own alone.
  if ((mediaType(response) === jwtType) !== (alg !== undefined))
    throw new Error(
      `the userinfo endpoint of "${provider.id}" must ${alg === undefined ? "not " : ""}answer with ${jwtType}`,
    )
  const claims: unknown =
    alg === undefined ? await response.json() : await verify(engine, client, provider, await response.text(), alg)
  return requireSubject(claims, sub)
}

function mediaType({ headers }: Response): string | undefined {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase()
}

/** Section 5.3.2: it need not name its issuer and audience. */
async function verify(
  engine: Engine,
  client: Configuration,
  provider: OAuthProvider,
  token: string,
  alg: string,
): Promise<JWTPayload> {
  const { clientId = "", clockTolerance } = provider
  const currentDate = new Date(engine.ports.now())
  const options = { algorithms: [alg], clockTolerance, currentDate }
  const { payload } = await jwtVerify(token, issuerKeys(engine, provider), options)
  const { iss, aud } = payload
  if (iss !== undefined && iss !== issuerFor(client.serverMetadata().issuer, payload))
    throw new Error('the userinfo response is of another issuer ("iss")')
  if (aud !== undefined && ![aud].flat().includes(clientId))
    throw new Error('the userinfo response is for another client ("aud")')
  return payload
}

/** Section 5.3.4: a token may have been put in the place of another. */
function requireSubject(claims: unknown, sub: unknown): Profile {
  const isObject = typeof claims === "object" && claims !== null
  const stated: unknown = isObject && "sub" in claims ? claims.sub : undefined
  if (!isObject || typeof stated !== "string" || stated === "" || stated !== sub)
    throw new Error('the userinfo response is about another person ("sub")')
  return { ...claims }
}
