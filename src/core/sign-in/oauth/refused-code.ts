/** A code that the provider does not take, most often because it was used before (RFC 6749, section 5.2). */
import { ResponseBodyError } from "openid-client"

/** The token endpoint said `invalid_grant`. A new sign-in brings a new code. */
export class RefusedCode extends Error {
  override readonly name = "RefusedCode"
  constructor() {
    super(
      "the provider refused: invalid_grant; the code was used before or has expired, or is for another redirect URI",
    )
  }
}

export function isRefusalOfCode(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === "invalid_grant"
}

/** Whether `outcome` fails because of the code. Its failure stays to be handled. */
export async function failsByCode(outcome: Promise<unknown>): Promise<boolean> {
  return outcome.then(
    () => false,
    (error: unknown) => error instanceof RefusedCode,
  )
}
