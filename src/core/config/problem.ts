/** What may be wrong with a configuration. */
import type { AuthError } from "../errors.js"

/** One thing that is wrong: where, and what was expected there. */
export interface Problem {
  readonly path: string
  readonly expected: string
  /** How to put it right, where that is not obvious. */
  readonly hint?: string
  /** The class that the contract has for it. */
  readonly as?: new (message: string, options: { cause: { problems: readonly Problem[] } }) => AuthError
}
