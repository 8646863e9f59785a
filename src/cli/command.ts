/** What a command of `npx latchkey` gets, gives back, and how it fails. */

/** What a command touches of the process. */
export interface Ports {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the command was given: relative paths and database drivers are looked up from here. */
  readonly folder: string
}

export interface Command {
  /** What `--help` prints. */
  readonly help: string
  /** How to call it; printed after a call that was wrong. */
  readonly usage: string
  /**
   * @returns The exit code.
   * @throws CommandError where the command cannot do its work.
   */
  readonly run: (args: readonly string[], ports: Ports) => Promise<number>
}

export const exitCodes = { ok: 0, findings: 1, failed: 2 } as const

/** Why a command could not do its work. The message goes to the terminal, so it holds no secret. */
export class CommandError extends Error {
  override readonly name = "CommandError"

  /** @param isUsage Whether the call was wrong, so that the usage helps. */
  constructor(
    message: string,
    readonly isUsage = false,
  ) {
    super(message)
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(message, true)
}
