/** Keeps what anybody can cause with each request from filling the log. */
import { AuthError } from "../errors.js"
import { messageChain } from "../thrown.js"

/** How often one message is written in a second. */
const most = 10
/** More different messages than this in a second are a new second. */
const mostMessages = 100

/** Milliseconds since the epoch. */
type Clock = () => number

/**
 * Writes the same error ten times a second at most, then tells how often it was left out. One that somebody was given a
 * reference to is always written.
 */
export function withoutRepeats(
  write: (error: Error) => void,
  tell: (message: string) => void,
  now: Clock = Date.now,
): (error: Error) => void {
  const counts = new Map<string, number>()
  let second = 0

  function closeSecond(): void {
    for (const [message, count] of counts) if (count > most) tell(`${count - most} more like this: ${message}`)
    counts.clear()
  }

  return (error) => {
    if (error instanceof AuthError && error.correlationId !== undefined) return write(error)
    const current = Math.floor(now() / 1000)
    if (current !== second || counts.size >= mostMessages) closeSecond()
    second = current
    const message = `${error.name}: ${messageChain(error)}`
    const count = (counts.get(message) ?? 0) + 1
    counts.set(message, count)
    if (count <= most) write(error)
  }
}
