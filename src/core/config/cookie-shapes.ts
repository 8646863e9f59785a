/** What `cookies` of a configuration may say. */
import { cookieSettings, serializeCookie } from "../http/cookies.js"

const keys = Object.keys(cookieSettings(false))

/** Paths in a configuration, what is expected there, and whether a value is that. */
export const cookieShapes = keys.flatMap((key) => [
  [`cookies.${key}.name`, "a cookie name (RFC 6265, section 4.1.1)", isCookieName] as const,
  [`cookies.${key}.options`, "attributes of a cookie (RFC 6265, section 4.1.2)", isCookieAttributes] as const,
])

function isCookieName(value: unknown): boolean {
  return typeof value === "string" && /^[!#$%&'*+.^_`|~\w-]+$/.test(value)
}

/** A wrong one would make each answer fail that sets the cookie. */
function isCookieAttributes(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  try {
    return serializeCookie({ name: "name", value: "value", options: value }) !== ""
  } catch {
    return false
  }
}
