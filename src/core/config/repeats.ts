/** Keeps what anybody can cause with each request from filling the log. */
import { AuthError } from "../errors.js"
import { messageChain } from "../thrown.js"

/** How often one message is written in a second. */
const most = 10
/** More different messages than this in a second are a new second. */
const mostMessages = 100

export interface RepeatsOptions {
  readonly write: (error: Error) => void
  /** Says how often a message was left out. */
  readonly tell: (message: string) => void
  /** Runs something a second later. Default: a timer that keeps no process alive. */
  readonly later?: (run: () => void) => void
}

/**
 * Writes the same error ten times a second at most, then tells how often it was left out. One that somebody was given a
 * reference to is always written.
 */
export function withoutRepeats({ write, tell, later = aSecondLater }: RepeatsOptions): (error: Error) => void {
  const counts = new Map<string, number>()

  function closeSecond(): void {
    for (const [message, count] of counts) if (count > most) tell(`${count - most} more like this: ${message}`)
    counts.clear()
  }

  return (error) => {
    if (error instanceof AuthError && error.correlationId !== undefined) return write(error)
    if (counts.size >= mostMessages) closeSecond()
    if (counts.size === 0) later(closeSecond)
    const message = `${error.name}: ${messageChain(error)}`
    const count = (counts.get(message) ?? 0) + 1
    counts.set(message, count)
    if (count <= most) write(error)
  }
}

/** Only Node's timers are objects; and only they keep a process alive unless told not to. */
function aSecondLater(run: () => void): void {
  const timer = setTimeout(run, 1000) as number | { unref?(): unknown }
  if (typeof timer === "object") timer.unref?.()
}
