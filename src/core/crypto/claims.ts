/** Reading the claims of an opened token (RFC 7519, section 4.1). */
import type { JWT } from "../types.js"

/** Clock difference between servers that still counts as the same moment. */
const toleranceSeconds = 15
/** How far in the future a token may say it was issued. */
const issuedAheadSeconds = 60

/**
 * Parses the plaintext of a token and checks its times against `now` (seconds since the epoch).
 * @throws Error when it is no JSON object, or has no `exp`, or is expired or not yet valid.
 */
export function readClaims(plaintext: string, now: number): JWT {
  const claims = parseJson(plaintext)
  if (typeof claims !== "object" || claims === null || Array.isArray(claims))
    throw new Error("the token holds no claims")
  const jwt = claims as JWT
  checkTimes(jwt, now)
  return jwt
}

/** What the parser says of a text quotes it, and must not reach a log. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Checks the times of claims against `now` (seconds since the epoch).
 * @throws Error when there is no `exp`, or the token is expired or not yet valid.
 */
export function checkTimes({ exp, nbf, iat }: JWT, now: number): void {
  if (!isTime(exp)) throw new Error('the token has no "exp" claim')
  if (exp <= now - toleranceSeconds) throw new Error("the token has expired")
  if (nbf !== undefined && (!isTime(nbf) || nbf > now + toleranceSeconds)) throw new Error("the token is not valid yet")
  if (iat !== undefined && (!isTime(iat) || iat > now + issuedAheadSeconds)) {
    throw new Error("the token was issued in the future")
  }
}

function isTime(claim: unknown): claim is number {
  return typeof claim === "number" && Number.isFinite(claim)
}
