/** What we say to ourselves through the provider while it ends its own session: where the person wants to go then. */
import type { Engine } from "../engine/engine.js"

/** Keeps this `state` apart from everything else that is encrypted. */
const salt = "logoutState"

/** Seconds: somebody may take a while to say that they really mean it. */
const maxAge = 60 * 60

export async function writeLogoutState(engine: Engine, provider: string, to: string): Promise<string> {
  return engine.keys.seal({ provider, to }, salt, Math.floor(engine.ports.now() / 1000), maxAge)
}

/** `undefined` when it is not ours, of another provider, or too old. */
export async function readLogoutState(engine: Engine, provider: string, state: string): Promise<string | undefined> {
  try {
    const claims = await engine.keys.unseal(state, salt, engine.ports.now() / 1000)
    return claims["provider"] === provider && typeof claims["to"] === "string" ? claims["to"] : undefined
  } catch {
    return undefined
  }
}
