/** What an adapter threw, as an `AdapterError` that tells no secret. */
import { AdapterError } from "../errors.js"
import { asError, messageChain } from "../thrown.js"

/**
 * The cause is what was thrown; where that quotes a token among the values of a statement that failed, as some libraries
 * do, it is an error with its name, its code, and its message without the tokens.
 * @param given What the method was called with.
 */
export function adapterError(method: string, thrown: unknown, given: readonly unknown[]): AdapterError {
  return new AdapterError(`The adapter's ${method} failed`, {
    cause: { err: causeOf(thrown, secretsIn(method, given)), method },
  })
}

function causeOf(thrown: unknown, secrets: readonly string[]): Error {
  try {
    const error = asError(thrown)
    return isFreeOf(secrets, error) ? error : withoutSecrets(error, secrets)
  } catch {
    return new Error("something was thrown that cannot even be looked at")
  }
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

/** How many values of an error are looked at. One that carries more, such as a whole request, is taken for unsafe. */
const limit = 500

/** Whether none of `secrets` is anywhere in an error: its message, its causes, and whatever else it carries. */
function isFreeOf(secrets: readonly string[], error: Error): boolean {
  if (secrets.length === 0) return true
  const met = new Set<unknown>([error])
  // What is added on the way is looked at as well.
  for (const value of met) {
    if (typeof value === "string" && secrets.some((secret) => value.includes(secret))) return false
    for (const member of membersOf(value)) met.add(member)
    if (met.size > limit) return false
  }
  return true
}

function membersOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return []
  const listed: readonly unknown[] = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : []
  return [...listed, ...Reflect.ownKeys(value).map((key): unknown => Reflect.get(value, key))]
}

function withoutSecrets(error: Error, secrets: readonly string[]): Error {
  const message = secrets.reduce((text, secret) => text.replaceAll(secret, "[redacted]"), messageChain(error))
  const safe = new Error(message)
  safe.name = error.name
  const code = "code" in error ? error.code : undefined
  return Object.assign(safe, typeof code === "string" || typeof code === "number" ? { code } : {})
}
