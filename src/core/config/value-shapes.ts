/** What the value of an option may be. */
import { isObject } from "../is-object.js"

export function isFunction(value: unknown): value is (...given: never[]) => unknown {
  return typeof value === "function"
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean"
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

/** A timer of Node holds no more than 2^31 - 1 milliseconds, and takes anything beyond for none. */
export function isDuration(value: unknown): boolean {
  return isFiniteNumber(value) && value > 0 && value <= 2_147_483
}

export function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isMember)
}

export function isSecret(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
}

export function isHttpUrl(value: unknown): value is string | URL {
  return (
    (typeof value === "string" || value instanceof URL) &&
    URL.canParse(value) &&
    /^https?:$/.test(new URL(value).protocol)
  )
}

/** What a CSS colour may consist of: nothing that ends the declaration it stands in. */
export function isColor(value: unknown): boolean {
  return typeof value === "string" && /^[#\w\s.,%()/-]+$/.test(value)
}

export function isProviderId(value: unknown): boolean {
  return (
    typeof value === "string" && /^[\w.~-]+$/.test(value) && value !== "undefined" && value !== "." && value !== ".."
  )
}

/** The value at a dotted path; `undefined` where anything on the way is missing. */
export function valueAt(holder: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((found, name) => (isObject(found) ? Reflect.get(found, name) : undefined), holder)
}

/** A private key of Web Crypto that may sign. */
export function isSigningKey(value: unknown): boolean {
  return valueAt(value, "type") === "private" && isListWith(valueAt(value, "usages"), "sign")
}

function isListWith(value: unknown, member: string): boolean {
  return Array.isArray(value) && value.includes(member)
}
