// @ts-check
// How a process ends: it cleans up when the runner has let go of it, when it is interrupted, and when it fails.

/** @type {(() => Promise<unknown>)[]} */
const cleanUps = []

/** @type {{ leaving?: Promise<void> }} */
const state = {}

/** @param {() => Promise<unknown>} cleanUp Is run once, before those that were given earlier. */
export function onLeave(cleanUp) {
  if (cleanUps.length === 0) leaveWhenDone()
  cleanUps.unshift(cleanUp)
}

/** @param {number} exitCode */
export function leave(exitCode) {
  return (state.leaving ??= cleanUpAndExit(exitCode))
}

function leaveWhenDone() {
  process.on("disconnect", () => leave(0))
  process.on("SIGINT", () => leave(130))
  process.on("SIGTERM", () => leave(143))
  process.on("uncaughtException", (error) => {
    console.error(error)
    leave(1)
  })
}

/** @param {number} exitCode */
async function cleanUpAndExit(exitCode) {
  for (const cleanUp of cleanUps) {
    await cleanUp().catch((error) => console.error("bench: something could not be removed:", error))
  }
  process.exit(exitCode)
}
