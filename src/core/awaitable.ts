/** Values that are here at once, or still to come. */
import { asError } from "./thrown.js"
import type { Awaitable } from "./types.js"

/** Whether a value is still to come. What is here already is handed on without a turn of the event loop. */
export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value
}

/** What fails at once has failed for whoever asks later, just like what fails later. */
export function attempt<T>(run: () => Awaitable<T>): Awaitable<T> {
  try {
    return run()
  } catch (error) {
    return Promise.reject(asError(error))
  }
}
