/** A method of the adapter that took longer than it may. */
import { AdapterError } from "../errors.js"

/** What the method answers in the end can still be had, by whoever has to undo it. */
export class LateAnswer extends AdapterError {
  override readonly name = "AdapterError"
  // Private, so that no log waits for it or shows what it became.
  readonly #answer: PromiseLike<unknown>

  constructor(
    readonly method: string,
    { cause }: Pick<AdapterError, "cause">,
    answer: PromiseLike<unknown>,
  ) {
    super(`The adapter's ${method} failed`, { cause })
    this.#answer = answer
  }

  async answer(): Promise<unknown> {
    return this.#answer
  }
}
