/** Reads a logout token (OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6). */
import { errors, jwtVerify, type JWTVerifyResult } from "jose"
import type { ServerMetadata } from "openid-client"
import { unverifiedClaims } from "../crypto/unverified.js"
import type { Engine } from "../engine/engine.js"
import type { OAuthProvider } from "../engine/providers.js"
import { InvalidCheck } from "../errors.js"
import { clientFor } from "../oauth/client.js"
import { issuerKeys } from "../oauth/issuer-keys.js"
import { joseFault } from "../oauth/safe-error.js"
import { asymmetricAlgorithms, secretKey, symmetricAlgorithms } from "../oauth/signing-algorithms.js"
import { issuerFor } from "../oauth/tenant-issuer.js"

/** Whom a provider has signed out: a person, one of their sessions, or both. */
export interface LogoutToken {
  readonly jti: string
  readonly sub: string | undefined
  readonly sid: string | undefined
}

/** Seconds since it was issued. */
const maxAge = 2 * 60
const event = "http://schemas.openid.net/event/backchannel-logout"

/**
 * @throws InvalidCheck when the token does not hold; InvalidConfiguration when it is signed with a client secret that is
 * missing; another Error when the issuer cannot be asked for its keys.
 */
export async function readLogoutToken(engine: Engine, provider: OAuthProvider, token: string): Promise<LogoutToken> {
  // Whoever posts rubbish need not make us ask the issuer for anything.
  if (!isAddressedToUs(provider, token)) throw refusal(provider, "aud")
  const metadata = (await clientFor(engine, provider)).serverMetadata()
  const { payload, protectedHeader } = await verify(engine, provider, metadata, token)
  const { jti, sub, sid } = payload
  const wrong = Object.entries(rules).find(([, holds]) => !holds({ payload, protectedHeader }, provider, metadata))
  if (wrong) throw refusal(provider, wrong[0])
  return { jti: jti ?? "", sub, sid: isName(sid) ? sid : undefined }
}

function isAddressedToUs({ clientId }: OAuthProvider, token: string): boolean {
  const { aud, events } = unverifiedClaims(token) ?? {}
  return [aud].flat().includes(clientId) && isJsonObject(events) && event in events
}

async function verify(
  engine: Engine,
  provider: OAuthProvider,
  metadata: ServerMetadata,
  token: string,
): Promise<JWTVerifyResult> {
  const symmetric = symmetricAlgorithms(provider, metadata)
  const options = {
    algorithms: [...(symmetric.length > 0 ? symmetric : asymmetricAlgorithms(provider, metadata))],
    audience: provider.clientId ?? "",
    clockTolerance: provider.clockTolerance,
    currentDate: new Date(engine.ports.now()),
    maxTokenAge: maxAge,
  }
  try {
    if (symmetric.length > 0) return await jwtVerify(token, secretKey(provider), options)
    return await jwtVerify(token, issuerKeys(engine, provider), options)
  } catch (error) {
    throw refusalOf(provider, error) ?? error
  }
}

type Verified = Pick<JWTVerifyResult, "payload" | "protectedHeader">
type Rule = (token: Verified, provider: OAuthProvider, metadata: ServerMetadata) => boolean

/** What must hold besides signature, audience and times; by the member that is wrong where one does not. */
const rules: Readonly<Record<string, Rule>> = {
  typ: ({ protectedHeader: { typ } }) => typ === undefined || /^(?:(?:application\/)?logout\+jwt|jwt)$/i.test(typ),
  iss: ({ payload }, _provider, { issuer }) => payload.iss === issuerFor(issuer, payload),
  azp: ({ payload: { aud, azp } }, { clientId }) =>
    azp === clientId || (azp === undefined && !(Array.isArray(aud) && aud.length > 1)),
  events: ({ payload: { events } }) => isJsonObject(events) && isJsonObject(events[event]),
  // An ID token is no logout token.
  nonce: ({ payload }) => !("nonce" in payload),
  sub: ({ payload: { sub } }) => sub === undefined || isName(sub),
  sid: ({ payload: { sid, sub } }) => (sid === undefined ? sub !== undefined : isName(sid)),
  jti: ({ payload: { jti } }) => isName(jti),
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** What `jose` says of a token that is at fault itself. Anything else is about the keys, or the way to them. */
const refusals: ReadonlySet<string> = new Set([
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWKSMultipleMatchingKeys.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JWTClaimValidationFailed.code,
  errors.JWTExpired.code,
  errors.JWTInvalid.code,
])

/** Those errors carry the claims, which are no business of a log. */
function refusalOf(provider: OAuthProvider, error: unknown): InvalidCheck | undefined {
  if (!(error instanceof errors.JOSEError) || !refusals.has(error.code)) return undefined
  return new InvalidCheck(`The logout token of "${provider.id}" does not hold: ${joseFault(error)}`)
}

function refusal({ id }: OAuthProvider, member: string): InvalidCheck {
  return new InvalidCheck(`The logout token of "${id}" does not hold: "${member}" is missing or wrong`)
}
