/** Tells the application what happened. */
import type { EventCallbacks } from "../config/config.js"
import { EventError } from "../errors.js"
import { asError } from "../thrown.js"
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
