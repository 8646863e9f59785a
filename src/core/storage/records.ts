/** Reads what an adapter returned. Others wrote it, so nothing is taken for granted. */
import { isDate, type AdapterSession, type AdapterUser } from "../../adapters/contract.js"
import { AdapterError } from "../errors.js"

/** A session that can be relied on, and whose it is. */
export interface StoredSession {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/**
 * The session under a token, and its user. `undefined` when a part is missing, they do not belong together, the session is
 * another one, or the expiry is no moment.
 */
export function readSessionAndUser(value: unknown, token: string): StoredSession | undefined {
  if (!isRecord(value) || !isRecord(value["session"]) || !isUser(value["user"])) return undefined
  const { session, user } = value
  const expires = momentOf(session["expires"])
  const { userId = user.id, sessionToken = token } = session as Partial<AdapterSession>
  if (sessionToken !== token || !isSameId(userId, user.id)) return undefined
  // What else a store keeps with a session is the application's.
  return expires && { session: { ...(session as unknown as AdapterSession), expires }, user }
}

/** Whether a session was found whose user is gone. */
export function hasLostUser(value: unknown): boolean {
  return isRecord(value) && isRecord(value["session"]) && value["user"] === null
}

/** A user, or `null` where there is none. @throws AdapterError for anything else. */
export function readUser(value: unknown, method: string): AdapterUser | null {
  if (value === null || value === undefined) return null
  if (isUser(value)) return value
  throw new AdapterError(`The adapter's ${method} returned something that is no user: it has no id`)
}

/** The user that was looked for by id, or `null`. @throws AdapterError when it is somebody else. */
export function readUserOf(id: string, value: unknown): AdapterUser | null {
  const user = readUser(value, "getUser")
  if (!user || isSameId(user.id, id)) return user
  throw new AdapterError("The adapter's getUser returned a user with another id")
}

/** The user that a method must give. @throws AdapterError */
export function requireUser(value: unknown, method: string): AdapterUser {
  const user = readUser(value, method)
  if (user) return user
  throw new AdapterError(`The adapter's ${method} returned no user`)
}

/** A user's id as a text: some adapters give a number, where others, or a token, have a text. */
export function idText({ id }: { readonly id?: string | number | undefined }): string | undefined {
  return id === undefined ? undefined : String(id)
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Some adapters give numbers where others, or a token, have a text; and databases write a UUID in small letters. */
export function isSameId(one: string | number, other: string | number): boolean {
  if (one === other || `${one}` === `${other}`) return true
  return uuid.test(`${one}`) && `${one}`.toLowerCase() === `${other}`.toLowerCase()
}

/** A list that a method must give. @throws AdapterError */
export function requireList<T>(value: readonly T[], method: string): readonly T[] {
  const given: unknown = value
  if (!Array.isArray(given)) throw new AdapterError(`The adapter's ${method} returned no list`)
  return value
}

/** Ids that a database counts are numbers in some adapters. */
function isUser(value: unknown): value is AdapterUser {
  if (!isRecord(value)) return false
  const { id } = value
  return (typeof id === "string" && id !== "") || typeof id === "number"
}

/** Stores without dates give ISO 8601 texts. */
export function momentOf(value: unknown): Date | undefined {
  const moment = isDate(value) ? new Date(value) : isForeignDate(value) ? new Date(value.getTime()) : value
  return moment instanceof Date && !Number.isNaN(moment.getTime()) ? moment : undefined
}

/** Of another realm, as from `structuredClone` in test runners and `node:vm`. */
function isForeignDate(value: unknown): value is Date {
  return !(value instanceof Date) && Object.prototype.toString.call(value) === "[object Date]"
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}
