/** Errors of the OAuth client, without what must not reach a log. */
import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from "openid-client"
import { isAuthError } from "../errors.js"
import { isError, messageChain } from "../thrown.js"

/** The client's errors carry whole responses, tokens included, as their cause. Only what explains them is kept. */
export function withoutSecrets(error: unknown): Error {
  if (!isError(error)) return new Error("the provider could not be used")
  if (isAuthError(error)) return error
  if (error instanceof ResponseBodyError) {
    // RFC 6749 has codes; what a provider puts there beyond them may repeat what it was sent.
    const code = /^[\w.-]{1,60}$/.test(error.error) ? error.error : "an error"
    return named(error, `the provider refused: ${code} (HTTP ${error.status})`)
  }
  if (error instanceof WWWAuthenticateChallengeError) return named(error, `the provider refused (HTTP ${error.status})`)
  if (error instanceof ClientError) return named(error, `${messageChain(error)} (${error.code}${attributeOf(error)})`)
  return error.cause === undefined && error.name !== "SyntaxError" ? error : named(error, messageChain(error))
}

function named(original: Error, message: string): Error {
  const safe = new Error(message)
  safe.name = original.name
  return safe
}

/** Which claim or member did not match; never its value. */
function attributeOf({ cause }: Error): string {
  const details: unknown = isError(cause) ? cause.cause : cause
  if (typeof details !== "object" || details === null) return ""
  const { claim, attribute } = details as Readonly<Record<string, unknown>>
  const name = typeof claim === "string" ? claim : attribute
  return typeof name === "string" ? `, "${name}"` : ""
}
