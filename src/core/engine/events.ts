/** Tells the application what happened. */
import type { EventCallbacks } from "../config/config.js"
import { EventError } from "../errors.js"
import { asError } from "../thrown.js"
import type { SessionRead } from "../sessions/strategy.js"
import type { Engine } from "./engine.js"

type Message<Name extends keyof EventCallbacks> = Parameters<NonNullable<EventCallbacks[Name]>>[0]

/** Calls an event handler and waits for it. What it throws is logged, and changes nothing. */
export async function emit<Name extends keyof EventCallbacks>(
  { events, logger }: Pick<Engine, "events" | "logger">,
  name: Name,
  message: Message<Name>,
): Promise<void> {
  const handler = events[name] as ((message: Message<Name>) => unknown) | undefined
  if (!handler) return
  try {
    await handler(message)
  } catch (error) {
    logger.error(new EventError(asError(error)))
  }
}

/** Tells of a session that was read. The contract types `token` as always present; under `database` there is none. */
export async function emitSession(engine: Pick<Engine, "events" | "logger">, read: SessionRead): Promise<void> {
  if (!read.session || !engine.events.session) return
  const { session, token } = read.event
  // The token may be one that is remembered: a handler gets its own.
  await emit(engine, "session", { session, ...(token && { token: { ...token } }) } as Message<"session">)
}
