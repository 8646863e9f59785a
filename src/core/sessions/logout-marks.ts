/** What a provider will name a session by when it ends it, as texts that can be kept anywhere. */
import { sha256Hex } from "#hash"

/** Hashes that recognise sessions: all of one person, and the one that an ID token with `sid` was issued for. */
export interface LogoutMarks {
  readonly person: string | undefined
  readonly session: string | undefined
}

/** The marks of an ID token or a logout token of a provider. 32 hexadecimal characters each. */
export async function logoutMarks(
  provider: string,
  { sub, sid }: { readonly sub?: unknown; readonly sid?: unknown },
): Promise<LogoutMarks> {
  const [person, session] = await Promise.all([mark("sub", provider, sub), mark("sid", provider, sid)])
  return { person, session }
}

async function mark(claim: "sub" | "sid", provider: string, value: unknown): Promise<string | undefined> {
  if (typeof value !== "string" || value === "") return undefined
  return (await sha256Hex(JSON.stringify([claim, provider, value]))).slice(0, 32)
}
