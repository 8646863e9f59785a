/** Ids of new users, which tell the account that they were made for: so the core knows a user of its own making again. */
import { timingSafeEqual } from "../crypto/timing-safe-equal.js"
import type { Account } from "../types.js"

type AccountKey = Pick<Account, "provider" | "providerAccountId">

/**
 * A UUID, of which the first half is random and the second half a seal over that half and the account (HMAC-SHA-256,
 * 62 bits). Nobody without the secret can tell it from a random one.
 */
export async function newUserId(secret: string, account: AccountKey): Promise<string> {
  const random = crypto.randomUUID().slice(0, 18)
  return `${random}-${await seal(secret, random, account)}`
}

/** Whether `id` was made for `account`, with one of `secrets`. */
export async function isUserIdOf(secrets: readonly string[], account: AccountKey, id: unknown): Promise<boolean> {
  if (typeof id !== "string" || id.length !== 36) return false
  const [random, given] = [id.slice(0, 18), id.slice(19)]
  const seals = await Promise.all(secrets.map((secret) => seal(secret, random, account)))
  return seals.some((each) => timingSafeEqual(each, given))
}

const utf8 = new TextEncoder()

/** The second half of the UUID: its variant bits are those of RFC 9562, section 4.1. */
async function seal(secret: string, random: string, { provider, providerAccountId }: AccountKey): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), algorithm, false, ["sign"])
  const text = JSON.stringify(["latchkey user id", random, provider, providerAccountId])
  const digest = new Uint8Array(await crypto.subtle.sign(algorithm.name, key, utf8.encode(text)))
  const [first = 0, ...rest] = digest.subarray(0, 8)
  const hex = [(first & 0x3f) | 0x80, ...rest].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  return `${hex.slice(0, 4)}-${hex.slice(4)}`
}
