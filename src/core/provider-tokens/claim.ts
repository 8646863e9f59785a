/**
 * Who is refreshing, told through the stored refresh token itself: there is one place that every server sees, and that can
 * be compared and set at once. While one refreshes, a claim with the token in it stands in the token's place.
 */

export interface Claim {
  /** Milliseconds since the epoch. Who has not finished by then never will. */
  readonly until: number
  readonly refreshToken: string
}

const form = /^latchkey-refreshing;(\d{1,16});[0-9a-f-]{36};(.+)$/s

/** Each claim is another text, so that a server never takes another one's for its own. */
export function writeClaim({ until, refreshToken }: Claim): string {
  return `latchkey-refreshing;${until};${crypto.randomUUID()};${refreshToken}`
}

/** The claim in a stored refresh token, if somebody has put one there. */
export function readClaim(stored: string | null | undefined): Claim | undefined {
  const [, until, refreshToken] = form.exec(stored ?? "") ?? []
  return refreshToken === undefined ? undefined : { until: Number(until), refreshToken }
}
