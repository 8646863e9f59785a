/** What Redis answers, read with care: a wrong answer is an error, never "there is no such session". */
import type { AdapterSession, VerificationToken } from "../contract.js"
import { decode, encodeName } from "./encoding.js"

export type VerificationKey = Omit<VerificationToken, "expires">

/**
 * The session in a reply of fields and values; `null` when there are none.
 * @throws Error when it is not the session of this token, as when somebody wrote to it or the reply is another's.
 */
export function decodeSession(reply: unknown, sessionToken: string): AdapterSession | null {
  const fields = pairsOf(reply)
  if (fields.length === 0) return null
  const session = orUnexpected(() => Object.fromEntries(fields.map(([field, text]) => [field, decode(text)])))
  const { userId, expires } = session
  if (session.sessionToken !== sessionToken || typeof userId !== "string" || !isMoment(expires)) throw unexpected()
  return { ...session, sessionToken, userId, expires }
}

/** The session that was deleted. It is gone in any case, so `null` if it cannot be read. */
export function decodeEnded(reply: unknown, sessionToken: string): AdapterSession | null {
  if (!Array.isArray(reply) || reply[0] !== encodeName(sessionToken) || !Array.isArray(reply[1])) throw unexpected()
  try {
    return decodeSession(reply[1], sessionToken)
  } catch {
    return null
  }
}

/** @throws Error when it is not the token that was asked for. */
export function decodeToken(reply: unknown, { identifier, token }: VerificationKey): VerificationToken | null {
  if (reply === null) return null
  if (typeof reply !== "string") throw unexpected()
  const fields = orUnexpected(() => JSON.parse(reply) as unknown)
  if (!Array.isArray(fields) || fields[0] !== identifier || fields[1] !== token) throw unexpected()
  const expires = orUnexpected(() => decode(String(fields[2])))
  if (!isMoment(expires)) throw unexpected()
  return { identifier, token, expires }
}

export function decodeNames(reply: unknown): readonly string[] {
  if (!Array.isArray(reply)) throw unexpected()
  return reply.map((name: unknown) => {
    const text = typeof name === "string" ? orUnexpected(() => JSON.parse(name) as unknown) : undefined
    if (typeof text !== "string") throw unexpected()
    return text
  })
}

/** A text where the client is told to give numbers as texts. */
export function decodeCount(reply: unknown): number {
  const count = typeof reply === "string" && /^\d+$/.test(reply) ? Number(reply) : reply
  if (typeof count !== "number") throw unexpected()
  return count
}

/** `null` where there is none. @throws Error when it is no moment. */
export function decodeMoment(reply: unknown): Date | null {
  if (reply === null) return null
  const moment = new Date(typeof reply === "string" && /^\d+$/.test(reply) ? Number(reply) : NaN)
  if (!isMoment(moment)) throw unexpected()
  return moment
}

export function decodeDone(reply: unknown): void {
  if (reply !== "OK") throw unexpected()
}

/** They come as a list, a map or an object, as client and protocol have it. */
function pairsOf(reply: unknown): readonly (readonly [field: string, text: string])[] {
  const pairs = Array.isArray(reply) ? inTwos(reply) : reply instanceof Map ? [...reply] : entriesOf(reply)
  return pairs.map(([field, text]) => {
    if (typeof field !== "string" || typeof text !== "string") throw unexpected()
    return [field, text]
  })
}

type Pair = readonly [unknown, unknown]

function inTwos(list: readonly unknown[]): readonly Pair[] {
  return list.flatMap((field, index): Pair[] => (index % 2 === 0 ? [[field, list[index + 1]]] : []))
}

function entriesOf(reply: unknown): readonly Pair[] {
  if (typeof reply !== "object" || reply === null) throw unexpected()
  return Object.entries(reply)
}

function isMoment(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

/** A parser quotes what it could not parse, which may be a secret. */
function orUnexpected<T>(parse: () => T): T {
  try {
    return parse()
  } catch {
    throw unexpected()
  }
}

function unexpected(): Error {
  return new Error("Redis answered with something else than what is stored under this key")
}
