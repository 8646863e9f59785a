/** Errors of the OAuth client, without what must not reach a log. */
import { errors } from "jose"
import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from "openid-client"
import { isAuthError } from "../errors.js"
import { isError, messageChain } from "../thrown.js"

/** The client's errors carry whole responses, tokens included, as their cause. Only what explains them is kept. */
export function withoutSecrets(error: unknown): Error {
  if (!isError(error)) return new Error("the provider could not be used")
  if (isAuthError(error)) return error
  if (error instanceof ResponseBodyError) return refusal(error, error.error)
  if (error instanceof WWWAuthenticateChallengeError) return refusal(error, error.cause[0]?.parameters.error)
  if (error instanceof errors.JOSEError) return named(error, `its token could not be verified: ${joseFault(error)}`)
  // What was thrown on the way, by our transport or an application's, is wrapped without a code.
  if (error instanceof ClientError && error.code === undefined && isError(error.cause))
    return withoutSecrets(error.cause)
  if (error instanceof ClientError) return named(error, `${messageChain(error)} (${error.code}${attributeOf(error)})`)
  return error.cause === undefined && error.name !== "SyntaxError" ? error : named(error, messageChain(error))
}

/** RFC 6749 has codes; what a provider puts there beyond them may repeat what it was sent. */
function refusal(error: ResponseBodyError | WWWAuthenticateChallengeError, stated: unknown): Error {
  const code = typeof stated === "string" && /^[a-z_]{1,40}$/.test(stated) ? stated : "an error"
  const hint = code === "invalid_client" ? "; check clientId, clientSecret and token_endpoint_auth_method" : ""
  return named(error, `the provider refused: ${code} (HTTP ${error.status})${hint}`)
}

function named(original: Error, message: string): Error {
  const safe = new Error(message)
  safe.name = original.name
  return safe
}

/** What the codes of `jose` leave unsaid. */
const joseHints: Readonly<Record<string, string>> = {
  [errors.JWSSignatureVerificationFailed.code]: ", the signature is not by the issuer's key",
  [errors.JWKSNoMatchingKey.code]: ', the issuer has no key of its "kid"',
  [errors.JWKSMultipleMatchingKeys.code]: ', several keys of the issuer have its "kid"',
}

/** The code, and the claim that is wrong: these errors carry all the claims, and what a token says of itself. */
export function joseFault(error: errors.JOSEError): string {
  const claim = "claim" in error && typeof error.claim === "string" ? ` "${error.claim}"` : ""
  return `${error.code}${claim}${joseHints[error.code] ?? ""}`
}

/** Which claim or member did not match, and by how much if it is a time; never another value. */
function attributeOf({ cause }: Error): string {
  const details: unknown = isError(cause) ? cause.cause : cause
  if (typeof details !== "object" || details === null) return ""
  const { claim, attribute, claims, now } = details as Readonly<Record<string, unknown>>
  const name = typeof claim === "string" ? claim : attribute
  if (typeof name !== "string") return ""
  const time: unknown = typeof claims === "object" && claims !== null ? Reflect.get(claims, name) : undefined
  const isTime = typeof time === "number" && typeof now === "number"
  return `, "${name}"${isTime ? ` is ${distance(time, now)}` : ""}`
}

/** How far a time is from our own clock, both in seconds since the epoch. */
export function distance(time: number, now: number): string {
  const seconds = Math.round(time - now)
  return seconds > 0 ? `${seconds} s ahead of our clock` : `${-seconds} s behind our clock`
}
