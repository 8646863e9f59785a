/** What an adapter threw, as an `AdapterError` that tells no secret. */
import { AdapterError } from "../errors.js"
import { asError, isError, messageChain } from "../thrown.js"

/**
 * The cause is what was thrown; where that quotes a token among the values of a statement that failed, as some libraries
 * do, it is an error with its name, its code, and its message without the tokens.
 * @param given What the method was called with.
 */
export function adapterError(method: string, thrown: unknown, given: readonly unknown[]): AdapterError {
  const secrets = secretsIn(method, given)
  const error = asError(thrown)
  const err = secrets.some((secret) => mentions(error, secret)) ? withoutSecrets(error, secrets) : error
  return new AdapterError(`The adapter's ${method} failed`, { cause: { err, method } })
}

const secretField = /token|state|secret/i
/** Their argument is a session token. */
const byToken: ReadonlySet<string> = new Set(["getSessionAndUser", "deleteSession"])

/** Shorter texts are no secrets, but may be parts of words. */
const minLength = 8

function secretsIn(method: string, given: readonly unknown[]): readonly string[] {
  const fields = given.flatMap((value) => (typeof value === "object" && value !== null ? Object.entries(value) : []))
  const values: readonly unknown[] = [
    ...fields.filter(([name]) => secretField.test(name)).map(([, value]: [string, unknown]) => value),
    ...(byToken.has(method) ? given : []),
  ]
  return values
    .filter((value): value is string => typeof value === "string" && value.length >= minLength)
    .toSorted((one, other) => other.length - one.length)
}

/** Whether a text is anywhere in an error: its message, its causes, and whatever else it carries. */
function mentions(value: unknown, secret: string, depth = 0): boolean {
  if (typeof value === "string") return value.includes(secret)
  if (typeof value !== "object" || value === null || depth > 5) return false
  const own: readonly unknown[] = Object.values(value)
  const told = isError(value) ? [value.message, value.cause] : []
  return [...told, ...own].some((each) => mentions(each, secret, depth + 1))
}

function withoutSecrets(error: Error, secrets: readonly string[]): Error {
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), messageChain(error))
  const safe = new Error(message)
  safe.name = error.name
  const code = "code" in error ? error.code : undefined
  return Object.assign(safe, typeof code === "string" || typeof code === "number" ? { code } : {})
}
