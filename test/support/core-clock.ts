/** A frozen clock for whatever asks for the date; timers stay real, as the platform's own deadlines need them. */
import { jest } from "@jest/globals"

const untouched = [
  "hrtime",
  "nextTick",
  "performance",
  "queueMicrotask",
  "requestAnimationFrame",
  "cancelAnimationFrame",
  "requestIdleCallback",
  "cancelIdleCallback",
  "setImmediate",
  "clearImmediate",
  "setInterval",
  "clearInterval",
  "setTimeout",
  "clearTimeout",
] as const

/** Stops the clock. Call it in `beforeEach`, and {@link releaseClock} in `afterEach`. */
export function freezeClock(at = "2026-03-01T12:00:00.000Z"): void {
  jest.useFakeTimers({ doNotFake: [...untouched], now: new Date(at) })
}

export function releaseClock(): void {
  jest.useRealTimers()
}

/** Moves the frozen clock forward. */
export function advanceClock(seconds: number): void {
  jest.setSystemTime(Date.now() + seconds * 1000)
}

/** Seconds since the epoch, by the frozen clock. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
