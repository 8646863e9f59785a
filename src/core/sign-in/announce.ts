/** Tells the application that somebody signed in. */
import type { Engine } from "../engine/engine.js"
import { emit } from "../engine/events.js"
import type { AdmittedIdentity } from "./identity.js"

export async function announce(engine: Engine, { user, account, profile, isNewUser }: AdmittedIdentity): Promise<void> {
  const details = account.type === "credentials" ? {} : { profile, isNewUser }
  await emit(engine, "signIn", { user, account, ...details })
}
