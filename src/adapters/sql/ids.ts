/** Ids of users: text, a UUID or a number in the database, always text for whoever asks. */
import { randomUUID } from "node:crypto"
import type { IdKind } from "./schema.js"

/** How the ids in a column of this type are kept. */
export function idKindOf(dataType: string): IdKind {
  if (/^uuid$/i.test(dataType)) return "uuid"
  return /int|serial/i.test(dataType) ? "integer" : "text"
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const largest = 2n ** 63n - 1n

const readers: Readonly<Record<IdKind, (id: string) => string | undefined>> = {
  text: (id) => (id.includes("\0") ? undefined : id),
  uuid: (id) => (uuid.test(id) ? id : undefined),
  integer: (id) => (/^(?:0|[1-9]\d{0,18})$/.test(id) && BigInt(id) <= largest ? id : undefined),
}

/** An id as the database takes it. `undefined` for one that nobody can have. */
export function readId(kind: IdKind, id: unknown): string | undefined {
  if (typeof id === "number" || typeof id === "bigint") return readId(kind, id.toString())
  return typeof id === "string" ? readers[kind](id) : undefined
}

/** The id of a new user: the one given where it fits; nothing where the database counts. */
export function newId(kind: IdKind, given: unknown): string | undefined {
  if (kind === "integer") return undefined
  return given === "" ? randomUUID() : (readId(kind, given) ?? randomUUID())
}
