/** Sessions and verification tokens as Redis keeps them. */
import type { AdapterSession, VerificationToken } from "../contract.js"

/** A date is `@` and milliseconds since the epoch, which is no JSON; all else is JSON. Nothing for `undefined`. */
function encode(value: unknown): string | undefined {
  return value instanceof Date ? `@${millisecondsOf(value)}` : JSON.stringify(value)
}

/** @throws SyntaxError when it is no such text. */
export function decode(text: string): unknown {
  return text.startsWith("@") ? new Date(Number(text.slice(1))) : JSON.parse(text)
}

/** @throws TypeError for a date that is none, which would make a record that never expires. */
export function millisecondsOf(date: Date): string {
  const milliseconds = date.getTime()
  if (Number.isNaN(milliseconds)) throw new TypeError("A date to be stored in Redis is not valid")
  return String(milliseconds)
}

/**
 * What comes from outside, as part of a key's name: JSON, so that halves of surrogate pairs stay apart as well. Numbers,
 * which some adapters have for ids, become texts.
 */
export function encodeName(value: string | number): string {
  return JSON.stringify(typeof value === "number" ? `${value}` : value)
}

/** Fields and values in turn, as `HSET` takes them. What is `undefined` is left out. */
export function encodeSession({ userId, ...session }: Partial<AdapterSession>): readonly string[] {
  const fields = Object.entries(session).flatMap(([field, value]: [string, unknown]) => {
    const text = encode(value)
    return text === undefined ? [] : [field, text]
  })
  return userId === undefined ? fields : ["userId", encodeName(userId), ...fields]
}

export function encodeToken({ identifier, token, expires }: VerificationToken): string {
  return JSON.stringify([identifier, token, encode(expires)])
}
