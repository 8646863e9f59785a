/** A logger that keeps what it is told. */
import { inspect } from "node:util"
import type { AuthErrorLike } from "../../src/core/errors.js"
import type { LoggerInstance } from "../../src/core/types.js"

export interface Log {
  readonly logger: LoggerInstance
  readonly errors: readonly (AuthErrorLike & { readonly correlationId?: string })[]
  readonly warnings: readonly string[]
  readonly debugs: readonly (readonly [message: string, metadata?: unknown])[]
  /** Types of the logged errors, in order. */
  types(): readonly string[]
  /** Everything that was logged at every level, down to the last cause and hidden member, as text. */
  text(): string
}

export function captureLog(): Log {
  const errors: Error[] = []
  const warnings: string[] = []
  const debugs: (readonly [string, unknown?])[] = []
  return {
    logger: {
      error: (error) => void errors.push(error),
      warn: (code) => void warnings.push(code),
      debug: (message, metadata) => void debugs.push([message, metadata]),
    },
    errors: errors as AuthErrorLike[],
    warnings,
    debugs,
    types: () => (errors as AuthErrorLike[]).map(({ type }) => type),
    text: () =>
      inspect(
        { errors, warnings, debugs },
        { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null, breakLength: Infinity },
      ),
  }
}
