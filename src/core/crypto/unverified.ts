/** Looking into a signed token without verifying it: for one that was verified when it came. */

/** The claims of a JWS in compact form (RFC 7515, section 7.1). `undefined` when it is none. */
export function unverifiedClaims(token: unknown): Readonly<Record<string, unknown>> | undefined {
  const [, payload, signature] = typeof token === "string" ? token.split(".", 3) : []
  if (payload === undefined || signature === undefined) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === "object" && claims !== null ? (claims as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
