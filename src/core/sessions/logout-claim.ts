/** The claim by which a token session can be ended from elsewhere. Only sessions that a provider may end have it. */
import type { JWT } from "../types.js"
import type { LogoutMarks } from "./logout-marks.js"
import type { EndedSessions } from "./revocations.js"

export interface LogoutClaim {
  readonly person: string
  readonly session?: string
  /** When the person signed in, in milliseconds since the epoch: what was ended before that is another session. */
  readonly at: number
}

/** @param at Milliseconds since the epoch. */
export function logoutClaim({ person, session }: LogoutMarks, at: number): LogoutClaim | undefined {
  if (person === undefined) return undefined
  return session === undefined ? { person, at } : { person, session, at }
}

/** A copy, as callbacks may change what they are given. `undefined` when there is none, or it is the application's own. */
export function readLogoutClaim({ logout }: Readonly<JWT>): LogoutClaim | undefined {
  if (typeof logout !== "object" || logout === null) return undefined
  const { person, session, at } = logout as Readonly<Record<string, unknown>>
  if (typeof person !== "string" || typeof at !== "number") return undefined
  return typeof session === "string" ? { person, session, at } : { person, at }
}

/** A callback that writes a token of its own must not thereby make it one that nobody can end. */
export function withLogoutClaim(claims: JWT, logout: LogoutClaim | undefined): JWT {
  return logout ? { ...claims, logout } : claims
}

/** @throws AdapterError when it cannot be told. */
export async function isRevoked(ended: EndedSessions | undefined, claims: Readonly<JWT>): Promise<boolean> {
  const logout = ended && readLogoutClaim(claims)
  if (!logout) return false
  const { person, session, at } = logout
  return ended.hasEnded(session === undefined ? [person] : [person, session], at)
}
