/** A logger that keeps what it is told. */
import type { LoggerInstance, WarningCode } from "../../src/core/types.js"

export interface RecordingLogger extends LoggerInstance {
  readonly errors: readonly Error[]
  readonly warnings: readonly WarningCode[]
  readonly messages: readonly (readonly [message: string, metadata: unknown])[]
}

export function recordingLogger(): RecordingLogger {
  const errors: Error[] = []
  const warnings: WarningCode[] = []
  const messages: (readonly [string, unknown])[] = []
  return {
    errors,
    warnings,
    messages,
    error: (error) => void errors.push(error),
    warn: (code) => void warnings.push(code),
    debug: (message, metadata) => void messages.push([message, metadata]),
  }
}
