/** Whatever was thrown, as an error. */

/** Whether `thrown` is an error, of this realm or another one, as in test runners and `node:vm`. */
export function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]"
}

/** `thrown` itself if it is an error, else an error that says what was thrown. */
export function asError(thrown: unknown): Error {
  return isError(thrown) ? thrown : new Error(`${typeof thrown} was thrown${describe(thrown)}`)
}

/** Objects may be anything, even without a way to become a text. */
function describe(thrown: unknown): string {
  return typeof thrown === "string" || typeof thrown === "number" ? `: ${thrown}` : ""
}

/** A parser quotes what it could not parse, which may have been a token. */
function safeMessage({ name, message }: Error): string {
  return name === "SyntaxError" ? "it could not be parsed" : message
}

/** Our own errors have a record for a cause, which holds the error that they wrap. */
function causeOf({ cause }: Error): unknown {
  return typeof cause === "object" && cause !== null && "err" in cause ? cause.err : cause
}

/** The messages of an error and of what caused it, outermost first: `fetch failed: connect ECONNREFUSED …`. */
export function messageChain(error: Error): string {
  const messages: string[] = []
  for (let each: unknown = error; isError(each) && messages.length < 5; each = causeOf(each)) {
    messages.push(safeMessage(each))
  }
  return messages.filter((message) => message !== "").join(": ")
}

/**
 * Makes an error that does not say where it was made. Whoever sends wrong things can have one made with each request, and
 * looking for its place takes ten times as long as all the rest of it (7.8 µs, and 0.8 µs without).
 */
export function withoutStack<E extends Error>(make: () => E): E {
  const limit: unknown = Reflect.get(Error, "stackTraceLimit")
  Reflect.set(Error, "stackTraceLimit", 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit)
  }
}
